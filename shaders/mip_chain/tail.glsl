// Levels of a tile in shared memory, each from the one above it: what further tiers are made of (but for aligned ones), and what
// is left of a first tier with halos after its first level. Right at every size. An H200 spends as long on fetching this code as
// on running it: one loop for all levels, so that the second finds it in the instruction cache.
//
// The includer defines VALUE, PACKED (texel.glsl), taps() (taps.glsl), Tile, lane(), size_of(), keep(), between, THREADS, NEAR
// and KEPT.
#ifndef MIP_CHAIN_TAIL
#define MIP_CHAIN_TAIL

// Two levels of a tile in turns: from 0 on, and from NEAR on.
shared PACKED kept[KEPT];

// What a tile reads of the level `m` below its source, or makes of it: the halo included.
void need(Tile tile, int m, out ivec2 from, out ivec2 to) {
    ivec2 size = size_of(tile.level + m), made = size_of(tile.level + tile.depth);
    int shift = tile.depth - m, mask = (1 << shift) - 1;
    // The odd sizes on the way add up to the low bits of this one.
    from = max((tile.at * tile.side << shift) - REACH * mask, ivec2(0));
    to = min((min((tile.at + 1) * tile.side, made) << shift) + (size & mask) + REACH * mask, size);
}

#include "mip_chain/own.glsl"

bool within(ivec2 at, ivec2 from, ivec2 to) { return all(greaterThanEqual(at, from)) && all(lessThan(at, to)); }

// A level in shared memory: where its first texel is, what a row takes, which part of the level it is.
struct Held { int base; int pitch; ivec2 from; ivec2 last; };

// A row of it, weighed; software drivers load for invocations that are not there too, wherever their index points.
VALUE held_row(Held held, Taps t, int first, int row) {
    float w[5] = float[](t.w0, t.w1, t.w2, t.w3, t.w4);
    VALUE sum = VALUE(0.0);
    [[unroll]] for (int i = 0; i < TAPS; ++i) {
        int slot = row + clamp(first + i, 0, held.last.x);
        sum += w[i] * unpacked(kept[min(uint(slot), uint(KEPT) - 1u)]);
    }
    return sum;
}

// A texel of the next level.
VALUE held_texel(Held held, ivec2 above, ivec2 at) {
    Taps tx = taps(at.x, above.x), ty = taps(at.y, above.y);
    ivec2 first = ivec2(tx.first, ty.first) - held.from;
    VALUE sum = VALUE(0.0);
    if (FILTER == 0u) {
        [[unroll]] for (int j = 0; j < 3; ++j) {
            int row = held.base + clamp(first.y + j, 0, held.last.y) * held.pitch;
            sum += (j == 0 ? ty.w0 : j == 1 ? ty.w1 : ty.w2) * held_row(held, tx, first.x, row);
        }
        return sum;
    }
    // Five rows of five: less code is sooner there.
    [[dont_unroll]] for (int j = 0; j < 5; ++j) {
        int row = held.base + clamp(first.y + j, 0, held.last.y) * held.pitch;
        float weight = j == 0 ? ty.w0 : j == 1 ? ty.w1 : j == 2 ? ty.w2 : j == 3 ? ty.w3 : ty.w4;
        sum += weight * held_row(held, tx, first.x, row);
    }
    return sum;
}

// Levels from `first` below the source on; the one above is in shared memory.
void further_levels(Tile tile, int first, Held held) {
    for (int m = first; m <= tile.depth; ++m) {
        barrier();
        ivec2 from, to, own_from, own_to, above = size_of(tile.level + m - 1);
        need(tile, m, from, to);
        own(tile, m, own_from, own_to);
        Held next = Held(NEAR - held.base, to.x - from.x, from, to - from - 1);
        for (int y = from.y + (lane() >> 4); y < to.y; y += 16) {
            for (int x = from.x + (lane() & 15); x < to.x; x += 16) {
                VALUE value = held_texel(held, above, ivec2(x, y));
                kept[next.base + (y - from.y) * next.pitch + x - from.x] = packed_of(value);
                if (within(ivec2(x, y), own_from, own_to)) keep(tile, tile.level + m, ivec2(x, y), value);
            }
        }
        held = next;
    }
}

// The level `m` below a tile's source that lies from 0 on.
Held held_level(Tile tile, int m) {
    ivec2 from, to;
    need(tile, m, from, to);
    return Held(0, to.x - from.x, from, to - from - 1);
}

// All levels of a tile whose source is in the buffer. It is copied first, all of it at once: a level that reads the buffer
// texel by texel waits for each.
void levels_from_buffer(Tile tile) {
    Held held = held_level(tile, 0);
    int pitch = size_of(tile.level).x, wide = findMSB(held.last.x) + 1; // a power of two holds a row
    for (int i = lane(); i >> wide <= held.last.y; i += THREADS) {
        ivec2 place = ivec2(i & ((1 << wide) - 1), i >> wide);
        if (place.x <= held.last.x) {
            ivec2 at = held.from + place;
            kept[place.y * held.pitch + place.x] = between[tile.texels + uint(at.y * pitch + at.x)];
        }
    }
    further_levels(tile, 1, held);
}

#endif
