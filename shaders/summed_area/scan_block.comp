#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Blocks of an array, each scanned by one workgroup, and their sums. Any length below 2^32 - 2^23; the buffers hold
//! whole blocks.
//!
//! ALGORITHM: 0 Blelloch's sweeps over 512 words in shared memory, 1 Kogge and Stone and 2 Ladner and Fischer over the
//! lanes of subgroups, 3 eight words an invocation and the first of these over their sums, 4 the same with flags at
//! which sums restart. SHUFFLE: lanes exchange values by shuffles, else through shared memory, 32 at a time.
// variant: blelloch ALGORITHM=0 SHUFFLE=0
// variant: kogge_stone ALGORITHM=1 SHUFFLE=1
// rare variant: kogge_stone_plain ALGORITHM=1 SHUFFLE=0
// variant: ladner_fischer ALGORITHM=2 SHUFFLE=1
// rare variant: ladner_fischer_plain ALGORITHM=2 SHUFFLE=0
// variant: blocks ALGORITHM=3 SHUFFLE=1
// rare variant: blocks_plain ALGORITHM=3 SHUFFLE=0
// variant: segmented ALGORITHM=4 SHUFFLE=0
#include "summed_area/lanes.glsl"

#if ALGORITHM == 0
const uint EACH = 2;
#elif ALGORITHM >= 3
const uint EACH = 8;
#else
const uint EACH = 1;
#endif
const uint BLOCK = EACH * THREADS;

layout(constant_id = 0) const uint PADDED = 1; // a word more after each 32 in shared memory: fewer of them in one bank

layout(binding = 0, scalar) readonly buffer Source { uint source[]; };
layout(binding = 1, scalar) writeonly buffer Target { uint target[]; };
layout(binding = 2, scalar) writeonly buffer Sums { uint sums[]; };
layout(push_constant, scalar) uniform Push { uint count; uint groups; } push;
#if ALGORITHM == 4
layout(binding = 3, scalar) readonly buffer Flags { uint flags[]; };
layout(binding = 4, scalar) writeonly buffer BlockFlags { uint block_flags[]; }; // whether the block has a flag
layout(binding = 5, scalar) writeonly buffer Firsts { uint firsts[]; };          // where its first one is, BLOCK if none
#endif

uint word_at(uint at) { return at < push.count ? source[at] : 0; }

#if ALGORITHM == 0
shared uint tree[BLOCK + BLOCK / 32];

uint place_of(uint at) { return at + PADDED * (at >> 5); }

/// Exclusive sums in `tree`. Returns the sum of all.
uint sweep() {
    uint all = 0, reach = 1;
    for (uint pairs = BLOCK / 2; pairs > 0; pairs /= 2) {
        barrier();
        if (me() < pairs) {
            uint left = reach * (2 * me() + 1) - 1;
            tree[place_of(left + reach)] += tree[place_of(left)];
        }
        reach *= 2;
    }
    barrier();
    all = tree[place_of(BLOCK - 1)];
    barrier();
    if (me() == 0) tree[place_of(BLOCK - 1)] = 0;
    for (uint pairs = 1; pairs < BLOCK; pairs *= 2) {
        reach /= 2;
        barrier();
        if (me() < pairs) {
            uint left = reach * (2 * me() + 1) - 1, held = tree[place_of(left)];
            tree[place_of(left)] = tree[place_of(left + reach)];
            tree[place_of(left + reach)] += held;
        }
    }
    barrier();
    return all;
}

void main() {
    uint group = group_index();
    if (group >= push.groups) return;
    uint at = group * BLOCK + me();
    uint low = word_at(at), high = word_at(at + THREADS);
    tree[place_of(me())] = low;
    tree[place_of(me() + THREADS)] = high;
    uint all = sweep();
    target[at] = tree[place_of(me())] + low;
    target[at + THREADS] = tree[place_of(me() + THREADS)] + high;
    if (me() == 0) sums[group] = all;
}
#elif ALGORITHM == 4
shared uint board[THREADS];
shared uint seen[THREADS];
shared uint first;

void main() {
    uint group = group_index();
    if (group >= push.groups) return;
    uint from = group * BLOCK + me() * EACH;
    uint values[EACH], flag[EACH];
    if (me() == 0) first = BLOCK;
    barrier();
    for (uint i = 0; i < EACH; ++i) {
        values[i] = word_at(from + i);
        flag[i] = from + i < push.count ? flags[from + i] : 0;
        if (flag[i] != 0) atomicMin(first, me() * EACH + i);
    }
    uint any = flag[0];
    for (uint i = 1; i < EACH; ++i) {
        values[i] += flag[i] != 0 ? 0 : values[i - 1];
        any |= flag[i];
    }
    uint sum = values[EACH - 1], own = sum, begins = any;
    for (uint back = 1; back < THREADS; back *= 2) {
        board[me()] = sum;
        seen[me()] = begins;
        barrier();
        uint there = me() - min(me(), back);
        if (me() >= back) {
            if (begins == 0) sum += board[there];
            begins |= seen[there];
        }
        barrier();
    }
    board[me()] = sum;
    seen[me()] = begins;
    barrier();
    uint before = me() == 0 ? 0 : board[me() - 1];
    bool open = true;
    for (uint i = 0; i < EACH; ++i) {
        open = open && flag[i] == 0;
        target[from + i] = values[i] + (open ? before : 0);
    }
    if (me() == THREADS - 1) {
        sums[group] = sum;
        block_flags[group] = begins != 0 ? 1 : 0;
        firsts[group] = first;
    }
}
#else
#if SHUFFLE
uint lanes() { return gl_SubgroupSize; }
uint from_lane(uint value, uint lane) { return subgroupShuffle(value, lane); }
#else
shared uint board[THREADS];
uint lanes() { return 32; }
uint from_lane(uint value, uint lane) {
    board[me()] = value;
    barrier();
    uint other = board[(me() & ~31u) + lane];
    barrier();
    return other;
}
#endif

uint scan_lanes(uint value) {
    uint lane = me() & lanes() - 1;
#if ALGORITHM == 2
    // In step s the upper half of each 2^(s+1) lanes gets the lower half's last sum.
    for (uint half_of = 1; half_of < lanes(); half_of *= 2) {
        bool upper = (lane & half_of) != 0;
        uint other = from_lane(value, upper ? (lane & ~(half_of - 1)) - 1 : lane);
        if (upper) value += other;
    }
#else
    for (uint back = 1; back < lanes(); back *= 2) {
        uint other = from_lane(value, lane - min(lane, back));
        if (lane >= back) value += other;
    }
#endif
    return value;
}

shared uint team_total[THREADS];

void main() {
    uint group = group_index();
    if (group >= push.groups) return;
    uint from = group * BLOCK + me() * EACH;
    uint values[EACH];
    for (uint i = 0; i < EACH; ++i) values[i] = word_at(from + i);
    for (uint i = 1; i < EACH; ++i) values[i] += values[i - 1];
    uint own = values[EACH - 1], upto = scan_lanes(own), team = me() / lanes(), all = 0, before = 0;
    if ((me() & lanes() - 1) == lanes() - 1) team_total[team] = upto;
    barrier();
    for (uint k = 0; k < THREADS / lanes(); ++k) {
        uint part = team_total[k];
        before += k < team ? part : 0;
        all += part;
    }
    before += upto - own;
    for (uint i = 0; i < EACH; ++i) target[from + i] = values[i] + before;
    if (me() == 0) sums[group] = all;
}
#endif
