#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Table by tiles of 128x32, a workgroup a tile, from registers. Sides below 2^16.
//!
//! With L the table of a tile by itself, a word of the whole table is L + P + U: P sums all words left of the tile in
//! its rows down to the word's, U all that is above the tile up to the word's column. A tile publishes the sums of its
//! rows and the last row of L as soon as they are known; P and U are sums of the values that others have published.
//!
//! PHASE: 0 one dispatch: a tile looks left and up until it finds one that knows all before it; 1 publishes the sums of
//! a tile; 2 makes the table from the sums left and above (block_prefix.comp has added that up). SHUFFLE: subgroups of
//! 32 or more.
// variant: wide PHASE=0 MODEL=1 WIDE=1 SHUFFLE=1
// rare variant: wide_plain PHASE=0 MODEL=1 WIDE=1 SHUFFLE=0
// rare variant: narrow PHASE=0 MODEL=1 WIDE=0 SHUFFLE=1
// rare variant: narrow_plain PHASE=0 MODEL=1 WIDE=0 SHUFFLE=0
// rare variant: old PHASE=0 MODEL=0 WIDE=0 SHUFFLE=1
// rare variant: old_plain PHASE=0 MODEL=0 WIDE=0 SHUFFLE=0
// variant: sums PHASE=1 MODEL=0 WIDE=0 SHUFFLE=1
// rare variant: sums_plain PHASE=1 MODEL=0 WIDE=0 SHUFFLE=0
// variant: table PHASE=2 MODEL=0 WIDE=0 SHUFFLE=1
// rare variant: table_plain PHASE=2 MODEL=0 WIDE=0 SHUFFLE=0
#include "include/again.glsl"
#include "summed_area/push.glsl"
/// Whole lines of a cache.
const uint SAID = 176;
#if PHASE == 0
#if SHUFFLE
#extension GL_KHR_shader_subgroup_vote : require
#endif
#define PLACES SAID
#include "summed_area/lookback.glsl"
layout(constant_id = 12) const uint DIAGONAL = 1; // the order of tickets; 0: row by row
#endif
#define ROWS_EACH 4
#include "summed_area/rows.glsl"
#include "summed_area/source.glsl"

const uint WIDE_TILE = 128, HIGH_TILE = ALL_ROWS;

#if PHASE == 0
layout(binding = 4, scalar) writeonly buffer To { uvec4 to[]; };
shared uint ticket_of_group;
#elif PHASE == 1
layout(binding = 3, scalar) writeonly buffer Said { uint said[]; };
#else
layout(binding = 3, scalar) readonly buffer Said { uint said[]; };
layout(binding = 4, scalar) writeonly buffer To { uvec4 to[]; };
#endif

// First those of every lane's first word, then of its second: neighbours are in neighbouring banks.
shared uint strip_bottom[STRIPS * WIDE_TILE]; // the last row of each strip's own table
shared uint above[WIDE_TILE];                 // U
shared uint left_upto[ALL_ROWS];              // P of each row
#if PHASE == 0
shared uint missing;                          // a tile that has posted nothing; LEFT: the sum of all words left of it
const uint NONE = 0xFFFFFFFF, LEFT = 0x80000000;
#endif
#if !SHUFFLE
shared uint left_of[ALL_ROWS];
#endif

// Rows, columns, and the sum of all words left of the tile.
uint row_place(uint tile, uint row) { return tile * SAID + row; }
uint column_place(uint tile, uint column) { return tile * SAID + HIGH_TILE + column; }
uint left_place(uint tile) { return tile * SAID + HIGH_TILE + WIDE_TILE; }

/// As far as its strip goes.
void read_tile(uint plane, uvec2 at, out uvec4 values[ROWS]) {
    uint sums[ROWS];
    [[unroll]] for (uint row = 0; row < ROWS; ++row) values[row] = source_four(plane, at + uvec2(0, row));
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        values[row].y = add(values[row].x, values[row].y);
        values[row].z = add(values[row].y, values[row].z);
        values[row].w = add(values[row].z, values[row].w);
        sums[row] = values[row].w;
    }
    uint own[ROWS] = sums;
    scan_rows(sums);
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        values[row] = add(uvec4(less(sums[row], own[row])), values[row]);
        if (row > 0) values[row] = add(values[row - 1], values[row]);
    }
}

#if PHASE == 0
/// Every tile comes after those left of it and above it.
uvec2 tile_of(uint ticket) {
    uvec2 grid = push.grid;
    if (DIAGONAL == 0) return uvec2(ticket % grid.x, ticket / grid.x);
    uint shorter = min(grid.x, grid.y), longer = max(grid.x, grid.y);
    uint corner = shorter * (shorter - 1) / 2, middle = (longer - shorter + 1) * shorter, diagonal, nth;
    bool is_end = ticket >= corner + middle;
    uint rest = is_end ? grid.x * grid.y - 1 - ticket : ticket;
    if (!is_end && ticket >= corner) {
        diagonal = shorter - 1 + (ticket - corner) / shorter;
        nth = (ticket - corner) % shorter;
    } else {
        diagonal = uint((sqrt(8.0 * float(rest) + 1.0) - 1.0) * 0.5);
        if (diagonal * (diagonal + 1) / 2 > rest) --diagonal;
        if ((diagonal + 1) * (diagonal + 2) / 2 <= rest) ++diagonal;
        nth = rest - diagonal * (diagonal + 1) / 2;
        if (is_end) {
            nth = diagonal - nth;
            diagonal = grid.x + grid.y - 2 - diagonal;
        }
    }
    uint first = diagonal - min(diagonal, grid.y - 1);
    return uvec2(first + nth, diagonal - first - nth);
}

/// False where one has posted nothing for long.
bool look_left(uint tile, uint column, uint row, uint patience, inout uint back, inout uint sum) {
    for (uint turns = 0; back <= column;) {
        uint value, further = 0, state = read_post(row_place(tile - back, row), value);
        // More at a time cost more traffic than they save waiting.
        uint more = back < column ? read_post(row_place(tile - back - 1, row), further) : NOTHING;
        if (state == NOTHING) {
            if (++turns <= patience) continue;
            atomicMin(missing, tile - back);
            return false;
        }
        sum = add(value, sum);
        ++back;
        if (state == INCLUSIVE) back = column + 1;
        if (state == INCLUSIVE || more == NOTHING) continue;
        sum = add(further, sum);
        ++back;
        if (more == INCLUSIVE) back = column + 1;
    }
    return true;
}

/// False where one has posted nothing for long. A tile above that does not know all before it has published its own
/// part and the rest to its left.
bool look_up(uint tile, uint down, uint column, uint patience, inout uint back, inout uint sum) {
    for (uint turns = 0; back <= down;) {
        uint there = tile - back * push.grid.x, value, left = 0;
        uint state = read_post(column_place(there, column), value);
        uint known = state == AGGREGATE ? read_post(left_place(there), left) : INCLUSIVE;
        if (state == NOTHING || known == NOTHING) {
            if (++turns <= patience) continue;
            atomicMin(missing, state == NOTHING ? there : there | LEFT);
            return false;
        }
        sum = add(sum, add(value, left));
        ++back;
        if (state == INCLUSIVE) back = down + 1;
    }
    return true;
}

/// Unless a row is missing: that comes first. Called by every invocation.
void post_left_for(uint there) {
    uint column = there % (push.grid.x * push.grid.y) % push.grid.x;
    if (me() < ALL_ROWS) {
        uint back = 1, sum = 0;
        look_left(there, column, me(), 0, back, sum);
        strip_bottom[me()] = sum;
    }
    barrier();
    if (me() == 0 && missing == NONE) {
        uint sum = 0;
        for (uint row = 0; row < ALL_ROWS; ++row) sum = add(sum, strip_bottom[row]);
        post_for(left_place(there), INCLUSIVE, sum);
    }
    barrier();
}
#endif

/// The last is the sum of all words left of the tile. SHUFFLE: by the first 32 invocations.
#if SHUFFLE
uint down_the_tile(uint carry) {
    uint lane = me() & 31;
    [[unroll]] for (uint back = 1; back < 32; back *= 2) {
        uint other = subgroupShuffleUp(carry, back);
        if (lane >= back) carry = add(other, carry);
    }
    return carry;
}
#endif

#if PHASE == 0
/// Numbers: masks would be in scalar registers, which are few here.
struct Look { uint has_row; uint row_back; uint row_sum; uint has_column; uint column_back; uint column_sum; };

/// Called by every invocation.
void look_around(uint tile, uvec2 tile_at, uint patience, inout Look look) {
#if SHUFFLE
    if (look.has_row != 0 && subgroupAll(look_left(tile, tile_at.x, me(), patience, look.row_back, look.row_sum))) {
        if (tile_at.x > 0) post(row_place(tile, me()), INCLUSIVE, add(look.row_sum, row_total[me()]));
        subgroupBarrier(); // who waited longest is waited for
        uint upto = down_the_tile(look.row_sum);
        left_upto[me()] = upto;
        if (me() == 31) post(left_place(tile), INCLUSIVE, upto);
        look.has_row = 0;
    }
#else
    if (look.has_row != 0 && look_left(tile, tile_at.x, me(), patience, look.row_back, look.row_sum)) {
        if (tile_at.x > 0) post(row_place(tile, me()), INCLUSIVE, add(look.row_sum, row_total[me()]));
        left_of[me()] = look.row_sum;
    }
    barrier();
    bool has_all_rows = missing == NONE;
    if (look.has_row != 0 && has_all_rows) {
        uint sum = 0;
        for (uint row = 0; row <= me(); ++row) sum = add(sum, left_of[row]);
        left_upto[me()] = sum;
        if (me() == ALL_ROWS - 1) post(left_place(tile), INCLUSIVE, sum);
        look.has_row = 0;
    }
    barrier();
#endif
    uint column = me() - (THREADS - WIDE_TILE);
    if (look.has_column != 0 && look_up(tile, tile_at.y, column, patience, look.column_back, look.column_sum)) {
        above[column] = look.column_sum;
    }
}
#endif

/// Summed downwards; the sum of a column where an invocation has one.
uint bottoms(uvec4 last, uint strip, uint lane, bool has_column, uint column) {
    [[unroll]] for (uint k = 0; k < 4; ++k) strip_bottom[strip * WIDE_TILE + 32 * k + lane] = last[k];
    barrier();
    uint column_sum = 0;
    if (has_column) {
        for (uint k = 0; k < STRIPS; ++k) {
            uint bottom = strip_bottom[k * WIDE_TILE + column];
            strip_bottom[k * WIDE_TILE + column] = column_sum;
            column_sum = add(column_sum, bottom);
        }
    }
    return column_sum;
}

#if PHASE != 1
/// U, and the strips above its own.
uvec4 over_of(uint strip, uint lane) {
    uvec4 over;
    [[unroll]] for (uint k = 0; k < 4; ++k) over[k] = add(strip_bottom[strip * WIDE_TILE + 32 * k + lane], above[32 * k + lane]);
    return over;
}

void write_row(uint plane, uvec2 place, uint row, uvec4 own, uvec4 over) {
    uvec4 whole = add(own, add(over, uvec4(left_upto[row])));
    if (all(lessThan(place, push.size))) to[plane * push.plane + place.y * push.to_pitch + place.x >> 2] = whole;
}
#endif

#if PHASE == 0
uvec4 four_slowly(uint plane, uvec2 at) {
    uvec4 four = uvec4(0);
    [[dont_unroll]] for (uint k = 0; k < 4 + AGAIN; ++k) {
        uint word = source_at(plane, at + uvec2(k, 0));
        four = uvec4(four.yzw, k == 0 ? word : add(four.w, word));
    }
    return four;
}

/// Row by row, and twice: a rare path must not cost the quick one registers. `writes`: the words of the whole table.
uvec4 tile_slowly(uint plane, uvec2 at, bool writes, uvec4 over) {
    uint sums[ROWS];
    [[unroll]] for (uint row = 0; row < ROWS; ++row) sums[row] = 0;
    [[dont_unroll]] for (uint n = 0; n < ROWS + AGAIN; ++n) {
        uint sum = four_slowly(plane, at + uvec2(0, n)).w;
        [[unroll]] for (uint row = 0; row < ROWS; ++row) sums[row] = n == row ? sum : sums[row];
    }
    scan_rows(sums);
    uvec4 upto = uvec4(0);
    [[dont_unroll]] for (uint n = 0; n < ROWS + AGAIN; ++n) {
        uvec4 four = four_slowly(plane, at + uvec2(0, n));
        uint sum = sums[0];
        [[unroll]] for (uint row = 1; row < ROWS; ++row) sum = n == row ? sums[row] : sum;
        four = add(uvec4(less(sum, four.w)), four);
        upto = n == 0 ? four : add(upto, four);
        if (writes) write_row(plane, at + uvec2(0, n), ROWS * (me() / 32) + n, upto, over);
    }
    return upto;
}

void post_column(uint tile, uint column, uint column_sum) {
    uint all = add(add(above[column], column_sum), left_upto[ALL_ROWS - 1]);
    post(column_place(tile, column), INCLUSIVE, all);
}

/// For tiles that have posted nothing for long; then its own tile again: shared memory has held the others'.
void stand_in(uint tile) {
    uint self = me() + AGAIN, lane = self & 31, strip = self / 32, column = self - WIDE_TILE, column_sum;
    uvec2 grid = push.grid + AGAIN;
    uint tiles = grid.x * grid.y;
    bool has_column = self >= THREADS - WIDE_TILE;
    Look look = Look(uint(self < ALL_ROWS), 1, 0, uint(has_column), 1, 0);
    uvec2 at, tile_at;
    uint plane;
    for (uint what = missing; what != NONE; what = missing) {
        barrier();
        if (self == 0) {
            missing = NONE;
            atomicAdd(stood_in, 1);
        }
        barrier();
        bool is_left_wanted = (what & LEFT) != 0;
        if (is_left_wanted) post_left_for(what & ~LEFT);
        for (uint work = is_left_wanted ? tile : what;; work = tile) {
            plane = work / tiles;
            uint in_plane = work - plane * tiles;
            tile_at = uvec2(in_plane % grid.x, in_plane / grid.x);
            at = tile_at * uvec2(WIDE_TILE, HIGH_TILE) + uvec2(4 * lane, ROWS * strip);
            barrier();
            column_sum = bottoms(tile_slowly(plane, at, false, uvec4(0)), strip, lane, has_column, column);
            if (work == tile) break;
            if (has_column) post_for(column_place(work, column), in_plane == 0 ? INCLUSIVE : AGGREGATE, column_sum);
            if (self < ALL_ROWS) post_for(row_place(work, self), tile_at.x == 0 ? INCLUSIVE : AGGREGATE, row_total[self]);
        }
        look_around(tile, tile_at, 0, look);
        barrier();
    }
    if (has_column && tile_at != uvec2(0)) post_column(tile, column, column_sum);
    tile_slowly(plane, at, true, over_of(strip, lane));
}
#endif

void main() {
    uint lane = me() & 31, strip = me() / 32, tiles = push.grid.x * push.grid.y;
#if PHASE == 0
    if (me() == 0) {
        ticket_of_group = take_ticket(gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1);
        missing = NONE;
    }
    barrier();
    uint ticket = ticket_of_group, plane = ticket / tiles;
    uvec2 tile_at = tile_of(ticket - plane * tiles);
#else
    uint plane = gl_WorkGroupID.z;
    uvec2 tile_at = gl_WorkGroupID.xy;
#endif
    uint tile = plane * tiles + tile_at.y * push.grid.x + tile_at.x;
    uvec4 values[ROWS];
    // Columns and rows wait at the same time.
    uint column = me() - WIDE_TILE, column_sum;
    bool has_column = me() >= THREADS - WIDE_TILE;
    uvec2 at = tile_at * uvec2(WIDE_TILE, HIGH_TILE) + uvec2(4 * lane, ROWS * strip);
    read_tile(plane, at, values);
    column_sum = bottoms(values[ROWS - 1], strip, lane, has_column, column);
#if PHASE == 1
    if (has_column) said[column_place(tile, column)] = column_sum;
    if (me() < ALL_ROWS) said[row_place(tile, me())] = row_total[me()];
#elif PHASE == 0
    if (has_column) post(column_place(tile, column), tile_at == uvec2(0) ? INCLUSIVE : AGGREGATE, column_sum);
    if (me() < ALL_ROWS) post(row_place(tile, me()), tile_at.x == 0 ? INCLUSIVE : AGGREGATE, row_total[me()]);
    Look look = Look(uint(me() < ALL_ROWS), 1, 0, uint(has_column), 1, 0);
    look_around(tile, tile_at, TURNS, look);
    barrier();
    if (missing != NONE) {
        // No value of the quick path lives across it.
        stand_in(tile);
        return;
    }
#else
#if SHUFFLE
    if (me() < 32) left_upto[lane] = down_the_tile(said[row_place(tile, lane)]);
#else
    if (me() < ALL_ROWS) left_of[me()] = said[row_place(tile, me())];
    barrier();
    if (me() < ALL_ROWS) {
        uint sum = 0;
        for (uint row = 0; row <= me(); ++row) sum = add(sum, left_of[row]);
        left_upto[me()] = sum;
    }
#endif
    if (has_column) above[column] = said[column_place(tile, column)];
    barrier();
#endif
#if PHASE == 0
    if (has_column && tile_at != uvec2(0)) post_column(tile, column, column_sum);
#endif
#if PHASE != 1
    uvec4 over = over_of(strip, lane);
    [[unroll]] for (uint row = 0; row < ROWS; ++row) write_row(plane, at + uvec2(0, row), ROWS * strip + row, values[row], over);
#endif
}
