//! Encoding of a display value for the attachment's format.
#ifndef GLASS_DISPLAY
#define GLASS_DISPLAY
#include "include/srgb.glsl"
#ifndef STANDALONE
#include "include/eight_bits.glsl"

/// A constant: software drivers compile a shader again for each draw whose uniforms decide a branch.
layout(constant_id = 5) const uint TARGET_IS_SRGB = 0;

vec4 written(vec3 encoded) {
    return vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(clamp(encoded, 0.0, 1.0)) : steps_of(encoded) / 255.0, 1.0);
}

#endif

#endif
