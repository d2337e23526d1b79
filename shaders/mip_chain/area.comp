#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Exact mean of the part of level 0 that each texel of a level covers. Any size.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D top; // level 0
layout(binding = 1, rgba16f) uniform writeonly image2D mean;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(mean);
    if (any(greaterThanEqual(at, size))) return;
    vec2 scale = vec2(textureSize(top, 0)) / vec2(size), from = vec2(at) * scale, to = vec2(at + 1) * scale;
    vec4 sum = vec4(0.0);
    for (int y = int(from.y); float(y) < to.y - 1e-4; ++y) {
        float height = min(to.y, float(y + 1)) - max(from.y, float(y));
        vec4 row = vec4(0.0);
        for (int x = int(from.x); float(x) < to.x - 1e-4; ++x) {
            row += (min(to.x, float(x + 1)) - max(from.x, float(x))) * texelFetch(top, ivec2(x, y), 0);
        }
        sum += height * row;
    }
    imageStore(mean, at, sum / (scale.x * scale.y));
}
