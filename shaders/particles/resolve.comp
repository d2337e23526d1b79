#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/join.glsl"

//! Layer from the sums of the splats, which are 0 afterwards; JOINS: and the world's light with it. Pictures up to 65535 pixels a side.
// variant: layer JOINS=0
// variant: joined JOINS=1
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0, scalar) buffer Sums { uvec4 sums[]; };
layout(binding = 1, rgba16f) uniform writeonly image2D layer;
#if JOINS
layout(binding = 2, rgba16f) uniform writeonly image2D joined;
layout(binding = 3) uniform sampler2D world; // nearest
#endif

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(layer);
    if (any(greaterThanEqual(at, size))) return;
    int pixel = at.y * size.x + at.x;
    uvec4 words = sums[pixel];
    // For the next frame. Most are 0 already: a pass that clears all would write 16 bytes a pixel.
    if (any(notEqual(words, uvec4(0)))) sums[pixel] = uvec4(0);
    vec4 sum = min(vec4(words) / 16384.0, 60000.0);
    imageStore(layer, at, sum);
#if JOINS
    // As the layer stores it.
    vec4 above = vec4(unpackHalf2x16(packHalf2x16(sum.xy)), unpackHalf2x16(packHalf2x16(sum.zw)));
    imageStore(joined, at, joined_of(texelFetch(world, at, 0), above));
#endif
}
