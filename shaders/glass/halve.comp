#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Half-size level by the tent (1 3 3 1)/8 each way, in four bilinear taps, over a part of a grid whose texels pair up.
//! Any size; the source contains all texels that are read, or its sampler mirrors.

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba16f) uniform writeonly image2D result;

layout(scalar, push_constant) uniform HalvePush {
    vec2 place;
    uvec2 extent;
    vec2 size;
    float lod;
} push;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, push.extent))) {
        return;
    }
    vec2 uv = (vec2(2u * texel) + push.place) / push.size;
    vec2 h = 0.75 / push.size;
    vec2 k = vec2(h.x, -h.y);
    vec3 sum = textureLod(source, uv + h, push.lod).rgb + textureLod(source, uv - h, push.lod).rgb
        + textureLod(source, uv + k, push.lod).rgb + textureLod(source, uv - k, push.lod).rgb;
    imageStore(result, ivec2(texel), vec4(0.25 * sum, 1.0));
}
