#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One level from the one above it, whose rows and columns pair up, as a draw. For formats that the sampler filters in floats.

layout(constant_id = 1) const uint FILTER = 0; // 0 box, 1 tent
layout(binding = 0) uniform sampler2D above; // linear, clamped
layout(location = 0) out vec4 texel;

void main() {
    vec2 texels = 1.0 / vec2(textureSize(above, 0)), corner = 2.0 * (gl_FragCoord.xy - 0.5);
    if (FILTER == 0) {
        texel = textureLod(above, (corner + 1.0) * texels, 0.0);
        return;
    }
    // 1 3 3 1: a bilinear tap a quarter of the way from the second of each pair to the first.
    vec2 first = (corner + 0.25) * texels, last = (corner + 1.75) * texels;
    texel = 0.25 * (textureLod(above, first, 0.0) + textureLod(above, vec2(last.x, first.y), 0.0) +
        textureLod(above, vec2(first.x, last.y), 0.0) + textureLod(above, last, 0.0));
}
