#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: subgroup SUBGROUP=1 HALF=0
// variant: subgroup16 SUBGROUP=1 HALF=1
// variant: shared SUBGROUP=0 HALF=0
#if SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#if HALF
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#endif
#extension GL_EXT_control_flow_attributes : require
#include "include/tile.glsl"
#include "pixel_sort/keys.glsl"
#include "pixel_sort/sort_state.glsl"

// Sorts the pixels of one 64x64 tile by ID, one workgroup a tile: counts them in buckets, lays the buckets out, and
// writes the list through shared memory. Images up to 65535 pixels a side.
//
// Nothing here knows the subgroup's size or how threads map to lanes, and every subgroup operation is in uniform flow.

/// In runs, neighbouring threads put entries 8 apart: turned so that they meet in no bank.
uint turned(uint j) { return RUNS == 1 ? j ^ (j >> 5 & 7) : j; }

#include "pixel_sort/sort_claim.glsl"
#if !HALF
#include "pixel_sort/sort_alike.glsl"
#endif
#include "pixel_sort/sort_layout.glsl"

void read_ids(out uint id[EACH]) {
    uvec2 tile = gl_WorkGroupID.xy * TILE, at = tile + place_of(own_slot());
    bool whole_tile = all(lessThanEqual(tile + TILE, push.size));
    if (RUNS * MORTON == 1) {
        // Eight slots in a row are two quads side by side: two gathers, at the corners that their texels share.
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

/// y << 16 | x; the sum of two is that of their sum where they have no bit in common.
uint packed_at(uvec2 at) { return at.y << 16 | at.x; }

/// Within the tile and never 0, 13 bits: what a half word of the pool holds.
uint within_of(uint entry) { return (entry >> 10 & 0xFC0 | entry & 63) + 1; }
uint entry_of(uint within) {
    return within == 0 ? PADDING : packed_at(gl_WorkGroupID.xy * TILE) + (within - 1 >> 6 << 16 | within - 1 & 63);
}

/// Whether an entry goes straight to the list: a packed one can be longer than its pool, and seldom is.
bool spills(uint j) { return PACKED * (1 - SHORT) * (1 - NARROW) == 1 && j >= POOL; }

void put(uint j, uint entry) {
    if (spills(j)) {
        entries[tile_first + j] = entry;
        return;
    }
#if HALF
    pool[turned(j)] = uint16_t(entry == PADDING ? 0 : within_of(entry));
#else
    if (NARROW == 0) pool[turned(j)] = entry;
    else if (entry != PADDING) atomicOr(pool[j >> 1], within_of(entry) << 16 * (j & 1));
#endif
}

uint get(uint j) {
    if (j >= tile_length) return PADDING;
#if HALF
    return entry_of(uint(pool[turned(j)]));
#else
    return NARROW == 0 ? pool[turned(j)] : entry_of(pool[j >> 1] >> 16 * (j & 1) & 0xFFFF);
#endif
}

/// y << 6 | x within the tile, or all ones.
uint get_short(uint j) {
    uint entry = get(j);
    return entry == PADDING ? 0xFFFF : within_of(entry) - 1;
}

void write_list() {
    uint length = tile_length + 31 & ~31u, begin = tile_first;
    if (SHORT == 1) {
        for (uint j = gl_LocalInvocationIndex; j < length / 2; j += THREADS)
            entries[begin / 2 + j] = get_short(2 * j) | get_short(2 * j + 1) << 16;
        for (uint j = gl_LocalInvocationIndex; j < length / 32; j += THREADS) tiles[begin / 32 + j] = tile_index();
    } else {
        for (uint j = gl_LocalInvocationIndex; j < length; j += THREADS) 
            if (j >= tile_length || !spills(j)) entries[begin + j] = get(j);
    }
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint id[EACH], place[EACH];
    read_ids(id);
    for (uint c = me; c < CONTAINERS; c += THREADS) {
        owner[c] = 0;
        count[c] = 0;
    }
    if (me < 32) bins[me] = 0;
    if (me == 0) {
        tile_first = 0;
        tile_pixels = 0;
        tile_unresolved = 0;
    }
#if !HALF
    if (DETERMINISTIC == 1)
        for (uint j = me; j < POOL; j += THREADS) pool[j] = 0;
#endif
    // The counts of the next list are set to nothing here, so that no pass of its own is needed.
    if (TOTALS == 0 && gl_WorkGroupID.xy == uvec2(0) && me == 0)
        next = Counts(0, 0, 0, gl_NumWorkGroups.x * gl_NumWorkGroups.y, uvec3(0, 1, 1), 0);
    barrier();
    uint pixels = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        id[i] = kept_of(id[i]);
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
#if !HALF
    if (DETERMINISTIC == 1) {
        if (TOTALS == 0) {
            uint sum = 0;
            for (uint t = me; t < tile_index(); t += THREADS) sum += lengths[t];
            if (sum > 0) atomicAdd(tile_first, sum);
        }
        if (TOTALS * (1 - PACKED) == 1) {
            if (me == 0) announce(0, tile_pixels);
            return;
        }
        assign_always_alike(id, place);
    } else
#endif
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
