#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One direction of the pre-blur: up to 17 weights as 9 bilinear taps along a row or a column of one level, over a part of its grid. Any
//! size; the source contains all texels that are read, or its sampler mirrors.

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba16f) uniform writeonly image2D result;

layout(scalar, push_constant) uniform PreblurPush {
    vec2 place;
    uvec2 extent;
    vec2 step;
    vec2 size;
    float lod;
    uint pairs;
    float middle;
    float offsets[4];
    float weights[4];
} push;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, push.extent))) {
        return;
    }
    vec2 uv = (vec2(texel) + push.place) / push.size;
    vec3 sum = textureLod(source, uv, push.lod).rgb * push.middle;
    for (uint i = 0; i < push.pairs; ++i) {
        vec2 off = push.step * push.offsets[i];
        sum += (textureLod(source, uv + off, push.lod).rgb + textureLod(source, uv - off, push.lod).rgb) * push.weights[i];
    }
    imageStore(result, ivec2(texel), vec4(sum, 1.0));
}
