#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! First one or two levels of a picture, and level 0 with them; any size. The axes are filtered one after the other: an
//! invocation weighs 8 to 11 rows of a column of the source to four of level 1, then rows are weighed from shared
//! memory. The first and the last of five taps are the tent's alone. Lanes read and write neighbours: a row walk of 2x2
//! texels for each took an H200 half as long again.
//!
//! TOP: 0 level 0 exists, 1 it is written, 2 it is written by shuffles so that a store covers two rows of 16 texels: an
//! H200 takes twice as long to write one row of 32.
// variant: rgba16f KIND=0 TOP=0
// variant: rgba16f_top KIND=0 TOP=1
// variant: rgba16f_rows KIND=0 TOP=2
// rare variant: rgba8 KIND=1 TOP=0
// rare variant: rgba8_top KIND=1 TOP=1
// rare variant: r32f KIND=2 TOP=0
// rare variant: r32f_top KIND=2 TOP=1
// rare variant: bytes KIND=3 TOP=0
// rare variant: bytes_top KIND=3 TOP=1
#if TOP == 2
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "mip_chain/texel.glsl"
#include "mip_chain/weights.glsl"

#define THREADS 256
#define COLUMNS 64 // of the source that a workgroup reads
#define HALF 32    // texels of a row of level 1, some of them of no use
#define STRIP 4    // rows of level 1 that an invocation makes
#define ROWS 16    // and that the workgroup makes
layout(local_size_x = THREADS) in;
layout(constant_id = 2) const int DEPTH = 2; // levels
layout(constant_id = 3) const int TILE_X = 14; // texels of the last of them that a workgroup makes
layout(constant_id = 4) const int TILE_Y = 7;

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, FORMAT) uniform writeonly IMAGE levels[3]; // 0, 1, 2
layout(push_constant, scalar) uniform Push {
    ivec2 size;  // of the source
    vec2 texel;  // 1 / size
    ivec2 first; // tile
} push;

// Even columns, then odd ones: neighbours read neighbours of either.
shared PACKED sums[ROWS * COLUMNS];
shared PACKED level_1[ROWS * HALF]; // likewise

VALUE sum_at(int slot) { return unpacked(sums[slot]); }
VALUE one_at(int slot) { return unpacked(level_1[slot]); }
bool within(ivec2 at, ivec2 from, ivec2 to) { return all(greaterThanEqual(at, from)) && all(lessThan(at, to)); }

bool counts(int tap) {
    uint those = tap == 0 ? FILTER : tap == 3 ? FILTER | ODD : tap == 4 ? FILTER & ODD : 1u;
    return those != 0u;
}

VALUE weighed(Taps t, VALUE v0, VALUE v1, VALUE v2, VALUE v3, VALUE v4) {
    VALUE sum = t.w1 * v1 + t.w2 * v2;
    if (counts(0)) sum += t.w0 * v0;
    if (counts(3)) sum += t.w3 * v3;
    if (counts(4)) sum += t.w4 * v4;
    return sum;
}

int lane() {
#if TOP == 2
    return int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
#else
    return int(gl_LocalInvocationIndex);
#endif
}

void main() {
    int id = lane(), column = id & COLUMNS - 1, y = id / COLUMNS * STRIP, depth = DEPTH;
    ivec2 size = push.size, one = max(size >> 1, ivec2(1)), two = max(size >> 2, ivec2(1));
    // What the workgroup alone writes (the last of a row the rest), and the first texel that it makes.
    ivec2 tile = push.first + ivec2(gl_WorkGroupID.xy), side = ivec2(TILE_X, TILE_Y) * depth;
    ivec2 own = tile * side, from = own - REACH * (depth - 1);
    ivec2 own_to = mix(own + side, one, greaterThanEqual(own + side, depth == 2 ? 2 * two : one));

    int x = 2 * from.x - 1 + column, in_x = clamp(x, 0, size.x - 1), j = from.y + y;
    VALUE rows[2 * STRIP + 3]; // from 2j - 1 on
    [[unroll]] for (int r = 0; r < 2 * STRIP + 3; ++r) {
        if (!counts(r == 0 ? 0 : max(r - 2 * STRIP + 2, 1))) continue;
        rows[r] = value_of(texelFetch(source, ivec2(in_x, clamp(2 * j - 1 + r, 0, size.y - 1)), 0));
    }
#if TOP
    ivec2 top = 2 * own, top_to = mix(2 * own_to, size, equal(own_to, one));
    [[unroll]] for (int r = 1; r < 2 * STRIP; r += 2) {
        ivec2 at = ivec2(x, 2 * j - 1 + r);
#if TOP == 2
        bool right = (lane() & 16) != 0;
        ivec2 other = at + (right ? ivec2(-16, 1) : ivec2(16, 0));
        VALUE given = unpacked(subgroupShuffleXor(packed_of(right ? rows[r] : rows[r + 1]), 16u));
        ivec2 a = right ? other : at, b = right ? at + ivec2(0, 1) : other;
        if (within(a, top, top_to)) imageStore(levels[0], a, stored_of(right ? given : rows[r]));
        if (within(b, top, top_to)) imageStore(levels[0], b, stored_of(right ? rows[r + 1] : given));
#else
        if (within(at, top, top_to)) imageStore(levels[0], at, stored_of(rows[r]));
        ++at.y;
        if (within(at, top, top_to)) imageStore(levels[0], at, stored_of(rows[r + 1]));
#endif
    }
#endif
    [[unroll]] for (int r = 0; r < STRIP; ++r) {
        Taps t = weights(j + r, size.y);
        VALUE sum = weighed(t, rows[2 * r], rows[2 * r + 1], rows[2 * r + 2], rows[2 * r + 3], rows[2 * r + 4]);
        sums[(y + r) * COLUMNS + (column & 1) * HALF + (column >> 1)] = packed_of(sum);
    }
    barrier();

    x = id & HALF - 1;
    Taps t = weights(from.x + x, size.x);
    [[unroll]] for (int k = 0; k < ROWS * HALF / THREADS; ++k) {
        y = id / HALF + k * (THREADS / HALF);
        // The last texels of a row have too few and are unused.
        int row = y * COLUMNS, next = min(x + 1, HALF - 1);
        VALUE value = weighed(t, sum_at(row + x), sum_at(row + HALF + x), sum_at(row + next), sum_at(row + HALF + next),
                              sum_at(row + min(x + 2, HALF - 1)));
        ivec2 at = from + ivec2(x, y);
        if (within(at, own, own_to)) imageStore(levels[1], at, stored_of(value));
        level_1[y * HALF + (x & 1) * (HALF / 2) + (x >> 1)] = packed_of(value);
    }
    if (depth == 1) return;
    barrier();

    ivec2 first = max(-from, ivec2(0)), last = one - 1 - from;
    for (int i = id; i < TILE_X * TILE_Y; i += THREADS) {
        int in_row = i / TILE_X;
        ivec2 cell = ivec2(i - in_row * TILE_X, in_row), at = tile * ivec2(TILE_X, TILE_Y) + cell;
        if (any(greaterThanEqual(at, two))) continue;
        Taps across = weights(at.x, one.x), down = weights(at.y, one.y);
        ivec2 before = 2 * cell - (1 - REACH); // the first of five taps
        ivec4 xs = clamp(before.x + ivec4(0, 1, 2, 3), first.xxxx, last.xxxx);
        xs = (xs & 1) * (HALF / 2) + (xs >> 1);
        int x4 = clamp(before.x + 4, first.x, last.x);
        x4 = (x4 & 1) * (HALF / 2) + (x4 >> 1);
        VALUE sum = VALUE(0.0);
        [[unroll]] for (int r = 0; r < 5; ++r) {
            if (!counts(r)) continue;
            int row = clamp(before.y + r, first.y, last.y) * HALF;
            VALUE part = weighed(across, one_at(row + xs.x), one_at(row + xs.y), one_at(row + xs.z), one_at(row + xs.w), one_at(row + x4));
            sum += (r == 0 ? down.w0 : r == 1 ? down.w1 : r == 2 ? down.w2 : r == 3 ? down.w3 : down.w4) * part;
        }
        imageStore(levels[2], at, stored_of(sum));
    }
}
