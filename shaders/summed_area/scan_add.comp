#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Addition of the sum of all blocks before it to each block of an array; with flags only up to the block's first one.
//! Any length below 2^32 - 2^23.
// variant: all SEGMENTED=0
// variant: segmented SEGMENTED=1
#define SHUFFLE 0
#include "summed_area/lanes.glsl"

layout(binding = 0, scalar) readonly buffer Before { uint before[]; }; // scanned sums of the blocks
layout(binding = 1, scalar) buffer Target { uint target[]; };
layout(push_constant, scalar) uniform Push { uint count; uint block; } push;
#if SEGMENTED
layout(binding = 2, scalar) readonly buffer Firsts { uint firsts[]; };
#endif

void main() {
    uint at = group_index() * THREADS + me(), block = at / push.block;
    if (at >= push.count || block == 0) return;
#if SEGMENTED
    if (at - block * push.block >= firsts[block]) return;
#endif
    target[at] += before[block - 1];
}
