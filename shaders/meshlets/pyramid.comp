#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: image PIXELS=0
// variant: pixels PIXELS=1

//! Up to six levels of the depth pyramid at once: a texel is the least of the up to 2x2 below it; sizes round up. A
//! workgroup makes all levels above 64x64 texels. Sides up to 2^15.
layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint FROM_DEPTH = 0;
layout(constant_id = 1) const uint AT_ONCE = 6; // levels that are made at most
#if PIXELS
layout(binding = 0, scalar) readonly buffer Pixels { uvec2 pixels[]; };
#else
layout(binding = 0) uniform sampler2D depth;
#endif
layout(binding = 1, scalar) buffer Pyramid { float pyramid[]; };
layout(push_constant, scalar) uniform PyramidPush {
    uvec2 size;
    uint first;
    uint next;
    uint levels;
} push;

const float NONE = 2.0;
shared float side[16][16];

#if PIXELS
float pixel_at(uvec2 at) { return uintBitsToFloat(pixels[min(at.y, push.size.y - 1) * push.size.x + min(at.x, push.size.x - 1)].y); }
#endif

float level_at(uvec2 at) {
    return all(lessThan(at, push.size)) ? pyramid[push.first + at.y * push.size.x + at.x] : NONE;
}

float least_of(uvec2 at) {
    if (any(greaterThanEqual(at, push.size))) return NONE;
    if (FROM_DEPTH == 1) {
#if PIXELS
        vec4 four = vec4(pixel_at(at), pixel_at(at + uvec2(1, 0)), pixel_at(at + uvec2(0, 1)), pixel_at(at + 1));
#else
        vec4 four = textureGather(depth, (vec2(at) + 1.0) / vec2(push.size));
#endif
        return min(min(four.x, four.y), min(four.z, four.w));
    }
    return min(min(level_at(at), level_at(at + uvec2(1, 0))), min(level_at(at + uvec2(0, 1)), level_at(at + 1)));
}

void main() {
    uvec2 lane = gl_LocalInvocationID.xy, size = push.size;
    uint first = push.next;
    float least = NONE;
    uvec2 half_size = (size + 1) >> 1;
    for (uint i = 0; i < 4; i++) {
        uvec2 at = (gl_WorkGroupID.xy * 16 + lane) * 2 + uvec2(i & 1, i >> 1);
        float here = least_of(at * 2);
        if (all(lessThan(at, half_size))) pyramid[first + at.y * half_size.x + at.x] = here;
        least = min(least, here);
    }
    for (uint level = 1; level < AT_ONCE; level++) {
        first += half_size.x * half_size.y;
        half_size = (half_size + 1) >> 1;
        uint texels = 16 >> (level - 1);
        bool here = all(lessThan(lane, uvec2(texels)));
        if (level > 1) {
            if (here) {
                uvec2 at = lane * 2;
                least = min(min(side[at.y][at.x], side[at.y][at.x + 1]), min(side[at.y + 1][at.x], side[at.y + 1][at.x + 1]));
            }
            barrier();
        }
        uvec2 at = gl_WorkGroupID.xy * texels + lane;
        if (here && level < push.levels && all(lessThan(at, half_size))) pyramid[first + at.y * half_size.x + at.x] = least;
        if (here) side[lane.y][lane.x] = least;
        barrier();
    }
}
