//! What is written for a display value depends on what the attachment does.
#ifndef GLASS_DISPLAY
#define GLASS_DISPLAY
#include "glass/push.glsl"
#include "include/srgb.glsl"

/// The value to write for a display value.
vec4 written(vec3 encoded) {
    vec3 c = clamp(encoded, 0.0, 1.0);
    return vec4(push.target_is_srgb != 0 ? linear_from_encoded(c) : c, 1.0);
}

#endif
