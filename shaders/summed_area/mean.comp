#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Sum of the numbers of each channel, in two words. Sides below 2^16.
#define SHUFFLE 0
#include "summed_area/lanes.glsl"
#include "summed_area/source.glsl"

layout(binding = 3, scalar) buffer Totals { uint totals[]; };

const uint ROWS_EACH = 8;
shared uint low, high;

/// At most 2^22 numbers of 32 bits a workgroup.
void main() {
    uint channel = gl_WorkGroupID.z;
    if (me() == 0) low = high = 0;
    barrier();
    uint x = gl_WorkGroupID.x * THREADS + me();
    for (uint row = 0; row < ROWS_EACH; ++row) {
        uint y = gl_WorkGroupID.y * ROWS_EACH + row;
        if (x >= push.full.x || y >= push.full.y) continue;
        uint number = number_at(channel, uvec2(x, y));
        if (atomicAdd(low, number) + number < number) atomicAdd(high, 1);
    }
    barrier();
    if (me() != 0) return;
    uint before = atomicAdd(totals[2 * channel], low);
    atomicAdd(totals[2 * channel + 1], high + (before + low < low ? 1 : 0));
}
