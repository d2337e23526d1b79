#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Scan of an array in one dispatch, each word read once and written once. Any length below 2^32 - 2^23; buffers hold
//! whole tiles.
//!
//! A workgroup takes the next tile of 8192 words, publishes its sum, and looks back at up to 64 tiles at a time until
//! one has published the sum of itself and all before it.
// variant: wide MODEL=1 WIDE=1 SHUFFLE=1
// rare variant: wide_plain MODEL=1 WIDE=1 SHUFFLE=0
// rare variant: narrow MODEL=1 WIDE=0 SHUFFLE=1
// rare variant: narrow_plain MODEL=1 WIDE=0 SHUFFLE=0
// rare variant: old MODEL=0 WIDE=0 SHUFFLE=1
// rare variant: old_plain MODEL=0 WIDE=0 SHUFFLE=0
layout(push_constant, scalar) uniform Push { uint count; uint tiles; uint epoch; } push;
#define PLACES 1
#include "summed_area/lookback.glsl"
#define ROWS_EACH 8
#include "summed_area/rows.glsl"

const uint WINDOW = 64;

layout(binding = 0, scalar) readonly buffer Source { uvec4 source[]; };
layout(binding = 1, scalar) writeonly buffer Target { uvec4 target[]; };

shared uint tile_of_group;
shared uint strip_total[STRIPS];
shared uint nearest; // how far back the nearest tile is that knows all before it
shared uint missing; // how far back the nearest tile is that has posted nothing
shared uint found;   // sum of what was found in the window, or of a tile

uvec4 load(uint at) {
    if (4 * at >= push.count) return uvec4(0);
    uvec4 rest = push.count - min(4 * at + uvec4(0, 1, 2, 3), uvec4(push.count));
    return mix(uvec4(0), source[at], notEqual(rest, uvec4(0)));
}

/// Called by every invocation; `found` is 0.
void stand_in(uint tile) {
    uint sum = 0, first = tile * THREADS * ROWS;
    for (uint k = me(); k < THREADS * ROWS; k += THREADS) {
        uvec4 four = load(first + k);
        sum += four.x + four.y + four.z + four.w;
    }
    atomicAdd(found, sum);
    barrier();
    if (me() == 0) {
        post_for(tile, tile == 0 ? INCLUSIVE : AGGREGATE, found);
        atomicAdd(stood_in, 1);
    }
}

/// Called by every invocation.
uint look_back(uint tile) {
    uint before = 0, patience = TURNS;
    for (uint last = tile; last > 0;) {
        if (me() == 0) {
            nearest = WINDOW;
            missing = WINDOW;
            found = 0;
        }
        barrier();
        uint value = 0, state = INCLUSIVE;
        if (me() < min(last, WINDOW)) {
            state = read_post(last - 1 - me(), value);
            for (uint turns = 0; state == NOTHING && turns < patience; ++turns) state = read_post(last - 1 - me(), value);
        }
        if (me() < WINDOW && state == INCLUSIVE) atomicMin(nearest, me());
        if (me() < WINDOW && state == NOTHING) atomicMin(missing, me());
        barrier();
        if (missing < nearest) {
            stand_in(last - 1 - missing);
            patience = 0;
            barrier();
            continue;
        }
        if (me() < WINDOW && me() <= nearest) atomicAdd(found, value);
        barrier();
        before += found;
        bool ends = nearest < WINDOW;
        barrier();
        if (ends) break;
        last -= WINDOW;
    }
    return before;
}

void main() {
    if (me() == 0) tile_of_group = take_ticket(push.tiles - 1);
    barrier();
    uint tile = tile_of_group, lane = me() & 31, strip = me() / 32;
    uint at = (tile * STRIPS + strip) * ROWS * 32 + lane;
    uvec4 values[ROWS];
    uint sums[ROWS];
    [[unroll]] for (uint row = 0; row < ROWS; ++row) values[row] = load(at + 32 * row);
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        values[row].y += values[row].x;
        values[row].z += values[row].y;
        values[row].w += values[row].z;
        sums[row] = values[row].w;
    }
    scan_rows(sums);
    barrier();
    if (me() < STRIPS) {
        uint sum = 0;
        [[unroll]] for (uint row = 0; row < ROWS; ++row) sum += row_total[me() * ROWS + row];
        strip_total[me()] = sum;
    }
    barrier();
    uint all = 0, before = 0;
    [[unroll]] for (uint k = 0; k < STRIPS; ++k) {
        before += k < strip ? strip_total[k] : 0;
        all += strip_total[k];
    }
    if (me() == 0) post(tile, tile == 0 ? INCLUSIVE : AGGREGATE, all);
    uint carried = look_back(tile);
    if (me() == 0 && tile > 0) post(tile, INCLUSIVE, carried + all);
    before += carried;
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        uint left = before + sums[row] - values[row].w;
        if (4 * (at + 32 * row) < push.count) target[at + 32 * row] = values[row] + left;
        before += row_total[strip * ROWS + row];
    }
}
