//! Sky: single scattering in a homogeneous layer of air and dust, solved exactly, with a term for multiple scattering; clouds; its
//! octahedral map. CPU reference: src/techniques/shade/lab/reference/sky.rs.
#ifndef SHADE_SKY
#define SHADE_SKY
#include "shade/noise.glsl"
#include "shade/scene.glsl"

/// Of the first tile, and of the five others, of rougher mirrors.
const float SHARP = 128.0, ROUGH = 64.0;

vec3 saturation(vec3 x, vec3 exp_minus_x) {
    return mix((1.0 - exp_minus_x) / x, 1.0 - 0.5 * x, lessThan(abs(x), vec3(1e-3)));
}

/// Zenith = 1 (Rozenberg).
float air_mass(float up) { return 1.0 / (up + 0.025 * exp(-11.0 * up)); }

/// Above the horizon, without the sun.
vec3 air_radiance(vec3 d) {
    float mass = air_mass(max(d.y, 0.0));
    vec3 depth = scene.rayleigh + scene.mie;
    vec3 x = depth * (mass - scene.sun_mass), left = exp(-x);
    vec2 phase = phases(dot(d, scene.sun));
    vec3 scattered = scene.rayleigh * phase.x + scene.mie * phase.y;
    vec3 through = exp(-depth * scene.sun_mass) * left;
    return scene.sky_light * scattered * mass * saturation(x, left) + scene.fill * (1.0 - through);
}

vec3 clouded(vec3 d, vec3 behind) {
    float up = max(d.y, 0.0);
    vec3 at = vec3(d.x, 0.0, d.z) * (1.6 / (up + 0.18)) + vec3(3.1, 0.5, 7.4);
    // Stops where the remaining octaves cannot make a cloud.
    float shape = 1.25 * scene.clouds - 0.75, strength = 0.6;
    vec3 octave = at;
    for (int i = 0; i < 4; i++) {
        shape += strength * noise(octave);
        strength *= 0.5;
        if (shape + 2.0 * strength <= 0.0) break;
        octave = next_octave(octave);
    }
    // Not in the loop: lanes that return there keep their result while others go on.
    if (shape + 2.0 * strength <= 0.0) return behind;
    float inner = noise(at * 2.6 + 9.0), cover = smoothstep(0.0, 0.55, shape) * smoothstep(0.01, 0.22, up);
    float towards = phases(dot(d, scene.sun)).y;
    vec3 lit = 0.5 * scene.sky_light * (0.13 + 0.22 * towards * (1.0 - 0.7 * cover)) * (1.0 + 0.18 * inner) + 0.8 * scene.fill;
    return mix(behind, lit, cover * 0.85 * step(1e-3, scene.clouds));
}

vec3 around_radiance(vec3 d) {
    vec3 above = clouded(d, air_radiance(d));
    return mix(above, scene.ground, 1.0 - smoothstep(-0.12, 0.0, d.y));
}

vec3 hazed(vec3 radiance, vec3 towards, float distance) {
    vec2 phase = phases(dot(towards, scene.sun));
    vec3 horizon = scene.haze_rayleigh * phase.x + scene.haze_mie * phase.y + scene.haze_fill;
    return mix(horizon, radiance, exp(-scene.haze * distance));
}

vec3 hazed_ground(vec3 d) { return hazed(scene.ground, d, max(scene.eye.y, 1.0) / max(-d.y, 1e-4)); }

vec3 backdrop(vec3 d, vec3 more) {
    vec3 above = clouded(d, air_radiance(d) + more * step(0.0, d.y));
    return mix(hazed_ground(d), above, smoothstep(-0.012, 0.0, d.y));
}

/// y up, 0..1.
vec2 map_of(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 p = d.xz;
    if (d.y < 0.0) p = (1.0 - abs(p.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(p, vec2(0.0)));
    return 0.5 + 0.5 * p;
}

vec3 from_map(vec2 uv) {
    vec2 p = 2.0 * uv - 1.0;
    vec3 d = vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);
    if (d.y < 0.0) d.xz = (1.0 - abs(p.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(p, vec2(0.0)));
    return normalize(d);
}

vec2 tile_of(float level) { return level < 0.5 ? vec2(0.0) : vec2(SHARP + mod(level - 1.0, 3.0) * ROUGH, floor((level - 0.9) / 3.0) * ROUGH); }
float side_of(float level) { return level < 0.5 ? SHARP : ROUGH; }

#endif
