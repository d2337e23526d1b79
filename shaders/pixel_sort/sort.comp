#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: subgroup SUBGROUP=1 HALF=0
// variant: subgroup16 SUBGROUP=1 HALF=1
// rare variant: shared SUBGROUP=0 HALF=0
#if SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif
#if HALF
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#endif
#include "include/tile.glsl"
#include "pixel_sort/keys.glsl"
#include "pixel_sort/sort_state.glsl"

//! Sort of the pixels of one 64x64 tile by ID, one workgroup a tile: counts them in buckets, lays the buckets out, and
//! writes the list through shared memory. Images up to 65535 pixels a side.
//!
//! Nothing here knows the subgroup's size or how threads map to lanes, and every subgroup operation is in uniform flow.

/// Neighbouring threads put entries 8 apart: swizzled, so that fewer meet in a bank.
uint turned(uint j) { return RUNS == 1 ? j ^ (j >> 5 & 7) << 2 : j; }

#include "pixel_sort/sort_claim.glsl"
#include "pixel_sort/sort_choose.glsl"
#if HALF
#include "pixel_sort/sort_ranks.glsl"
#else
#include "pixel_sort/sort_alike.glsl"
#endif
#include "pixel_sort/sort_layout.glsl"

void read_ids(out uint id[EACH]) {
    uvec2 tile = gl_WorkGroupID.xy * TILE, at = tile + place_of(own_slot());
    bool whole_tile = all(lessThanEqual(tile + TILE, push.size));
    if (RUNS * MORTON == 1) {
        // Two adjacent quads: two gathers, at the corners that their texels share.
        vec2 corner = vec2(at + 1) * push.texel;
        uvec4 a = textureGather(ids, corner), b = textureGather(ids, corner + vec2(2.0 * push.texel.x, 0.0));
        id = uint[EACH](a.w, a.z, a.x, a.y, b.w, b.z, b.x, b.y);
        if (whole_tile) return;
        [[unroll]] for (uint i = 0; i < EACH; i++)
            if (any(greaterThanEqual(at + place_of(more_slot(i)), push.size))) id[i] = 0;
    } else if (whole_tile) {
        [[unroll]] for (uint i = 0; i < EACH; i++) id[i] = texelFetch(ids, ivec2(at + place_of(more_slot(i))), 0).r;
    } else {
        [[unroll]] for (uint i = 0; i < EACH; i++) {
            uvec2 there = at + place_of(more_slot(i));
            id[i] = any(greaterThanEqual(there, push.size)) ? 0 : texelFetch(ids, ivec2(there), 0).r;
        }
    }
}

uint packed_at(uvec2 at) { return at.y << 16 | at.x; }

uint within_of(uint entry) { return SHORT == 1 ? entry >> 10 & 0xFC0 | entry & 63 : entry >> 8 & 0x3F00 | entry & 63; }

/// A packed entry can be beyond the pool.
bool spills(uint j) { return PACKED * (1 - SHORT) * (1 - NARROW) == 1 && j >= POOL; }

void put(uint j, uint entry) {
    if (spills(j)) {
        uint at = tile_first + j;
        entries[at / 4][at & 3] = entry;
        return;
    }
    uint half_word = entry == PADDING ? 0xFFFF : within_of(entry);
#if HALF
    pool[turned(j)] = uint16_t(half_word);
#else
    if (NARROW == 0) pool[turned(j)] = half_word;
    else if (entry != PADDING) atomicOr(pool[j >> 1], half_word + 1 << 16 * (j & 1)); // 0 is padding there
#endif
}

uint get(uint j) {
#if HALF
    return uint(pool[turned(j)]);
#else
    return NARROW == 0 ? pool[turned(j)] : (pool[j >> 1] >> 16 * (j & 1)) - 1 & 0xFFFF;
#endif
}

uvec4 four(uint j) {
    uvec4 all = uvec4(get(j), get(j + 1), get(j + 2), get(j + 3));
    if (j + 4 > tile_length)
        all = uvec4(j < tile_length ? all.x : 0xFFFF, j + 1 < tile_length ? all.y : 0xFFFF, j + 2 < tile_length ? all.z : 0xFFFF,
                    0xFFFF);
    return all;
}

void write_list() {
    uint length = tile_length + 31 & ~31u, begin = tile_first, me = gl_LocalInvocationIndex;
    if (SHORT == 1) {
        for (uint j = 8 * me; j < length; j += 8 * THREADS) {
            uvec4 a = four(j), b = four(j + 4);
            entries[(begin + j) / 8] = uvec4(a.xz, b.xz) | uvec4(a.yw, b.yw) << 16;
        }
        for (uint j = me; j < length / 32; j += THREADS) tiles[begin / 32 + j] = tile_index();
        return;
    }
    uint origin = packed_at(gl_WorkGroupID.xy * TILE);
    for (uint j = 4 * me; j < length && !spills(j); j += 4 * THREADS) {
        uvec4 all = four(j), list = (all * 0x101 & 0xFF00FF) + origin; // y << 8 | x to y << 16 | x
        if ((all.x | all.y | all.z | all.w) >= 0x4000)
            list = uvec4(all.x == 0xFFFF ? PADDING : list.x, all.y == 0xFFFF ? PADDING : list.y,
                         all.z == 0xFFFF ? PADDING : list.z, all.w == 0xFFFF ? PADDING : list.w);
        entries[(begin + j) / 4] = list;
    }
    if (spills(length - 1))
        for (uint j = tile_length + me; j < length; j += THREADS) put(j, PADDING);
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint id[EACH], place[EACH];
    read_ids(id);
    for (uint c = me; c < BUCKETS; c += THREADS) {
        owner[c] = 0;
        count[c] = 0;
    }
    if (me < 32) bins[me] = 0;
    if (me == 0) {
        tile_first = 0;
        tile_pixels = 0;
        tile_unresolved = 0;
    }
    if (DETERMINISTIC == 1)
        for (uint j = me; j < RANK_WORDS; j += THREADS) set_rank_word(j, 0);
    // The next list's counts are cleared here, without a pass.
    if (TOTALS == 0 && gl_WorkGroupID.xy == uvec2(0) && me == 0)
        next = Counts(0, 0, 0, gl_NumWorkGroups.x * gl_NumWorkGroups.y, uvec3(0, 1, 1), 0);
    barrier();
    uint pixels = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        id[i] = sort_key_of(id[i]);
        pixels += uint(id[i] != 0);
    }
#if SUBGROUP
    pixels = subgroupAdd(pixels);
    if (subgroupElect()) atomicAdd(tile_pixels, pixels);
#else
    atomicAdd(tile_pixels, pixels);
#endif
    barrier();
    uint before = 0;
    if (PACKED == 0 && me == 0) before = reserve(tile_pixels);
    if (TOTALS * (1 - PACKED) == 1) {
        if (me == 0) announce(0, tile_pixels);
        return;
    }
    if (DETERMINISTIC == 1) {
        if (TOTALS == 0) {
            uint sum = 0;
            for (uint t = me; t < tile_index(); t += THREADS) sum += lengths[t];
#if SUBGROUP
            sum = subgroupAdd(sum);
            if (!subgroupElect()) sum = 0;
#endif
            if (sum > 0) atomicAdd(tile_first, sum);
        }
        assign_always_alike(id, place);
    } else
#if SUBGROUP
    if (RUNS == 0) assign_by_subgroup(id, place);
    else
#endif
    assign(id, place);
    barrier();
    if (PACKED == 0 && me == 0) announce(before, tile_pixels);
#if !HALF
    if (NARROW == 1)
        for (uint j = me; j < POOL; j += THREADS) pool[j] = 0;
#endif
    if (SORT == 1) lay_out_by_class();
    else lay_out_all();
    if (TOTALS == 1) return;
    uint own = packed_at(gl_WorkGroupID.xy * TILE + place_of(own_slot()));
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        if (place[i] == NONE) continue;
        uint bucket = place[i] >> 16, rank = place[i] & 0xFFFF, from = first[bucket];
        if (PACKED == 1) from = rank >= from >> 16 ? rest[bucket] : from & 0xFFFF;
        put(from + rank, own + packed_at(place_of(more_slot(i))));
        if (LABELS == 1) labels[tile_first + from + rank] = bucket;
    }
    if (PACKED == 1)
        for (uint c = me; c < CONTAINERS; c += THREADS)
            for (uint j = owner[c] & 0xFFFF; j < owner[c] >> 16; j++) put(j, PADDING);
    barrier();
    write_list();
    if (me == 0) tally();
}
