#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Transposition by squares of 32 through shared memory. Sides below 2^16.
#define SHUFFLE 0
#include "summed_area/lanes.glsl"
#include "summed_area/from.glsl"

layout(constant_id = 0) const uint PADDED = 1; // 33 words a row of the square: its columns are in 32 banks
layout(binding = 4, scalar) writeonly buffer To { uint to[]; };

shared uint square[32 * (32 + PADDED)];

void main() {
    uint plane = gl_WorkGroupID.z, lane = me() & 31, strip = me() / 32, wide = 32 + PADDED;
    uvec2 corner = 32 * gl_WorkGroupID.xy;
    for (uint row = strip; row < 32; row += THREADS / 32) square[row * wide + lane] = read(plane, corner + uvec2(lane, row));
    barrier();
    for (uint column = strip; column < 32; column += THREADS / 32) {
        uvec2 there = corner.yx + uvec2(lane, column); // in the result
        if (there.x < push.size.y && there.y < push.size.x)
            to[plane * push.plane + there.y * push.to_pitch + there.x] = square[lane * wide + column];
    }
}
