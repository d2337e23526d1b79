//! Deterministic assignment of keys to buckets.
#ifndef PIXEL_SORT_SORT_CHOOSE
#define PIXEL_SORT_SORT_CHOOSE

#if HALF
/// The first of a run of equal keys represents it.
uint speakers(uint key[EACH]) {
    uint lane = gl_SubgroupInvocationID, speaks = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++)
        speaks |= uint(subgroupShuffle(key[i], max(lane, 1) - 1) != key[i] || lane == 0) << i;
    return speaks;
}
bool anyone(bool wants) { return subgroupAny(wants); }
#else
uint speakers(uint key[EACH]) { return (1u << EACH) - 1; }
bool anyone(bool wants) { return wants; }
#endif

void choose_containers(uint key[EACH], inout uint place[EACH]) {
    uint pending = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        place[i] = key[i] == 0 ? NONE : key[i] % CONTAINERS;
        pending |= uint(key[i] != 0) << i;
    }
    if (RESOLVE == 0) return;
    uint speaks = speakers(key);
    for (uint step = 0; step < TRIES; step++) {
        uint wants = 0;
        if (anyone(pending != 0))
            [[unroll]] for (uint i = 0; i < EACH; i++)
                if ((pending >> i & 1) == 1) wants |= uint(owner[place[i]] == 0) << i;
        barrier();
        wants &= speaks;
        if (anyone(wants != 0))
            [[unroll]] for (uint i = 0; i < EACH; i++)
                if ((wants >> i & 1) == 1) atomicMax(owner[place[i]], key[i]);
        barrier();
        if (anyone(pending != 0))
            [[unroll]] for (uint i = 0; i < EACH; i++)
                if ((pending >> i & 1) == 1) {
                    if (owner[place[i]] == key[i]) pending &= ~(1u << i);
                    else place[i] = step_on(place[i]);
                }
    }
    if (pending != 0) atomicAdd(tile_unresolved, bitCount(pending));
    [[unroll]] for (uint i = 0; i < EACH; i++)
        if ((pending >> i & 1) == 1) place[i] = key[i] % CONTAINERS;
}

#endif
