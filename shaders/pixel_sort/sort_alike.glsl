// Buckets and ranks that are the same on every run. A place is bucket << 16 | rank.
#ifndef PIXEL_SORT_ALIKE
#define PIXEL_SORT_ALIKE

/// Rows of 32 slots; each has its own part of the pool: for each bucket a mask of 32 slots, and half a word of counts.
const uint ROWS_AT_ONCE = THREADS / 32;

/// Whether 32 invocations that share a row are lanes of one subgroup.
bool is_wide() {
#if SUBGROUP
    return gl_SubgroupSize >= 32 && gl_NumSubgroups * gl_SubgroupSize == THREADS;
#else
    return false;
#endif
}

/// Waits for those who share a row.
void wait(bool wide) {
#if SUBGROUP
    if (wide) {
        subgroupMemoryBarrierShared();
        subgroupBarrier();
    } else
#endif
        barrier();
}

/// The slots of its row that an invocation speaks for: a run of equal values where lanes can see each other, only the
/// first of which speaks; else its own. None where `value` is NONE.
uint spoken_for(bool wide, uint value) {
    uint bit = 1u << gl_LocalInvocationIndex % 32, spoken = bit;
#if SUBGROUP
    if (wide) {
        uint lane = gl_SubgroupInvocationID;
        bool begins = subgroupShuffle(value, max(lane, 1) - 1) != value || lane % 32 == 0;
        uint heads = subgroupBallot(begins)[lane / 32], later = heads & ~(bit | bit - 1);
        spoken = begins ? (later & -later) - bit : 0;
    }
#endif
    return value == NONE ? 0 : spoken;
}

/// Of the keys that want a free bucket in one round the largest gets it. Leaves the bucket in `place`.
void choose_containers(bool wide, uint key[EACH], inout uint place[EACH]) {
    uint pending = 0, speaks = 0;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        place[i] = key[i] == 0 ? NONE : key[i] % CONTAINERS;
        pending |= uint(key[i] != 0) << i;
        speaks |= uint(spoken_for(wide, key[i] == 0 ? NONE : key[i]) != 0) << i;
    }
    if (RESOLVE == 0) return;
    for (uint step = 0; step < TRIES; step++) {
        uint wants = 0;
        [[unroll]] for (uint i = 0; i < EACH; i++)
            if ((pending >> i & 1) == 1) wants |= uint(owner[place[i]] == 0) << i;
        barrier();
        [[unroll]] for (uint i = 0; i < EACH; i++)
            if ((wants & speaks & 1u << i) != 0) atomicMax(owner[place[i]], key[i]);
        barrier();
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

/// A pixel's rank is how many of its bucket come before it in the order of the slots.
void assign_always_alike(uint id[EACH], out uint place[EACH]) {
    bool wide = is_wide();
    uint me = gl_LocalInvocationIndex, row = me / 32, below = (1u << me % 32) - 1;
    [[unroll]] for (uint i = 0; i < EACH; i++) id[i] = key_of(id[i]);
    choose_containers(wide, id, place);
    if (TOTALS == 1) {
        [[unroll]] for (uint i = 0; i < EACH; i++) {
            uint spoken = spoken_for(wide, place[i]);
            if (spoken != 0) atomicAdd(count[place[i]], bitCount(spoken));
        }
        return;
    }
    // Masks, then counts, two rows in a word; the pool is all zero before.
    uint masks = row * CONTAINERS, counts = (ROWS_AT_ONCE + row / 2) * CONTAINERS, half_at = row % 2 * 16;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        uint bucket = place[i], spoken = spoken_for(wide, bucket), all = 0;
        if (spoken != 0) atomicOr(pool[masks + bucket], spoken);
        wait(wide);
        if (bucket != NONE) {
            all = pool[masks + bucket];
            place[i] = bucket << 16 | (pool[counts + bucket] >> half_at & 0xFFFF) + bitCount(all & below);
        }
        wait(wide);
        if (all != 0 && (all & below) == 0) {
            pool[masks + bucket] = 0;
            atomicAdd(pool[counts + bucket], uint(bitCount(all)) << half_at);
        }
        wait(wide);
    }
    barrier();
    // From the counts of each row to those of all rows before it.
    for (uint c = me; c < CONTAINERS; c += THREADS) {
        uint sum = 0;
        for (uint r = 0; r < ROWS_AT_ONCE; r += 2) {
            uint at = (ROWS_AT_ONCE + r / 2) * CONTAINERS + c, two = pool[at];
            uint middle = sum + (two & 0xFFFF);
            pool[at] = middle << 16 | sum;
            sum = middle + (two >> 16);
        }
        count[c] = sum;
    }
    barrier();
    [[unroll]] for (uint i = 0; i < EACH; i++)
        if (place[i] != NONE) place[i] += pool[counts + (place[i] >> 16)] >> half_at & 0xFFFF;
}

#endif
