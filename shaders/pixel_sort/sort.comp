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

// Sorts the pixels of one 64x64 tile by ID, one workgroup a tile: counts them in containers, lays the containers out, and
// writes the list through shared memory. Images up to 65535 pixels a side.
//
// Nothing here knows the subgroup's size or how threads map to lanes, and every subgroup operation is in uniform flow.
layout(local_size_x = 512) in;
const uint THREADS = 512, EACH = SLOTS / THREADS;

// Where two of these decide together they are multiplied: reflection evaluates sums and products, but no &&.
layout(constant_id = 0) const uint CONTAINERS = 127;
layout(constant_id = 1) const uint TRIES = 3;
layout(constant_id = 2) const uint RESOLVE = 1;
layout(constant_id = 3) const uint SORT = 1;          // not where PACKED is
layout(constant_id = 4) const uint PACKED = 0;
layout(constant_id = 5) const uint DETERMINISTIC = 0;
layout(constant_id = 6) const uint SHORT = 0;
layout(constant_id = 7) const uint MORTON = 1;
layout(constant_id = 8) const uint RUNS = 1;     // a thread takes 8 slots in a row, else every 512th
layout(constant_id = 9) const uint NARROW = 0;   // two entries in a word of the pool, by atomics
layout(constant_id = 10) const uint POOL = 4096; // words of shared memory (half words with HALF) for the list of a tile
layout(constant_id = 11) const uint TOTALS = 0;  // only find out how long the tile's list is
layout(constant_id = 12) const uint LABELS = 0;  // say which container each entry came from

struct Region { uint first; uint count; };
struct Counts { uint entries; uint pixels; uint unresolved; uint tiles; uvec3 groups; uint spare; };

layout(binding = 0) uniform usampler2D ids; // nearest, clamped
layout(binding = 1, scalar) writeonly buffer Entries { uvec4 entries[]; };
layout(binding = 2, scalar) writeonly buffer Tiles { uint tiles[]; };
layout(binding = 3, scalar) writeonly buffer Regions { Region regions[]; };
layout(binding = 4, scalar) buffer Now { Counts now; };
layout(binding = 5, scalar) writeonly buffer Next { Counts next; };
layout(binding = 6, scalar) buffer Lengths { uint lengths[]; };
layout(binding = 7, scalar) writeonly buffer Labels { uint labels[]; };
layout(push_constant, scalar) uniform Push { uvec2 size; vec2 texel; uint consumer; } push;

shared uint owner[CONTAINERS]; // key, 0 while free
shared uint count[CONTAINERS];
shared uint first[CONTAINERS]; // where the container's entries begin
shared uint rest[CONTAINERS];  // packed: where they would begin if its last entries were where its first are
shared uint bins[32];
#if HALF
shared uint16_t pool[POOL]; // less shared memory, more workgroups at once
#else
shared uint pool[POOL];
#endif
shared uint tile_first, tile_length, tile_pixels, tile_unresolved;

const uint NONE = 0xFFFFFFFFu;

uint slot_of(uint i) { return RUNS == 1 ? gl_LocalInvocationIndex * EACH + i : gl_LocalInvocationIndex + THREADS * i; }
uvec2 place_of(uint slot) { return MORTON == 1 ? morton(slot) : uvec2(slot % TILE, slot / TILE); }

void read_ids(out uint id[EACH]) {
    uvec2 tile = gl_WorkGroupID.xy * TILE;
    if (RUNS * MORTON == 1) {
        // Eight slots in a row are two quads side by side: two gathers, at the corners that their texels share.
        uvec2 at = tile + morton(slot_of(0));
        vec2 corner = vec2(at + 1) * push.texel;
        uvec4 a = textureGather(ids, corner), b = textureGather(ids, corner + vec2(2.0 * push.texel.x, 0.0));
        id = uint[EACH](a.w, a.z, a.x, a.y, b.w, b.z, b.x, b.y);
        [[unroll]] for (uint i = 0; i < EACH; i++)
            if (any(greaterThanEqual(at + morton(i), push.size))) id[i] = 0;
    } else {
        [[unroll]] for (uint i = 0; i < EACH; i++) {
            uvec2 at = tile + place_of(slot_of(i));
            id[i] = any(greaterThanEqual(at, push.size)) ? 0 : texelFetch(ids, ivec2(at), 0).r;
        }
    }
}

uint step_on(uint container) { return container + 1 == CONTAINERS ? 0 : container + 1; }

/// The container of `key`: the first of its window that is free or already its own, else its home.
uint claim(uint key, uint pixels) {
    uint home = key % CONTAINERS;
    if (RESOLVE == 0) return home;
    uint at = home;
    for (uint i = 0; i < TRIES; i++) {
        uint has = owner[at]; // written once, so what is read here needs no compare-and-swap unless it is 0
        if (has == 0) has = atomicCompSwap(owner[at], 0, key);
        if (has == 0 || has == key) return at;
        at = step_on(at);
    }
    atomicAdd(tile_unresolved, pixels);
    return home;
}

#if SUBGROUP
/// The same with one claim for each distinct key of a subgroup, so that its lanes do not queue at one address. All lanes go
/// through every step together; those without a key wait.
void assign_by_subgroup(uint key[EACH], out uint place[EACH]) {
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        uvec4 todo = subgroupBallot(key[i] != 0), mine = uvec4(0);
        while (todo != uvec4(0)) {
            uint theirs = subgroupShuffle(key[i], subgroupBallotFindLSB(todo));
            uvec4 same = subgroupBallot(key[i] == theirs);
            if (key[i] == theirs) mine = same;
            todo &= ~same;
        }
        uint leader = key[i] == 0 ? gl_SubgroupInvocationID : subgroupBallotFindLSB(mine), got = NONE;
        if (key[i] != 0 && leader == gl_SubgroupInvocationID) {
            uint pixels = subgroupBallotBitCount(mine), container = claim(key[i], pixels);
            got = container << 16 | atomicAdd(count[container], pixels);
        }
        got = subgroupShuffle(got, leader);
        place[i] = key[i] == 0 ? NONE : got + subgroupBallotExclusiveBitCount(mine);
    }
}
#endif

/// Containers and ranks by atomics, one for each run of equal keys; `place` is container << 16 | rank.
void assign(uint key[EACH], out uint place[EACH]) {
    uint begins = 1; // bit i: a run begins at i
    [[unroll]] for (uint i = 1; i < EACH; i++) begins |= uint(key[i] != key[i - 1]) << i;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        if ((begins >> i & 1) == 0) {
            place[i] = place[i - 1] + uint(key[i] != 0);
        } else if (key[i] == 0) {
            place[i] = NONE;
        } else {
            uint pixels = uint(findLSB(begins >> i + 1 | 1u << EACH - 1 - i)) + 1;
            uint container = claim(key[i], pixels);
            place[i] = container << 16 | atomicAdd(count[container], pixels);
        }
    }
}

#if !HALF
/// The same on every run: of the keys that want a free container in one round the largest gets it, and a pixel's rank is
/// how many of its container come before it in the order of the slots.
void assign_always_alike(uint key[EACH], out uint place[EACH]) {
    uint container[EACH];
    uint pending = 0, wants = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        container[i] = key[i] % CONTAINERS;
        pending |= uint(key[i] != 0) << i;
    }
    uint pixels = pending;
    if (RESOLVE == 1) {
        for (uint step = 0; step < TRIES; step++) {
            wants = 0;
            for (uint i = 0; i < EACH; i++) {
                uint at = (key[i] % CONTAINERS + step) % CONTAINERS;
                wants |= uint((pending >> i & 1) == 1 && owner[at] == 0) << i;
            }
            barrier();
            for (uint i = 0; i < EACH; i++)
                if ((wants >> i & 1) == 1) atomicMax(owner[(key[i] % CONTAINERS + step) % CONTAINERS], key[i]);
            barrier();
            for (uint i = 0; i < EACH; i++) {
                uint at = (key[i] % CONTAINERS + step) % CONTAINERS;
                if ((pending >> i & 1) == 1 && owner[at] == key[i]) {
                    container[i] = at;
                    pending &= ~(1u << i);
                }
            }
        }
        if (pending != 0) atomicAdd(tile_unresolved, bitCount(pending));
    }
    // A bit for each of 512 slots, 16 words a container, in the pool, which is all zero before and after.
    uint word = gl_LocalInvocationIndex / 32, bit = gl_LocalInvocationIndex % 32;
    for (uint i = 0; i < EACH; i++) {
        bool some = (pixels >> i & 1) == 1;
        uint row = container[i] * (THREADS / 32);
        if (some) atomicOr(pool[row + word], 1u << bit);
        barrier();
        place[i] = NONE;
        if (some) {
            uint rank = count[container[i]] + bitCount(pool[row + word] & (1u << bit) - 1);
            for (uint w = 0; w < word; w++) rank += bitCount(pool[row + w]);
            place[i] = container[i] << 16 | rank;
        }
        barrier();
        for (uint c = gl_LocalInvocationIndex; c < CONTAINERS; c += THREADS)
            for (uint w = 0; w < THREADS / 32; w++) {
                count[c] += bitCount(pool[c * (THREADS / 32) + w]);
                pool[c * (THREADS / 32) + w] = 0;
            }
        barrier();
    }
}
#endif

/// Groups of 32 that a container fills by itself: also one with 25 to 31 of its own, for no remainder fits beside them.
uint whole(uint pixels) { return pixels + 7 >> 5; }
/// Eighths of 32 that its remainder takes: 0 to 3.
uint eighths(uint pixels) { return pixels < 32 * whole(pixels) ? 0 : pixels - 32 * whole(pixels) + 7 >> 3; }

/// What is summed over containers 0.. to lay them out: pixels; packed: whole groups and remainders of 3, 2 and 1 eighths.
uvec2 share(uint container) {
    uint pixels = count[container];
    if (PACKED == 0) return uvec2(pixels, 0);
    uint part = eighths(pixels);
    return uvec2(whole(pixels) | uint(part == 3) << 16, uint(part == 2) | uint(part == 1) << 16);
}

/// Length of the tile's list, given the sums over all containers.
uint length_of(uvec2 all) {
    if (PACKED == 0) return all.x;
    uint threes = all.x >> 16, ones = all.y >> 16;
    return 32 * (all.x & 0xFFFF) + 32 * threes + 16 * (all.y & 0xFFFF) + 8 * (ones - min(ones, threes));
}

/// Says where the container's entries are, given the sums before it and over all.
void lay_out(uint container, uvec2 before, uvec2 all) {
    if (PACKED == 0) {
        first[container] = before.x;
        return;
    }
    // Whole groups; then 24 + 8 by 24 + 8; then 16s; then the 8s for which no 24 was left. Nothing crosses a group.
    uint threes = 32 * (all.x & 0xFFFF), twos = threes + 32 * (all.x >> 16), ones = twos + 16 * (all.y & 0xFFFF);
    uint pixels = count[container], part = eighths(pixels), at = 0, nth = before.y >> 16;
    if (part == 3) at = threes + 32 * (before.x >> 16);
    if (part == 2) at = twos + 16 * (before.y & 0xFFFF);
    if (part == 1) at = nth < all.x >> 16 ? threes + 32 * nth + 24 : ones + 8 * (nth - (all.x >> 16));
    first[container] = 32 * (before.x & 0xFFFF);
    rest[container] = at - 32 * whole(pixels);
}

uint tile_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

/// Takes a place in the list of all tiles; one thread, long before it needs the answer.
uint reserve(uint length) { return TOTALS == 1 ? 0 : atomicAdd(now.entries, length + 31 & ~31u); }

/// Says where the tile's list is and how long; the same thread.
void announce(uint before, uint length) {
    uint rounded = length + 31 & ~31u;
    tile_length = length;
    if (TOTALS == 1) {
        lengths[tile_index()] = rounded;
        return;
    }
    // The last to add knows the sum, and no one a larger one.
    atomicMax(now.groups.x, (before + rounded + push.consumer - 1) / push.consumer);
    if (DETERMINISTIC == 0) tile_first = before;
    regions[tile_index()] = Region(tile_first, rounded);
    atomicAdd(now.pixels, tile_pixels);
    if (RESOLVE == 1 && tile_unresolved > 0) atomicAdd(now.unresolved, tile_unresolved);
}

#if SUBGROUP
/// One subgroup, whatever its size, sums a stretch a lane, scans the sums once, and walks the stretches again.
void lay_out_all() {
    if (gl_SubgroupID == 0) {
        uint each = (CONTAINERS + gl_SubgroupSize - 1) / gl_SubgroupSize;
        uint from = min(gl_SubgroupInvocationID * each, CONTAINERS), to = min(from + each, CONTAINERS);
        uvec2 mine = uvec2(0);
        for (uint c = from; c < to; c++) mine += share(c);
        uvec2 before = subgroupExclusiveAdd(mine), all = subgroupAdd(mine);
        if (PACKED == 1 && subgroupElect()) {
            uint length = length_of(all);
            announce(reserve(length), length);
        }
        for (uint c = from; c < to; c++) {
            uvec2 next = before + share(c);
            lay_out(c, before, all);
            before = next;
        }
    }
    barrier();
}

/// Sums over the 32 bins before each.
void scan_bins() {
    if (gl_SubgroupID == 0) {
        uint each = (32 + gl_SubgroupSize - 1) / gl_SubgroupSize;
        uint from = min(gl_SubgroupInvocationID * each, 32u), to = min(from + each, 32u);
        uint mine = 0;
        for (uint b = from; b < to; b++) mine += bins[b];
        uint before = subgroupExclusiveAdd(mine);
        for (uint b = from; b < to; b++) {
            uint pixels = bins[b];
            bins[b] = before;
            before += pixels;
        }
    }
    barrier();
}
#else
shared uvec2 sums[256];

/// Sums up to each thread's value and over all of the first 256; every thread comes here.
void scan(inout uvec2 value, out uvec2 all) {
    uint me = gl_LocalInvocationIndex;
    if (me < 256) sums[me] = value;
    barrier();
    for (uint back = 1; back < 256; back *= 2) {
        uvec2 other = me >= back && me < 256 ? sums[me - back] : uvec2(0);
        barrier();
        if (me < 256) sums[me] += other;
        barrier();
    }
    value = me < 256 ? sums[me] : uvec2(0);
    all = sums[255];
}

void lay_out_all() {
    uint me = gl_LocalInvocationIndex;
    uvec2 mine = me < CONTAINERS ? share(me) : uvec2(0), upto = mine, all;
    scan(upto, all);
    if (me < CONTAINERS) lay_out(me, upto - mine, all);
    if (PACKED == 1 && me == 0) {
        uint length = length_of(all);
        announce(reserve(length), length);
    }
    barrier();
}

void scan_bins() {
    uint me = gl_LocalInvocationIndex;
    uvec2 mine = uvec2(me < 32 ? bins[me] : 0, 0), upto = mine, all;
    scan(upto, all);
    if (me < 32) bins[me] = upto.x - mine.x;
    barrier();
}
#endif

/// Class of a container by its pixels, best first: those that fill their warps, then by eights from 240 down.
uint class_of(uint pixels) { return pixels == 0 ? 31 : pixels % 32 == 0 ? 0 : 31 - min(pixels >> 3, 30u); }

/// Lays the containers out by class: a counting sort whose bins count pixels, so that a container's place in its class is
/// the sum that it finds there.
void lay_out_by_class() {
    uint me = gl_LocalInvocationIndex;
    uint pixels = me < CONTAINERS ? count[me] : 0, kind = class_of(pixels), before = 0;
    if (DETERMINISTIC == 1 && me < CONTAINERS)
        for (uint c = 0; c < me; c++) before += class_of(count[c]) == kind ? count[c] : 0;
    if (pixels > 0) {
        uint found = atomicAdd(bins[kind], pixels);
        if (DETERMINISTIC == 0) before = found;
    }
    barrier();
    scan_bins();
    if (me < CONTAINERS) first[me] = bins[kind] + before;
    barrier();
}

/// Neighbouring threads put entries 8 apart when their runs are whole: turned so that they meet in no bank.
uint turned(uint j) { return j ^ (j >> 5 & 7); }

void put(uint j, uvec2 at) {
    uint value = (at.y << 6 | at.x) + 1;
#if HALF
    pool[turned(j)] = uint16_t(value);
#else
    if (NARROW == 1) atomicOr(pool[j >> 1], value << 16 * (j & 1));
    else pool[turned(j)] = value;
#endif
}

/// y << 6 | x, or all ones where there is no entry.
uint get(uint j) {
    if (PACKED == 0 && j >= tile_length) return NONE;
#if HALF
    return uint(pool[turned(j)]) - 1;
#else
    return (NARROW == 1 ? pool[j >> 1] >> 16 * (j & 1) & 0xFFFF : pool[turned(j)]) - 1;
#endif
}

void write_list() {
    uint length = tile_length + 31 & ~31u, begin = tile_first;
    uvec2 tile = gl_WorkGroupID.xy * TILE;
    uint origin = tile.y << 16 | tile.x;
    if (SHORT == 1) {
        for (uint j = gl_LocalInvocationIndex; j < length / 8; j += THREADS) {
            uvec4 eight;
            [[unroll]] for (uint k = 0; k < 4; k++)
                eight[k] = get(8 * j + 2 * k) & 0xFFFF | get(8 * j + 2 * k + 1) << 16;
            entries[begin / 8 + j] = eight;
        }
        for (uint j = gl_LocalInvocationIndex; j < length / 32; j += THREADS) tiles[begin / 32 + j] = tile_index();
    } else {
        for (uint j = gl_LocalInvocationIndex; j < length / 4; j += THREADS) {
            uvec4 four;
            [[unroll]] for (uint k = 0; k < 4; k++) {
                uint v = get(4 * j + k);
                four[k] = v == NONE ? PADDING : origin + ((v & 0xFC0) << 10 | v & 63);
            }
            entries[begin / 4 + j] = four;
        }
    }
}

void main() {
    uint me = gl_LocalInvocationIndex;
    uint key[EACH], place[EACH];
    read_ids(key);
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
    if (PACKED + NARROW + DETERMINISTIC != 0)
        for (uint j = me; j < POOL; j += THREADS)
#if HALF
            pool[j] = uint16_t(0);
#else
            pool[j] = 0;
#endif
    // The counts of the next list are set to nothing here, so that no pass of its own is needed.
    if (TOTALS == 0 && gl_WorkGroupID.xy == uvec2(0) && me == 0)
        next = Counts(0, 0, 0, gl_NumWorkGroups.x * gl_NumWorkGroups.y, uvec3(0, 1, 1), 0);
    barrier();
    uint pixels = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        key[i] = kept_of(key[i]);
        pixels += uint(key[i] != 0);
        key[i] = key_of(key[i]);
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
        assign_always_alike(key, place);
    } else
#endif
#if SUBGROUP
    if (RUNS == 0) assign_by_subgroup(key, place);
    else
#endif
    assign(key, place);
    barrier();
    if (PACKED == 0 && me == 0) announce(before, tile_pixels);
    if (SORT == 1) lay_out_by_class();
    else lay_out_all();
    if (TOTALS == 1) return;
    // Where a slot's pixel lies is found again: cheaper than keeping it.
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        if (place[i] == NONE) continue;
        uint container = place[i] >> 16, rank = place[i] & 0xFFFF;
        bool tail = PACKED == 1 && rank >= 32 * whole(count[container]);
        uint j = (tail ? rest[container] : first[container]) + rank;
        put(j, place_of(slot_of(i)));
        if (LABELS == 1) labels[tile_first + j] = container;
    }
    barrier();
    write_list();
}
