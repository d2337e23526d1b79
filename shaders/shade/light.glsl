//! Light on surfaces: the lobes, the sun with its shadow, the sky's map.
#ifndef SHADE_LIGHT
#define SHADE_LIGHT
#include "shade/sky.glsl"
#include "shade/lamps.glsl"
#include "shade/surface.glsl"
#include "shade/texture.glsl"

layout(binding = 14) uniform sampler2D sky_map; // linear
layout(binding = 16) uniform sampler2D shadow_map;

struct Matter {
    vec3 albedo; // of the diffuse part
    vec3 f0;     // mirrored at normal incidence; 0: the kind has a lobe of its own
    float roughness;
    vec3 normal;
    float coat; // clear coat of index 1.5
    float coat_roughness;
    vec3 coat_normal;
    vec3 emission;
    float wrap; // softness of the terminator
    float alpha; // how much of it there is
    vec3 through; // of the light from behind, what goes through
};

struct Light {
    float open; // part of the sun that is seen
    float sky;  // part of the sky that is seen
};

vec3 sun_of(Light light) { return scene.sun_light * light.open; }

/// Trowbridge and Reitz.
float ggx(float n_h, float alpha) {
    float a2 = alpha * alpha, d = n_h * n_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}

/// Smith's over 4 n_l n_v, as Hammon fits it ("PBR Diffuse Lighting for GGX+Smith Microsurfaces", 2017).
float smith(float n_l, float n_v, float alpha) { return 0.5 / max(mix(2.0 * n_l * n_v, n_l + n_v, alpha), 1e-5); }

vec3 schlick(vec3 f0, float cosine) {
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return f0 + (1.0 - f0) * (x2 * x2 * x);
}

/// Scale and offset of f0 (Karis, "Physically Based Shading on Mobile", 2014).
vec2 dfg(float roughness, float n_v) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

vec3 mirrored(vec3 d, float roughness) {
    float level = clamp(roughness, 0.0, 1.0) * 5.0, low = min(floor(level), 4.0);
    vec2 at = map_of(d), size = vec2(5.0, 2.0) * ROUGH;
    vec2 near = tile_of(low) + clamp(at * side_of(low), 0.5, side_of(low) - 0.5);
    vec2 far = tile_of(low + 1.0) + clamp(at * ROUGH, 0.5, ROUGH - 0.5);
    return mix(textureLod(sky_map, near / size, 0.0).rgb, textureLod(sky_map, far / size, 0.0).rgb, level - low);
}

vec3 sky_on(vec3 n) {
    vec3 sum = irradiance[0] + irradiance[1] * n.y + irradiance[2] * n.z + irradiance[3] * n.x + irradiance[4] * (n.x * n.y)
        + irradiance[5] * (n.y * n.z) + irradiance[6] * (3.0 * n.z * n.z - 1.0) + irradiance[7] * (n.x * n.z)
        + irradiance[8] * (n.x * n.x - n.y * n.y);
    return max(sum, 0.0);
}

/// Where `sky` of it is open (Lagarde and de Rousiers, "Moving Frostbite to PBR", 2014).
float mirror_open(float n_v, float sky, float roughness) {
    return clamp(pow(n_v + sky, exp2(-16.0 * roughness - 1.0)) - 1.0 + sky, 0.0, 1.0);
}

float sun_seen(vec3 position, vec3 normal) {
    float slope = clamp(1.0 - dot(normal, scene.sun), 0.0, 1.0);
    vec3 p = position + normal * (scene.shadow_texel * (0.6 + 1.9 * slope));
    vec3 clip = (scene.shadow_from_world * vec4(p, 1.0)).xyz;
    if (any(greaterThan(abs(clip.xy), vec2(0.999))) || clip.z < 0.0) return 1.0;
    vec2 at = (0.5 + 0.5 * clip.xy) * scene.shadow_side - 0.5, low = floor(at), f = at - low;
    float depth = clip.z + scene.shadow_bias;
    vec4 across = vec4(1.0 - f.x, 1.0, 1.0, f.x), along = vec4(1.0 - f.y, 1.0, 1.0, f.y);
    float sum = 0.0;
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++) {
            vec2 middle = (low + vec2(2 * x, 2 * y)) / scene.shadow_side;
            vec4 four = step(textureGather(shadow_map, middle, 0), vec4(depth));
            vec2 column = x == 0 ? across.xy : across.zw, row = y == 0 ? along.xy : along.zw;
            sum += row.y * (column.x * four.x + column.y * four.y) + row.x * (column.y * four.z + column.x * four.w);
        }
    return sum / 9.0;
}

struct Mirror {
    vec3 weight; // that traced light is multiplied by; 0: no mirror
    vec3 normal; // about which it is mirrored
    vec3 sky;    // what is in the light instead: the sky's mirror image
};

float sharpness(float roughness) { return 1.0 - smoothstep(0.08, 0.25, roughness); }

struct Lobes {
    vec3 diffuse;    // over pi, of what the coat lets through
    vec3 more;       // factor of the mirror
    vec2 alphas;     // widths of the mirror's lobe and of the coat's
    vec2 cosines;    // of their normals to the view
    float coat;
    vec2 sharp;      // parts of mirror and coat that can be traced
};

/// `traced`: the reflected lanterns, which traced rays find themselves.
void add_lamps(Surface s, Matter m, Lobes lobes, inout vec3 sum, inout vec3 traced) {
    for (uint i = 0; LAMPS && i < lamp_count; i++) {
        vec3 l, light = lamp_light(lamps[i], s.position, l);
        if (light == vec3(0.0)) continue;
        vec3 h = normalize(l + s.view);
        float v_h = clamp(dot(s.view, h), 0.0, 1.0), facing = dot(m.normal, l), n_l = clamp(facing, 0.0, 1.0);
        float soft = clamp((facing + m.wrap) / ((1.0 + m.wrap) * (1.0 + m.wrap)), 0.0, 1.0);
        vec3 mirror = schlick(m.f0, v_h) * lobes.more
            * (ggx(clamp(dot(m.normal, h), 0.0, 1.0), lobes.alphas.x) * smith(n_l, lobes.cosines.x, lobes.alphas.x) * n_l);
        float c_l = clamp(dot(m.coat_normal, l), 0.0, 1.0);
        float coat = lobes.coat * ggx(clamp(dot(m.coat_normal, h), 0.0, 1.0), lobes.alphas.y) * smith(c_l, lobes.cosines.y, lobes.alphas.y)
            * schlick(vec3(0.04), v_h).x * c_l;
        sum += light * (lobes.diffuse * soft + mirror + coat);
        if (lamps[i].kind == LANTERN) traced += light * (mirror * lobes.sharp.x + coat * lobes.sharp.y);
    }
}

#ifdef VIEW
vec3 sun_part;
#endif

/// `traced`: the part that can be traced. Lamps come last: waiting sums need registers.
vec3 lit_apart(Surface s, Matter m, Light light, out Mirror traced) {
    vec3 h = normalize(scene.sun + s.view);
    float v_h = clamp(dot(s.view, h), 0.0, 1.0);
    float n_v = max(dot(m.normal, s.view), 1e-3), facing = dot(m.normal, scene.sun);
    float n_l = clamp(facing, 0.0, 1.0), soft = clamp((facing + m.wrap) / ((1.0 + m.wrap) * (1.0 + m.wrap)), 0.0, 1.0);
    // Tokuyoshi and Kaplanyan, "Improved Geometric Specular Antialiasing", 2019.
    float alpha = m.roughness * m.roughness, spread = min(0.5 * s.bend, 0.18);
    alpha = clamp(sqrt(alpha * alpha + spread), 0.03, 1.0);
    float thin = clamp(sqrt(m.coat_roughness * m.coat_roughness * m.coat_roughness * m.coat_roughness + spread), 0.02, 1.0);
    float c_v = max(dot(m.coat_normal, s.view), 1e-3);
    vec2 coat_ab = dfg(m.coat_roughness, c_v);
    float fresnel = m.coat * (0.04 * coat_ab.x + coat_ab.y), left = 1.0 - fresnel;

    vec2 ab = dfg(m.roughness, n_v);
    float is_mirror = step(1e-6, max(m.f0.r, max(m.f0.g, m.f0.b)));
    vec3 whole = m.f0 * ab.x + ab.y * clamp(50.0 * max(m.f0.r, max(m.f0.g, m.f0.b)), 0.0, 1.0);
    // Fdez-Aguera, "A Multiple-Scattering Microfacet Model", 2019.
    vec3 more = 1.0 + m.f0 * (1.0 / max(ab.x + ab.y, 0.05) - 1.0);
    vec3 diffuse = m.albedo * (1.0 - whole) * left;
    more *= left;
    float sharp = sharpness(m.roughness);
    vec3 mirrored_part = whole * more;
    more *= is_mirror;

    vec3 mirror = schlick(m.f0, v_h) * more * (ggx(clamp(dot(m.normal, h), 0.0, 1.0), alpha) * smith(n_l, n_v, alpha));
    vec3 by_sun = sun_of(light) * (diffuse * (soft / PI) + mirror * n_l), sum = m.emission + by_sun;
    sum += diffuse * s.sky * sky_on(m.normal);
    vec3 sky = mirrored_part * mirror_open(n_v, s.sky, m.roughness) * mirrored(reflect(-s.view, m.normal), m.roughness);
    sum += sky;
    traced.sky = sky * sharp;
    traced.weight = mirrored_part * sharp;
    bool by_coat = false;
    float coat_sharp = 0.0;
    if (m.coat > 0.0) {
        // Where its normal is the body's, angles would be kept since the sun's light.
        vec3 view = again(s.view), n = again(m.coat_normal), h = normalize(scene.sun + view);
        float v_h = clamp(dot(view, h), 0.0, 1.0), c_v = max(dot(n, view), 1e-3), c_l = clamp(dot(n, scene.sun), 0.0, 1.0);
        float glint = ggx(clamp(dot(n, h), 0.0, 1.0), thin) * smith(c_l, c_v, thin);
        light.open = again(light.open);
        vec3 coat_by_sun = m.coat * (schlick(vec3(0.04), v_h).x * glint * c_l) * sun_of(light);
        sum += coat_by_sun;
        by_sun += coat_by_sun;
        vec3 coat_sky = fresnel * mirror_open(c_v, s.sky, m.coat_roughness) * mirrored(reflect(-view, n), m.coat_roughness);
        sum += coat_sky;
        coat_sharp = sharpness(m.coat_roughness);
        traced.sky += coat_sky * coat_sharp;
        // Coat and body are one mirror, with the stronger one's normal.
        float below = max(traced.weight.r, max(traced.weight.g, traced.weight.b));
        by_coat = fresnel * coat_sharp > below;
        traced.weight += fresnel * coat_sharp;
    }
#ifdef VIEW
    sun_part = by_sun;
#endif
    m.f0 = again(m.f0);
    add_lamps(s, m, Lobes(diffuse / PI, more, vec2(alpha, thin), vec2(n_v, c_v), m.coat, vec2(sharp, coat_sharp)), sum, traced.sky);
    traced.normal = by_coat ? m.coat_normal : m.normal;
    return sum;
}

vec3 lit(Surface s, Matter m, Light light) {
    Mirror traced;
    return lit_apart(s, m, light, traced);
}

#endif
