#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/join.glsl"

//! Layer from the sums of the splats, which are 0 afterwards; JOINS: and the world's light with it. Pictures up to
//! 65535 pixels a side.
// variant: layer JOINS=0
// variant: joined JOINS=1
layout(local_size_x = 16, local_size_y = 8) in; // BLOCK of sums.glsl
#include "particles/sums.glsl"
layout(binding = 0, scalar) buffer Sums { uvec4 sums[]; }; // as in sums.glsl, four words each
layout(binding = 1, rgba16f) uniform writeonly image2D layer;
#if JOINS
layout(binding = 2, rgba16f) uniform writeonly image2D joined;
layout(binding = 3) uniform sampler2D world; // nearest
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(layer);
    int pixel = at.y * size.x + at.x, block = int(block_of(gl_WorkGroupID.xy * BLOCK, size.x)), word = size.x * size.y + (block >> 2);
    uint state = sums[word][block & 3];
#if JOINS
    vec4 below = texelFetch(world, min(at, size - 1), 0); // under way while the block's word is waited for
#endif
    barrier();
    bool is_summed = (state & SUMMED) != 0u;
    uint next = is_summed ? 0u : LAYER_IS_EMPTY;
    if (gl_LocalInvocationIndex == 0 && next != state) sums[word][block & 3] = next;
    if (any(greaterThanEqual(at, size))) return;
    vec4 sum = vec4(0.0);
    if (is_summed) {
        uvec4 words = sums[pixel];
        if (any(notEqual(words, uvec4(0)))) sums[pixel] = uvec4(0);
        sum = min(vec4(words) / 16384.0, 60000.0);
    }
    if (state != LAYER_IS_EMPTY) imageStore(layer, at, sum);
#if JOINS
    vec4 above = vec4(unpackHalf2x16(packHalf2x16(sum.xy)), unpackHalf2x16(packHalf2x16(sum.zw)));
    imageStore(joined, at, joined_of(below, above));
#endif
}
