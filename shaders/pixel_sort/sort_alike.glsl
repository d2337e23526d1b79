//! Deterministic buckets and ranks for any subgroup size. A place is bucket << 16 | rank. If 32 consecutive invocations are lanes of one
//! subgroup, sort_ranks.glsl does the same in less time.
#ifndef PIXEL_SORT_SORT_ALIKE
#define PIXEL_SORT_SORT_ALIKE

/// Each has in its part of the pool, by bucket, a mask of 32 slots, and half a word of counts.
const uint ROWS_AT_ONCE = THREADS / 32;
const uint RANK_WORDS = POOL;
void set_rank_word(uint j, uint value) { pool[j] = value; }

/// A pixel's rank: those of its bucket before it in the order of the slots.
void assign_always_alike(uint id[EACH], out uint place[EACH]) {
    uint me = gl_LocalInvocationIndex, row = me / 32, bit = 1u << me % 32, below = bit - 1;
    [[unroll]] for (uint i = 0; i < EACH; i++) id[i] = key_of(id[i]);
    choose_containers(id, place);
    if (TOTALS == 1) {
        [[unroll]] for (uint i = 0; i < EACH; i++)
            if (place[i] != NONE) atomicAdd(count[place[i]], 1);
        return;
    }
    uint masks = row * CONTAINERS, counts = (ROWS_AT_ONCE + row / 2) * CONTAINERS, half_at = row % 2 * 16;
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        uint bucket = place[i], all = 0;
        if (bucket != NONE) atomicOr(pool[masks + bucket], bit);
        barrier();
        if (bucket != NONE) {
            all = pool[masks + bucket];
            place[i] = bucket << 16 | (pool[counts + bucket] >> half_at & 0xFFFF) + bitCount(all & below);
        }
        barrier();
        if (all != 0 && (all & below) == 0) {
            pool[masks + bucket] = 0;
            atomicAdd(pool[counts + bucket], uint(bitCount(all)) << half_at);
        }
        barrier();
    }
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
