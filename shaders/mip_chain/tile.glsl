//! Tile: one workgroup makes several levels from one, in shared memory, for a square of texels and a halo that its neighbours make too.
//! Correct at every size; no workgroup waits for another.
//!
//! The includer defines VALUE and PACKED (texel.glsl) and
//!   THREADS                                     invocations of the workgroup
//!   int lane()                                  0 .. THREADS - 1
//!   ivec2 size_of(int level)                    texels of a level
//!   VALUE image_texel(ivec2 at)                 a texel of the source image
//!   VALUE image_filtered(vec2 at)               the source image at texel coordinates, by the hardware's filter
//!   void keep(int level, ivec2 at, VALUE value) a finished texel
#ifndef MIP_CHAIN_TILE
#define MIP_CHAIN_TILE
#include "mip_chain/taps.glsl"

layout(constant_id = 2) const int KEPT = 1681; // texels of the first level made, halo included; at least THREADS
layout(constant_id = 4) const uint HARDWARE_FILTER = 0; // the sampler's bilinear weights may be used: they are exact

struct Tile {
    int level;  // that is read
    int depth;  // levels that are made
    int side;   // texels along one side of what it makes of the last of them
    ivec2 at;   // tile coordinates
};

/// One level at a time: with two few workgroups fit on a GPU.
shared PACKED kept[KEPT];
shared int need_from[2][8], need_to[2][8]; // by axis, and by levels below the source

ivec2 from_of(int m) { return ivec2(need_from[0][m], need_from[1][m]); }
ivec2 to_of(int m) { return ivec2(need_to[0][m], need_to[1][m]); }

#include "mip_chain/own.glsl"

void plan_axis(Tile tile, int axis) {
    int made = size_of(tile.level + tile.depth)[axis];
    int first = tile.at[axis] * tile.side;
    ivec2 span = ivec2(first, min(first + tile.side, made));
    for (int m = tile.depth; m >= 0; --m) {
        need_from[axis][m] = span.x;
        need_to[axis][m] = span.y;
        if (m > 0) span = texels_below(span, size_of(tile.level + m - 1)[axis]);
    }
}

// Those of two rows need too many registers.
VALUE source_row(Taps t, int y, ivec2 size) {
    ivec2 last = size - 1;
    int row = clamp(y, 0, last.y);
    // The fifth tap (the third of a box) counts where the size is odd.
    ivec4 x = clamp(t.first + ivec4(0, 1, 2, 3), ivec4(0), last.xxxx);
    int x4 = clamp(t.first + 4, 0, last.x);
    VALUE a0 = image_texel(ivec2(x.x, row)), a1 = image_texel(ivec2(x.y, row)), a2 = image_texel(ivec2(x.z, row));
    if (FILTER == 0u) return t.w0 * a0 + t.w1 * a1 + t.w2 * a2;
    VALUE a3 = image_texel(ivec2(x.w, row)), a4 = image_texel(ivec2(x4, row));
    VALUE sum = t.w0 * a0 + t.w1 * a1 + t.w2 * a2;
    sum += t.w3 * a3 + t.w4 * a4;
    return sum;
}

void put_first(Tile tile, ivec2 at, ivec2 from, int pitch, ivec2 own_from, ivec2 own_to, VALUE value) {
    ivec2 place = at - from;
    kept[place.y * pitch + place.x] = packed_of(value);
    if (all(greaterThanEqual(at, own_from)) && all(lessThan(at, own_to))) keep(tile.level + 1, at, value);
}

// A row of the source is weighed once and used by every texel of the column that needs it.
void first_level(Tile tile) {
    ivec2 size = size_of(tile.level), from = from_of(1), extent = to_of(1) - from, own_from, own_to;
    own(tile, 1, own_from, own_to);
    if (HARDWARE_FILTER != 0u && ((size.x | size.y) & 1) == 0) {
        for (int i = lane(); i < extent.x * extent.y; i += THREADS) {
            ivec2 at = from + ivec2(i % extent.x, i / extent.x);
            put_first(tile, at, from, extent.x, own_from, own_to, filtered_texel(at));
        }
        return;
    }
    int strips = max(THREADS / extent.x, 1), rows = (extent.y + strips - 1) / strips;
    for (int job = lane(); job < strips * extent.x; job += THREADS) {
        int strip = job / extent.x, x = from.x + job % extent.x;
        int begin = strip * rows, end = min(begin + rows, extent.y);
        Taps tx = taps(x, size.x);
        VALUE r0 = VALUE(0.0), r1 = r0, r2 = r0, r3 = r0, r4 = r0; // the last five rows
        for (int j = begin - 1 - REACH; j < end && begin < end; ++j) {
            int i = from.y + j, y = 2 * i + 1 + REACH;
            r0 = r2;
            r1 = r3;
            r2 = r4;
            r3 = source_row(tx, y, size);
            r4 = source_row(tx, y + 1, size);
            if (j >= begin) {
                Taps ty = taps(i, size.y);
                VALUE value = FILTER == 0u ? ty.w0 * r2 + ty.w1 * r3 + ty.w2 * r4
                                           : ty.w0 * r0 + ty.w1 * r1 + ty.w2 * r2 + ty.w3 * r3 + ty.w4 * r4;
                put_first(tile, ivec2(x, i), from, extent.x, own_from, own_to, value);
            }
        }
    }
}

// Software drivers also load for inactive invocations, at any index.
VALUE made_texel(int at) { return unpacked(kept[min(uint(at), uint(KEPT) - 1u)]); }

VALUE made_row(Taps t, int row, ivec4 x, int x4) {
    VALUE sum = t.w0 * made_texel(row + x.x) + t.w1 * made_texel(row + x.y) + t.w2 * made_texel(row + x.z);
    if (FILTER == 1u) sum += t.w3 * made_texel(row + x.w) + t.w4 * made_texel(row + x4);
    return sum;
}

/// As in cascade.rs.
const int EACH = 2;

void next_level(Tile tile, int m) {
    ivec2 above = size_of(tile.level + m - 1), above_from = from_of(m - 1), above_to = to_of(m - 1);
    ivec2 from = from_of(m), extent = to_of(m) - from, own_from, own_to;
    int pitch = above_to.x - above_from.x, count = extent.x * extent.y;
    own(tile, m, own_from, own_to);
    PACKED made[EACH];
    [[unroll]] for (int k = 0; k < EACH; ++k) {
        int i = lane() + k * THREADS;
        made[k] = packed_of(VALUE(0.0));
        if (i >= count) continue;
        ivec2 at = from + ivec2(i % extent.x, i / extent.x);
        Taps tx = taps(at.x, above.x), ty = taps(at.y, above.y);
        ivec2 last = above_to - above_from - 1, first = ivec2(tx.first, ty.first) - above_from;
        ivec4 x = clamp(first.x + ivec4(0, 1, 2, 3), ivec4(0), last.xxxx);
        ivec4 y = clamp(first.y + ivec4(0, 1, 2, 3), ivec4(0), last.yyyy) * pitch;
        int x4 = clamp(first.x + 4, 0, last.x), y4 = clamp(first.y + 4, 0, last.y) * pitch;
        VALUE sum = ty.w0 * made_row(tx, y.x, x, x4) + ty.w1 * made_row(tx, y.y, x, x4) + ty.w2 * made_row(tx, y.z, x, x4);
        if (FILTER == 1u) sum += ty.w3 * made_row(tx, y.w, x, x4) + ty.w4 * made_row(tx, y4, x, x4);
        made[k] = packed_of(sum);
        if (all(greaterThanEqual(at, own_from)) && all(lessThan(at, own_to))) keep(tile.level + m, at, sum);
    }
    barrier(); // the level above has been read
    [[unroll]] for (int k = 0; k < EACH; ++k) {
        int i = lane() + k * THREADS;
        if (i < count) kept[i] = made[k];
    }
}

void make_tile(Tile tile) {
    barrier(); // the tile before this one is done with shared memory
    if (lane() < 2) plan_axis(tile, lane());
    barrier();
    first_level(tile);
    for (int m = 2; m <= tile.depth; ++m) {
        barrier();
        next_level(tile, m);
    }
}

#endif
