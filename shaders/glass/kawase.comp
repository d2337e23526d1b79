#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One step of the dual Kawase blur over a part of a level: down to half the size with 5 taps, or up again with 8. Any size; the part is
//! inside the level.

layout(local_size_x = 8, local_size_y = 8) in;

/// 0: down; 1: up.
layout(constant_id = 0) const uint UP = 0;

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba16f) uniform writeonly image2D result;

layout(scalar, push_constant) uniform KawasePush {
    uvec2 corner;
    uvec2 extent;
    vec2 size;
    vec2 reach;
} push;

vec3 read(vec2 uv) {
    return textureLod(source, uv, 0.0).rgb;
}

void main() {
    if (any(greaterThanEqual(gl_GlobalInvocationID.xy, push.extent))) {
        return;
    }
    uvec2 texel = push.corner + gl_GlobalInvocationID.xy;
    vec2 uv = (vec2(texel) + 0.5) / push.size;
    vec2 h = push.reach;
    vec2 k = vec2(h.x, -h.y);
    vec3 sum = read(uv + h) + read(uv - h) + read(uv + k) + read(uv - k);
    if (UP == 0) {
        sum = (sum + 4.0 * read(uv)) / 8.0;
    } else {
        vec2 x = vec2(2.0 * h.x, 0.0);
        vec2 y = vec2(0.0, 2.0 * h.y);
        sum = (2.0 * sum + read(uv + x) + read(uv - x) + read(uv + y) + read(uv - y)) / 12.0;
    }
    imageStore(result, ivec2(texel), vec4(sum, 1.0));
}
