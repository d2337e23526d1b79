#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One direction of the pre-blur: up to 25 weights as 13 bilinear taps along a row or a column of one mip level, over a part of it.
//! Any size; the part must lie inside the level.

layout(local_size_x = 8, local_size_y = 8) in;

/// The level to read is chosen by `lod`: the chain in the first pass, the half-made level 0 in the second.
layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba16f) uniform writeonly image2D result;

layout(scalar, push_constant) uniform PreblurPush {
    /// First texel of the part.
    uvec2 corner;
    /// Its width and height.
    uvec2 extent;
    /// One texel along the direction, in 0..1 of the level.
    vec2 step;
    /// Width and height of the level.
    vec2 size;
    float lod;
    /// Bilinear taps a side, at most 6.
    uint pairs;
    /// Weight of the middle.
    float middle;
    /// Places of the taps, in texels from the middle.
    float offsets[6];
    float weights[6];
} push;

void main() {
    if (any(greaterThanEqual(gl_GlobalInvocationID.xy, push.extent))) {
        return;
    }
    uvec2 texel = push.corner + gl_GlobalInvocationID.xy;
    vec2 uv = (vec2(texel) + 0.5) / push.size;
    vec3 sum = textureLod(source, uv, push.lod).rgb * push.middle;
    for (uint i = 0; i < push.pairs; ++i) {
        vec2 off = push.step * push.offsets[i];
        sum += (textureLod(source, uv + off, push.lod).rgb + textureLod(source, uv - off, push.lod).rgb) * push.weights[i];
    }
    imageStore(result, ivec2(texel), vec4(sum, 1.0));
}
