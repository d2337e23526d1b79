//! Conversion of results to display values.
#ifndef DOWNSAMPLE_DISPLAY
#define DOWNSAMPLE_DISPLAY
#include "include/srgb.glsl"

/// Whether results are linear light.
layout(constant_id = 0) const uint LINEAR = 1;

vec3 shown(vec3 value) {
    if (LINEAR != 0) value = encoded_from_linear(value);
    return clamp(value, 0.0, 1.0);
}

ivec2 over(ivec2 at, ivec2 size, ivec2 made) { return (2 * at + 1) * made / (2 * size); }

#endif
