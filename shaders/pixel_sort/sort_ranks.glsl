//! Deterministic buckets and ranks by subgroup operations; subgroups are full and have at least eight lanes. A place is bucket << 16 |
//! rank.
#ifndef PIXEL_SORT_SORT_RANKS
#define PIXEL_SORT_SORT_RANKS

#define RANK_WORDS (THREADS / row_lanes() * CONTAINERS)
void set_rank_word(uint j, uint value) { pool[j] = uint16_t(value); }

uint of_row(uvec4 ballot) { return gl_SubgroupSize <= 32 ? ballot.x : ballot[gl_SubgroupInvocationID / 32]; }

uint alike(uint bucket) {
    uint found = 0, left = of_row(subgroupBallot(bucket != NONE)), row = gl_SubgroupInvocationID & ~31u;
    while (subgroupAny(left != 0)) {
        uint leader = left == 0 ? gl_SubgroupInvocationID : row + findLSB(left);
        bool same = subgroupShuffle(bucket, leader) == bucket && left != 0;
        uint who = of_row(subgroupBallot(same));
        if (same) found = who;
        left &= ~who;
    }
    return found;
}

/// A pixel's rank: those of its bucket before it in the order of the slots.
void assign_always_alike(uint id[EACH], out uint place[EACH]) {
    uint row = member() / row_lanes() * CONTAINERS, below = (1u << member() % row_lanes()) - 1;
    [[unroll]] for (uint i = 0; i < EACH; i++) id[i] = key_of(id[i]);
    choose_containers(id, place);
    [[unroll]] for (uint i = 0; i < EACH; i++) {
        uint bucket = place[i], same = alike(bucket);
        bool leads = same != 0 && (same & below) == 0;
        if (TOTALS == 1) {
            if (leads) atomicAdd(count[bucket], bitCount(same));
            continue;
        }
        uint before = same == 0 ? 0 : uint(pool[row + bucket]);
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        if (leads) pool[row + bucket] = uint16_t(before + bitCount(same));
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        if (same != 0) place[i] = bucket << 16 | before + bitCount(same & below);
    }
    if (TOTALS == 1) return;
    barrier();
    uint me = gl_LocalInvocationIndex, sum = 0;
    if (me < CONTAINERS) {
        for (uint r = 0; r < THREADS / row_lanes(); r++) {
            uint here = uint(pool[r * CONTAINERS + me]);
            pool[r * CONTAINERS + me] = uint16_t(sum);
            sum += here;
        }
        count[me] = sum;
    }
    barrier();
    [[unroll]] for (uint i = 0; i < EACH; i++)
        if (place[i] != NONE) place[i] += uint(pool[row + (place[i] >> 16)]);
}

#endif
