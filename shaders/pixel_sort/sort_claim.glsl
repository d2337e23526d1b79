//! Buckets and ranks by atomics. A place is bucket << 16 | rank.
#ifndef PIXEL_SORT_SORT_CLAIM
#define PIXEL_SORT_SORT_CLAIM

/// The first of its window that is free or its own, else its home.
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

uint claim_place(uint id, uint pixels) {
    uint bucket = claim(key_of(id), pixels);
    return bucket << 16 | atomicAdd(count[bucket], pixels);
}

#if SUBGROUP
/// For each run of equal IDs in a subgroup. All lanes execute every step.
void assign_by_subgroup(uint id[EACH], out uint place[EACH]) {
    uint lane = gl_SubgroupInvocationID, left = max(lane, 1) - 1;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        bool begins = subgroupShuffle(id[i], left) != id[i] || lane == 0;
        uvec4 heads = subgroupBallot(begins), later = heads & gl_SubgroupGtMask;
        uint head = subgroupBallotFindMSB(heads & gl_SubgroupLeMask), got = NONE;
        if (begins && id[i] != 0) {
            uint end = later == uvec4(0) ? gl_SubgroupSize : subgroupBallotFindLSB(later);
            got = claim_place(id[i], end - lane);
        }
        got = subgroupShuffle(got, head);
        place[i] = id[i] == 0 ? NONE : got + lane - head;
    }
}
#endif

/// For each run of equal IDs in an invocation.
void assign(uint id[EACH], out uint place[EACH]) {
    uint begins = 1; // bit i: a run begins at i
    [[unroll]] for (uint i = 1; i < EACH; i++) begins |= uint(id[i] != id[i - 1]) << i;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        if ((begins >> i & 1) == 0) {
            place[i] = place[i - 1] + uint(id[i] != 0);
        } else if (id[i] == 0) {
            place[i] = NONE;
        } else {
            place[i] = claim_place(id[i], uint(findLSB(begins >> i + 1 | 1u << EACH - 1 - i)) + 1);
        }
    }
}

#endif
