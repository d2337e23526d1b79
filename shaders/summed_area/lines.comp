#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Scan of rows by 32 lanes a row, or of columns by an invocation for each 32 words of one, both from registers. Sides
//! below 2^16.
// variant: rows COLUMNS=0 SHUFFLE=1
// rare variant: rows_plain COLUMNS=0 SHUFFLE=0
// variant: columns COLUMNS=1 SHUFFLE=0
#include "summed_area/lanes.glsl"
#include "summed_area/from.glsl"

layout(binding = 4, scalar) writeonly buffer To { uint to[]; };

#if COLUMNS
const uint SQUARES = THREADS / 32;
shared uint square_total[SQUARES * 32];

// 32 would take more registers than four waves of a GCN SIMD have.
const uint ROWS = 16;

void main() {
    uint plane = gl_WorkGroupID.z, column = 32 * gl_WorkGroupID.x + (me() & 31), which = me() / 32, carried = 0;
    for (uint begin = 0; begin < push.size.y; begin += ROWS * SQUARES) {
        uint top = begin + ROWS * which;
        uint values[ROWS];
        [[unroll]] for (uint row = 0; row < ROWS; ++row) values[row] = read(plane, uvec2(column, top + row));
        [[unroll]] for (uint row = 1; row < ROWS; ++row) values[row] = add(values[row - 1], values[row]);
        square_total[me()] = values[ROWS - 1];
        barrier();
        uint before = carried;
        for (uint k = 0; k < SQUARES; ++k) {
            uint total = square_total[k * 32 + (me() & 31)];
            if (k < which) before = add(before, total);
            carried = add(carried, total);
        }
        if (column < push.size.x) {
            [[unroll]] for (uint row = 0; row < ROWS; ++row) {
                if (top + row < push.size.y) to[plane * push.plane + (top + row) * push.to_pitch + column] = add(before, values[row]);
            }
        }
        barrier();
    }
}
#else
#if !SHUFFLE
shared uint board[THREADS];
#endif

void main() {
    uint plane = gl_WorkGroupID.z, lane = me() & 31, row = gl_WorkGroupID.x * (THREADS / 32) + me() / 32, carried = 0;
    for (uint begin = 0; begin < push.size.x; begin += 32) {
        uint value = read(plane, uvec2(begin + lane, row)), all;
#if SHUFFLE
        [[unroll]] for (uint half_of = 1; half_of < 32; half_of *= 2) {
            bool upper = (lane & half_of) != 0;
            uint other = subgroupShuffle(value, upper ? (gl_SubgroupInvocationID & ~(half_of - 1)) - 1 : gl_SubgroupInvocationID);
            if (upper) value = add(other, value);
        }
        all = subgroupShuffle(value, gl_SubgroupInvocationID | 31);
#else
        board[me()] = value;
        barrier();
        for (uint half_of = 1; half_of < 32; half_of *= 2) {
            if ((lane & half_of) != 0) board[me()] = add(board[(me() & ~(half_of - 1)) - 1], board[me()]);
            barrier();
        }
        value = board[me()];
        all = board[me() | 31];
        barrier();
#endif
        if (row < push.size.y && begin + lane < push.size.x)
            to[plane * push.plane + row * push.to_pitch + begin + lane] = add(carried, value);
        carried = add(carried, all);
    }
}
#endif
