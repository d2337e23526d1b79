//! Levels of a tile in shared memory, each from the one above it: all further tiers (but for aligned ones), and the rest of a first tier
//! with halos after its first level. An H200 spends as long on fetching this code as on running it: one loop for all
//! levels, so that the second finds it in the instruction cache.
//!
//! The includer defines VALUE, PACKED (texel.glsl), taps() (taps.glsl), Tile, lane(), size_of(), quotient(), keep(),
//! between, THREADS, NEAR and KEPT.
#ifndef MIP_CHAIN_TAIL
#define MIP_CHAIN_TAIL

shared PACKED kept[KEPT];

// Of the level `m` below its source, halo included.
void need(Tile tile, int m, out ivec2 from, out ivec2 to) {
    ivec2 size = size_of(tile.level + m), made = size_of(tile.level + tile.depth);
    int shift = tile.depth - m, mask = (1 << shift) - 1;
    // The odd sizes on the way add up to the low bits of this one.
    from = max((tile.at * tile.side << shift) - REACH * mask, ivec2(0));
    to = min((min((tile.at + 1) * tile.side, made) << shift) + (size & mask) + REACH * mask, size);
}

#include "mip_chain/own.glsl"

bool within(ivec2 at, ivec2 from, ivec2 to) { return all(greaterThanEqual(at, from)) && all(lessThan(at, to)); }

struct Held { int base; int pitch; ivec2 from; ivec2 last; bool buffered; };

// Software drivers also load for inactive invocations, at any index.
VALUE held(Held level, int slot) {
    return unpacked(level.buffered ? between[uint(slot)] : kept[min(uint(slot), uint(KEPT) - 1u)]);
}

VALUE held_row(Held level, Taps t, int first, int row) {
    float w[5] = float[](t.w0, t.w1, t.w2, t.w3, t.w4);
    VALUE sum = VALUE(0.0);
    [[unroll]] for (int i = 0; i < TAPS; ++i) sum += w[i] * held(level, row + clamp(first + i, 0, level.last.x));
    return sum;
}

// What a tile has not waited for is not read, not even with a weight of 0.
VALUE held_texel(Held level, ivec2 above, ivec2 at) {
    Taps tx = taps(at.x, above.x), ty = taps(at.y, above.y);
    ivec2 first = ivec2(tx.first, ty.first) - level.from;
    VALUE sum = VALUE(0.0);
    if (FILTER == 0u) {
        [[unroll]] for (int j = 0; j < 3; ++j) {
            int row = level.base + clamp(first.y + j, 0, level.last.y) * level.pitch;
            sum += (j == 0 ? ty.w0 : j == 1 ? ty.w1 : ty.w2) * held_row(level, tx, first.x, row);
        }
        return sum;
    }
    // Less code is faster.
    [[dont_unroll]] for (int j = 0; j < 5; ++j) {
        int row = level.base + clamp(first.y + j, 0, level.last.y) * level.pitch;
        float weight = j == 0 ? ty.w0 : j == 1 ? ty.w1 : j == 2 ? ty.w2 : j == 3 ? ty.w3 : ty.w4;
        sum += weight * held_row(level, tx, first.x, row);
    }
    return sum;
}

Held next_level(Tile tile, int m, Held held, int base) {
    ivec2 from, to, own_from, own_to, above = size_of(tile.level + m - 1);
    need(tile, m, from, to);
    own(tile, m, own_from, own_to);
    Held next = Held(base, to.x - from.x, from, to - from - 1, false);
    int count = next.pitch * (to.y - from.y);
    for (int i = lane(); i < count; i += THREADS) {
        int row = quotient(i, next.pitch);
        ivec2 at = from + ivec2(i - row * next.pitch, row);
        VALUE value = held_texel(held, above, at);
        kept[next.base + i] = packed_of(value);
        if (within(at, own_from, own_to)) keep(tile, tile.level + m, at, value);
    }
    return next;
}

VALUE whole_texel(Held level, ivec2 above, ivec2 at) {
    if (((above.x | above.y) & 1) != 0) return held_texel(level, above, at);
    int slot = level.base + 2 * at.y * level.pitch + 2 * at.x;
    return 0.25 * (held(level, slot) + held(level, slot + 1) + held(level, slot + level.pitch) +
                   held(level, slot + level.pitch + 1));
}

void whole_level(Tile tile, int m, inout Held level, inout ivec2 above, int base) {
    ivec2 size = max(above >> 1, ivec2(1));
    int count = size.x * size.y;
    for (int i = lane(); i < count; i += THREADS) {
        int row = quotient(i, size.x);
        ivec2 at = ivec2(i - row * size.x, row);
        VALUE value = whole_texel(level, above, at);
        kept[base + i] = packed_of(value);
        store(tile.level + m, at + tile.aside, value);
    }
    level = Held(base, size.x, ivec2(0), size - 1, false);
    above = size;
}

// For the box: without halos, and faster where sizes are even.
void whole_levels(Tile tile) {
    ivec2 above = size_of(tile.level);
    Held level = Held(int(tile.texels), above.x, ivec2(0), above - 1, true);
    whole_level(tile, 1, level, above, 0);
    for (int m = 2; m <= tile.depth; ++m) {
        barrier();
        whole_level(tile, m, level, above, NEAR - level.base);
    }
}

void further_levels(Tile tile, int first, Held held) {
    for (int m = first; m <= tile.depth; ++m) {
        barrier();
        held = next_level(tile, m, held, NEAR - held.base);
    }
}

Held held_level(Tile tile, int m) {
    ivec2 from, to;
    need(tile, m, from, to);
    return Held(0, to.x - from.x, from, to - from - 1, false);
}

void levels_from_buffer(Tile tile) {
    Held held = held_level(tile, 0);
    int pitch = size_of(tile.level).x, corner = int(tile.texels) + held.from.y * pitch + held.from.x;
    if (FILTER == 0u) {
        held = next_level(tile, 1, Held(corner, pitch, held.from, held.last, true), 0);
        further_levels(tile, 2, held);
        return;
    }
    // Five rows of five depend on each other: copied first.
    int count = held.pitch * (held.last.y + 1);
    for (int i = lane(); i < count; i += THREADS) {
        int row = quotient(i, held.pitch);
        kept[i] = between[uint(corner + row * pitch + i - row * held.pitch)];
    }
    further_levels(tile, 1, held);
}

#endif
