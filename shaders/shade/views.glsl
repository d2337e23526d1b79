//! Views of the shading, in the order of src/techniques/shade/views.rs.
#ifndef SHADE_VIEWS
#define SHADE_VIEWS
#include "include/luma.glsl"
#include "include/srgb.glsl"

const uint VIEW_KIND = 0, VIEW_NORMAL = 1, VIEW_ALBEDO = 2, VIEW_UV = 3, VIEW_BARYCENTRIC = 4, VIEW_DIRECT = 5, VIEW_AMBIENT = 6,
           VIEW_SHADOW = 7, VIEW_ROUGHNESS = 8, VIEW_HDR = 9;

layout(constant_id = 3) const uint IN_LIGHT = 0; // whether the view is one of the light: apart, so that each keeps less in registers

const vec3 KIND_COLORS[11] = vec3[11](vec3(176, 176, 176), vec3(230, 150, 60), vec3(235, 235, 220), vec3(210, 50, 50), vec3(90, 190, 110),
    vec3(150, 110, 230), vec3(200, 70, 160), vec3(90, 150, 210), vec3(140, 90, 45), vec3(255, 220, 60), vec3(120, 225, 225));

vec3 exposure_color(vec3 radiance) {
    float stops = log2(max(dot(radiance, LUMA), 1e-6) / scene.white);
    const vec3 colors[6] = vec3[6](vec3(10, 10, 40), vec3(40, 60, 190), vec3(40, 170, 140), vec3(235, 235, 235), vec3(240, 150, 40), vec3(220, 20, 20));
    float at = clamp((stops + 9.0) / 3.0, 0.0, 4.9999);
    uint low = uint(at);
    return mix(colors[low], colors[low + 1], at - float(low)) / 255.0;
}

vec3 surface_color(uint visibility, vec2 at, uint view) {
    Surface s = surface_at(visibility, at);
    uint kind = kind_at(s.material);
    vec3 extra = vec3(0.0);
    Matter matter = matter_of(kind, s, Light(1.0, s.sky), extra);
    switch (view) {
        case VIEW_KIND: {
            float form = 0.75 + 0.25 * clamp(dot(matter.normal, s.view), 0.0, 1.0);
            return KIND_COLORS[min(kind, 10u)] / 255.0 * form;
        }
        case VIEW_NORMAL: return 0.5 + 0.5 * matter.normal;
        case VIEW_ALBEDO: return encoded_from_linear(clamp(max(matter.albedo, matter.f0), 0.0, 1.0));
        case VIEW_UV: {
            vec2 uv = plain_lookup(s).uv, cell = floor(uv * 8.0);
            return vec3(fract(uv), mod(cell.x + cell.y, 2.0) * 0.35);
        }
        case VIEW_BARYCENTRIC: return s.corner;
        default: return vec3(matter.roughness);
    }
}

vec3 light_color(uint visibility, vec2 at, uint view) {
    Surface s = surface_at(visibility, at);
    Light light = Light(sun_seen(s.position, s.normal), s.sky);
    vec3 extra = vec3(0.0);
    Matter matter = matter_of(kind_at(s.material), s, light, extra);
    if (view == VIEW_SHADOW) return vec3(light.open);
    Mirror mirror;
    vec3 all = lit_apart(s, matter, light, mirror) + extra;
    if (view == VIEW_DIRECT) return encoded_from_linear(clamp(sun_part / scene.white, 0.0, 1.0));
    return encoded_from_linear(clamp((all - sun_part) * 2.0 / scene.white, 0.0, 1.0));
}

#endif
