//! Shadow, contour, rim light, gloss, caustic, tint and dither. CPU reference: src/techniques/glass/lab/reference/light.rs.
#ifndef GLASS_LIGHT
#define GLASS_LIGHT
#include "glass/optics.glsl"
#include "include/luma.glsl"

const float CONTOUR_WIDTH = 0.9;
const float SHADOW_TAIL = 0.0047;
const float SHADOW_WIDE = 0.7;
const float CONTACT = 0.9;
const float CONTACT_SLOPE = 1.1;
const float RIM_BASE = 0.12;
const float RIM_NEAR = 0.88;
const float RIM_FAR = 0.63;
const float RIM_WHITE = 0.35;
const float RIM_LIT = 0.35;
const float RIM_SWELL = 0.8;
const float COMPANION = 0.42;
const float COMPANION_BASE = 0.2;
const float COMPANION_WIDTH = 3.2;
const float RIM_DARK = 0.02;
const float VEIL_DARK = 0.002;
const vec3 SPECTRUM = vec3(1.0, 0.0, -1.0);
const float GLOSS_SPLIT = 0.5;
const float FIRE_WHITE = 0.3;
#ifndef STANDALONE
const float GLOW_WHITE = 0.16;
const float GLOW_LIFT = 0.5;
#endif

float shade_above(float x) {
    float z = x * (1.5976 + 0.07056 * x * x);
    return max(1.0 / (1.0 + exp(min(z, 40.0))) - SHADOW_TAIL, 0.0);
}

float left_outside(float dropped_d, float d) {
    float x = dropped_d / glass.shadow_sigma;
    float wide = 1.0 - SHADOW_WIDE * glass.shadow * shade_above(x);
    float near = clamp(0.5 - CONTACT_SLOPE * x, 0.0, 1.0);
    float contact = 1.0 - CONTACT * glass.shadow * near * near * (3.0 - 2.0 * near);
    float line = clamp(min(d + 0.5, CONTOUR_WIDTH) - max(d - 0.5, 0.0), 0.0, 1.0);
    return wide * contact * (1.0 - glass.contour * line);
}

vec3 tone(vec3 c, float bright) {
    vec3 grey = vec3(dot(c, LUMA));
    c = max(mix(grey, c, glass.saturation), vec3(0.0));
    vec3 hue = (c + VEIL_DARK) / (max(max(c.r, c.g), c.b) + VEIL_DARK);
    vec3 tint = mix(glass.tint * mix(vec3(1.0), hue, glass.veil), c, glass.veil * bright);
    return mix(c, tint, glass.tint_part);
}

vec3 absorbed(float height) {
    return exp2(glass.body_log2 * height);
}

#ifndef STANDALONE
vec3 glowing(vec3 c, vec2 frag) {
    vec2 away = (frag - glass.pressed) * glass.glow_scale;
    float light = glass.glow * exp2(-min(dot(away, away), 24.0));
    return c + light * (GLOW_WHITE * glass.light_color + GLOW_LIFT * c);
}
#endif

vec3 to_the_48th(vec3 x) {
    vec3 x2 = x * x;
    vec3 x4 = x2 * x2;
    vec3 x8 = x4 * x4;
    vec3 x16 = x8 * x8;
    return x16 * x16 * x16;
}

/// `facing`: cosine to the light; wider in the two lobes.
float rim_width(float facing) {
    return glass.rim_width * (1.0 + RIM_SWELL * facing * facing);
}

/// `rim`: part of the pixel that the rim covers.
float companion_of(float d, float width, float rim) {
    return (1.0 - rim) * clamp(1.0 + (d + width) / (COMPANION_WIDTH * glass.rim_width), 0.0, 1.0);
}

vec3 light_bevel(vec3 seen, vec3 outer, Surface surface, float facing, float rim, float companion, float lean) {
    float s = surface.s;
    float fire = glass.fire;
    float bright = min(dot(outer, LUMA), 1.0);
    float mirrored = min(fresnel(s, glass.eta) * glass.mirror, 1.0);
    vec3 c = mix(seen, outer * (1.0 + 0.5 * facing), mirrored);
    float upright = inversesqrt(1.0 + s * s);
    float toward = (glass.halfway.x * facing * s + glass.halfway.y) * upright;
    float turn = (glass.halfway.x * facing - glass.halfway.y * s) * upright * upright * upright;
    vec3 gloss = glass.gloss * to_the_48th(max(toward + SPECTRUM * (GLOSS_SPLIT * fire * s * turn), vec3(0.0))) * min(s, 1.0);
    float far = max(-facing, 0.0);
    float t = surface.t;
    vec3 focus = t + SPECTRUM * (fire * t * (1.0 - t));
    vec3 gather = 4.0 * focus * (1.0 - focus);
    gather *= mix(vec3(1.0), gather * gather, fire);
    vec3 caustic = glass.caustic * far * far * gather * gather;
    c += mix(outer, glass.light_color, 0.25 + FIRE_WHITE * fire) * gloss
        + mix(outer, glass.light_color, 0.08 + FIRE_WHITE * fire) * caustic;
    c /= mix(1.0, max(max(c.r, c.g), max(c.b, 1.0)), fire);
    float lobe = facing * facing;
    float part = (facing > 0.0 ? RIM_NEAR : RIM_FAR) * lobe * abs(facing);
    float strength = glass.rim * rim * (RIM_BASE + part);
    float strongest = max(max(outer.r, outer.g), outer.b) + RIM_DARK;
    vec3 glow = max(mix((outer + RIM_DARK) / strongest, glass.light_color, RIM_WHITE + RIM_LIT * part), c);
    float dark = clamp((bright + lean - 0.6) / 0.35, 0.0, 1.0);
    dark = dark * dark * (3.0 - 2.0 * dark) * (1.0 - lobe);
    c *= max(1.0 - COMPANION * glass.rim * companion * (COMPANION_BASE + part), 0.0);
    vec3 lit = mix(c, glow, min(strength, 1.0) * (1.0 - dark));
    return lit * max(1.0 - (0.5 + lean) * glass.rim * rim * dark, 0.0);
}

float noise(vec2 pixel) {
    return fract(52.982918 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

vec3 dither(vec3 encoded, vec2 pixel) {
    return encoded + (noise(pixel) - 0.5) / 255.0;
}

#endif
