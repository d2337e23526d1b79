#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Scan of rows, written as columns: 32 words an invocation in registers, transposed through shared memory (BRLT). A
//! workgroup has 32 rows and goes along them by eight squares of 32 at a time. Sides below 2^16.
//!
//! METHOD: 0 scans its rows across the lanes (Ladner and Fischer), then transposes; 1 transposes, then each invocation
//! adds up a row. SHUFFLE: lanes exchange values by shuffles, else in shared memory.
// variant: scan_row METHOD=0 SHUFFLE=1
// rare variant: scan_row_plain METHOD=0 SHUFFLE=0
// variant: turn METHOD=1 SHUFFLE=0
#include "summed_area/lanes.glsl"
#include "summed_area/from.glsl"

layout(constant_id = 0) const uint PADDED = 1; // [32][33] instead of [32][32]
layout(binding = 4, scalar) writeonly buffer To { uint to[]; };

const uint SQUARES = THREADS / 32;
const uint HELD = 2;
shared uint square[HELD * 32 * (32 + PADDED)];
shared uint square_total[SQUARES * 32];

void main() {
    uint plane = gl_WorkGroupID.z, lane = me() & 31, which = me() / 32, wide = 32 + PADDED;
    uint top = 32 * gl_WorkGroupID.x, mine = which % HELD * 32 * wide, carried = 0;
    for (uint begin = 0; begin < push.size.x; begin += 32 * SQUARES) {
        uint left = begin + 32 * which;
        uint values[32];
        [[unroll]] for (uint row = 0; row < 32; ++row) values[row] = read(plane, uvec2(left + lane, top + row));
#if METHOD == 0 && SHUFFLE
        [[unroll]] for (uint half_of = 1; half_of < 32; half_of *= 2) {
            bool upper = (lane & half_of) != 0;
            uint there = upper ? (gl_SubgroupInvocationID & ~(half_of - 1)) - 1 : gl_SubgroupInvocationID;
            [[unroll]] for (uint row = 0; row < 32; ++row) {
                uint other = subgroupShuffle(values[row], there);
                if (upper) values[row] = add(other, values[row]);
            }
        }
#endif
        for (uint turn = 0; turn < SQUARES / HELD; ++turn) {
            if (which / HELD == turn) {
                [[unroll]] for (uint row = 0; row < 32; ++row) square[mine + row * wide + lane] = values[row];
            }
            barrier();
#if METHOD == 0 && !SHUFFLE
            for (uint half_of = 1; half_of < 32; half_of *= 2) {
                if (which / HELD == turn && (lane & half_of) != 0) {
                    for (uint row = 0; row < 32; ++row) {
                        uint at = mine + row * wide;
                        square[at + lane] = add(square[at + (lane & ~(half_of - 1)) - 1], square[at + lane]);
                    }
                }
                barrier();
            }
#endif
            if (which / HELD == turn) {
                [[unroll]] for (uint column = 0; column < 32; ++column) values[column] = square[mine + lane * wide + column];
            }
            barrier();
        }
#if METHOD == 1
        [[unroll]] for (uint column = 1; column < 32; ++column) values[column] = add(values[column - 1], values[column]);
#endif
        square_total[which * 32 + lane] = values[31];
        barrier();
        uint before = carried;
        for (uint k = 0; k < SQUARES; ++k) {
            uint total = square_total[k * 32 + lane];
            if (k < which) before = add(before, total);
            carried = add(carried, total);
        }
        if (top + lane < push.size.y) {
            [[unroll]] for (uint column = 0; column < 32; ++column) {
                if (left + column < push.size.x)
                    to[plane * push.plane + (left + column) * push.to_pitch + top + lane] = add(before, values[column]);
            }
        }
        barrier();
    }
}
