//! Offsets of the buckets in a tile's list, and of that in the list of all tiles.
#ifndef PIXEL_SORT_SORT_LAYOUT
#define PIXEL_SORT_SORT_LAYOUT

/// Also with 25 to 31 pixels, which leave no room for a remainder.
uint whole(uint pixels) { return pixels + 7 >> 5; }
uint eighths(uint pixels) { return pixels < 32 * whole(pixels) ? 0 : pixels - 32 * whole(pixels) + 7 >> 3; }

/// Pixels; packed: whole groups and remainders of 3, 2 and 1 eighths.
uvec2 share(uint bucket) {
    uint pixels = count[bucket];
    if (PACKED == 0) return uvec2(pixels, 0);
    uint part = eighths(pixels);
    return uvec2(whole(pixels) | uint(part == 3) << 16, uint(part == 2) | uint(part == 1) << 16);
}

uint length_of(uvec2 all) {
    if (PACKED == 0) return all.x;
    uint threes = all.x >> 16, ones = all.y >> 16;
    return 32 * (all.x & 0xFFFF) + 32 * threes + 16 * (all.y & 0xFFFF) + 8 * (ones - min(ones, threes));
}

void lay_out(uint bucket, uvec2 before, uvec2 all) {
    if (PACKED == 0) {
        first[bucket] = before.x;
        return;
    }
    // Whole groups; then 24 + 8 by 24 + 8; then 16s; then the 8s for which no 24 was left. Nothing crosses a group.
    uint threes = 32 * (all.x & 0xFFFF), twos = threes + 32 * (all.x >> 16), ones = twos + 16 * (all.y & 0xFFFF);
    uint pixels = count[bucket], part = eighths(pixels), at = 0, nth = before.y >> 16;
    if (part == 3) at = threes + 32 * (before.x >> 16);
    if (part == 2) at = twos + 16 * (before.y & 0xFFFF);
    if (part == 1) at = nth < all.x >> 16 ? threes + 32 * nth + 24 : ones + 8 * (nth - (all.x >> 16));
    first[bucket] = 32 * (before.x & 0xFFFF) | 32 * whole(pixels) << 16;
    rest[bucket] = at - 32 * whole(pixels);
    // Up to the next eighth, and the eighth beside 24 where there is no remainder for it.
    uint end = part == 0 ? 32 * (before.x & 0xFFFF) + pixels : at + pixels - 32 * whole(pixels);
    bool alone = part == 3 && before.x >> 16 >= all.y >> 16;
    owner[bucket] = end | (end + 7 & ~7u) + (alone ? 8 : 0) << 16;
}

/// Long before the answer is needed.
uint reserve(uint length) { return TOTALS == 1 ? 0 : atomicAdd(now.entries, length + 31 & ~31u); }

void announce(uint before, uint length) {
    uint rounded = length + 31 & ~31u;
    tile_length = length;
    if (TOTALS == 1) {
        lengths[tile_index()] = rounded;
        return;
    }
    tile_upto = before + rounded;
    if (DETERMINISTIC == 0) tile_first = before;
    regions[tile_index()] = Region(tile_first, rounded);
}

void tally() {
    atomicMax(now.groups.x, (tile_upto + push.consumer - 1) / push.consumer);
    atomicAdd(now.pixels, tile_pixels);
    if (RESOLVE == 1 && tile_unresolved > 0) atomicAdd(now.unresolved, tile_unresolved);
}

#if SUBGROUP
/// One subgroup sums a stretch a lane, scans the sums once, and walks the stretches again. All scan where that is
/// little.
void lay_out_all() {
    uint each = BUCKETS / gl_SubgroupSize, from = gl_SubgroupInvocationID * each;
    if (PACKED == 0) {
        uint mine = 0;
        [[unroll]] for (uint i = 0; i < each; i++) mine += count[from + i];
        uint before = subgroupExclusiveAdd(mine);
        if (gl_SubgroupID == 0)
            [[unroll]] for (uint i = 0; i < each; i++) {
                first[from + i] = before;
                before += count[from + i];
            }
    } else if (gl_SubgroupID == 0) {
        uvec2 mine = uvec2(0);
        [[unroll]] for (uint i = 0; i < each; i++) mine += share(from + i);
        uvec2 before = subgroupExclusiveAdd(mine), all = subgroupAdd(mine);
        if (subgroupElect()) {
            uint length = length_of(all);
            announce(reserve(length), length);
        }
        [[unroll]] for (uint i = 0; i < each; i++) {
            uvec2 next = before + share(from + i);
            lay_out(from + i, before, all);
            before = next;
        }
    }
    barrier();
}

/// Called by all invocations.
uint before_class(uint kind) {
    uint each = (32 + gl_SubgroupSize - 1) / gl_SubgroupSize, from = gl_SubgroupInvocationID * each, mine = 0;
    [[unroll]] for (uint i = 0; i < each; i++) mine += from + i < 32 ? bins[from + i] : 0;
    uint sum = subgroupShuffle(subgroupExclusiveAdd(mine), kind / each);
    [[unroll]] for (uint i = 0; i + 1 < each; i++)
        if (i < kind % each) sum += bins[kind / each * each + i];
    return sum;
}
#else
shared uvec2 sums[CONTAINERS];

/// Called by all invocations.
void scan(inout uvec2 value, out uvec2 all) {
    uint me = gl_LocalInvocationIndex;
    if (me < CONTAINERS) sums[me] = value;
    barrier();
    for (uint back = 1; back < CONTAINERS; back *= 2) {
        uvec2 other = me >= back && me < CONTAINERS ? sums[me - back] : uvec2(0);
        barrier();
        if (me < CONTAINERS) sums[me] += other;
        barrier();
    }
    value = me < CONTAINERS ? sums[me] : uvec2(0);
    all = sums[CONTAINERS - 1];
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

uint before_class(uint kind) {
    uint me = gl_LocalInvocationIndex;
    uvec2 mine = uvec2(me < 32 ? bins[me] : 0, 0), upto = mine, all;
    scan(upto, all);
    if (me < 32) bins[me] = upto.x - mine.x;
    barrier();
    return bins[kind];
}
#endif

/// Those that fill their warps, then by eights from 240 down.
uint class_of(uint pixels) { return pixels == 0 ? 31 : pixels % 32 == 0 ? 0 : 31 - min(pixels >> 3, 30u); }

/// Bins count pixels: the sum found there is a bucket's place in its class.
void lay_out_by_class() {
    uint me = gl_LocalInvocationIndex;
    if (DETERMINISTIC == 1) {
        // Each bucket is compared with each, by a few invocations.
        uint key = 0;
        if (me < BUCKETS) {
            key = class_of(count[me]) << 8 | me;
            rest[me] = key << 16 | count[me];
            first[me] = 0;
        }
        barrier();
        const uint PARTS = THREADS / BUCKETS, PART = BUCKETS / PARTS;
        uint bucket = me % BUCKETS, from = me / BUCKETS * PART, mine = rest[bucket] & 0xFFFF0000u, sum = 0;
        [[unroll]] for (uint c = 0; c < PART; c++) {
            uint other = rest[from + c];
            sum += other < mine ? other & 0xFFFF : 0;
        }
        if (sum > 0) atomicAdd(first[bucket], sum);
        barrier();
        return;
    }
    uint pixels = me < CONTAINERS ? count[me] : 0, kind = class_of(pixels), before = 0;
    if (pixels > 0) before = atomicAdd(bins[kind], pixels);
    barrier();
    before += before_class(kind);
    if (me < CONTAINERS) first[me] = before;
    barrier();
}

#endif
