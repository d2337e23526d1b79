//! Views of the shading, in the order of src/techniques/shade/views.rs.
#ifndef SHADE_VIEWS
#define SHADE_VIEWS
#include "include/srgb.glsl"

const uint VIEW_KIND = 0, VIEW_NORMAL = 1, VIEW_ALBEDO = 2, VIEW_UV = 3, VIEW_BARYCENTRIC = 4, VIEW_DIRECT = 5, VIEW_AMBIENT = 6,
           VIEW_SHADOW = 7, VIEW_ROUGHNESS = 8, VIEW_HDR = 9;

const vec3 KIND_COLORS[11] = vec3[11](vec3(176, 176, 176), vec3(230, 150, 60), vec3(235, 235, 220), vec3(210, 50, 50), vec3(90, 190, 110),
    vec3(150, 110, 230), vec3(200, 70, 160), vec3(90, 150, 210), vec3(140, 90, 45), vec3(255, 220, 60), vec3(120, 225, 225));

/// Distance from white paper in the sun, in powers of two: blue below, white at it, red above.
vec3 exposure_color(vec3 radiance) {
    float stops = log2(max(dot(radiance, vec3(0.2126, 0.7152, 0.0722)), 1e-6) / scene.white);
    const vec3 colors[6] = vec3[6](vec3(10, 10, 40), vec3(40, 60, 190), vec3(40, 170, 140), vec3(235, 235, 235), vec3(240, 150, 40), vec3(220, 20, 20));
    float at = clamp((stops + 9.0) / 3.0, 0.0, 4.9999);
    uint low = uint(at);
    return mix(colors[low], colors[low + 1], at - float(low)) / 255.0;
}

vec3 view_color(Shaded s, uint view) {
    // A hint of shading, so that shapes are visible.
    float form = 0.75 + 0.25 * clamp(dot(s.normal, s.surface.view), 0.0, 1.0);
    switch (view) {
        case VIEW_KIND: return KIND_COLORS[min(s.kind, 10u)] / 255.0 * form;
        case VIEW_NORMAL: return 0.5 + 0.5 * s.normal;
        case VIEW_ALBEDO: return encoded_from_linear(clamp(s.albedo, 0.0, 1.0));
        case VIEW_UV: {
            vec2 uv = plain_lookup(s.surface).uv, cell = floor(uv * 8.0);
            return vec3(fract(uv), mod(cell.x + cell.y, 2.0) * 0.35);
        }
        case VIEW_BARYCENTRIC: return s.surface.corner;
        case VIEW_DIRECT: return encoded_from_linear(clamp(s.direct / scene.white, 0.0, 1.0));
        case VIEW_AMBIENT: return encoded_from_linear(clamp((s.radiance - s.direct) * 2.0 / scene.white, 0.0, 1.0));
        case VIEW_SHADOW: return vec3(s.light.open);
        default: return vec3(s.roughness);
    }
}

#endif
