//! Dithered encoding of a display value for the format of the target.
#ifndef SHADE_DISPLAY
#define SHADE_DISPLAY
#include "include/srgb.glsl"
#include "include/eight_bits.glsl"

layout(constant_id = 0) const uint DITHER = 1;
layout(constant_id = 1) const uint TARGET_IS_SRGB = 0;

vec3 dithered(vec3 encoded, vec2 pixel) {
    if (DITHER == 0) {
        return encoded;
    }
    // Interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call of Duty", 2014): half a step.
    vec2 at = floor(pixel);
    float grain = fract(52.9829189 * fract(0.06711056 * at.x + 0.00583715 * at.y)) - 0.5;
    return clamp(encoded + grain / 255.0, 0.0, 1.0);
}

vec4 shown(vec3 encoded, vec2 pixel) {
    encoded = dithered(encoded, pixel);
    return vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : steps_of(encoded) / 255.0, 1.0);
}

#endif
