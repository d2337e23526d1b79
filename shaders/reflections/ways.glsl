//! Stencil of compute passes: a flag for each item (one bit, a byte or a word of 32 bits), and the ways in which threads find the live
//! items. 32 items form a word; a workgroup has one word of them.
//!
//! Whoever includes this says what is to be done: load_item, step_item (true: the item is live in the next bounce, too).
#ifndef REFLECTIONS_WAYS
#define REFLECTIONS_WAYS
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_ballot : require
#endif
#include "reflections/uniforms.glsl"

#ifndef THREADS
#define THREADS 32
#endif
layout(local_size_x = THREADS) in;

layout(binding = 27, scalar) buffer Control { Call calls[]; };
layout(binding = 28, scalar) buffer Work { uint work[]; };

shared uint gathered;
shared uint base;
shared uint taken;

uint group_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uint own_bit() {
#ifdef SUBGROUP
    // Which lanes of larger subgroups exist is unknown.
    if (gl_SubgroupSize <= 32) return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
#endif
    return gl_LocalInvocationIndex;
}

/// Called by all threads of the workgroup.
uint word_of(uint bit, bool flag) {
#ifdef SUBGROUP
    uint votes = subgroupBallot(flag).x;
    if (gl_SubgroupSize == 32) return votes;
#endif
    barrier();
    if (bit == 0) gathered = 0;
    barrier();
#ifdef SUBGROUP
    if (gl_SubgroupSize < 32) {
        if (gl_SubgroupInvocationID == 0) atomicOr(gathered, votes << bit);
    } else
#endif
        if (flag) atomicOr(gathered, 1u << bit);
    barrier();
    return gathered;
}

bool is_live(uint word, uint bit) {
    if (plan.storage == STORAGE_BITS) return (work[plan.mask_at + word] >> bit & 1u) != 0;
    if (plan.storage == STORAGE_BYTES) return (work[plan.mask_at + 8u * word + (bit >> 2)] >> 8u * (bit & 3u) & 255u) != 0;
    return work[plan.mask_at + 32u * word + bit] != 0;
}

uint bytes_of(uint bits) { return bits & 1u | (bits & 2u) << 7 | (bits & 4u) << 14 | (bits & 8u) << 21; }

void store_word(uint word, uint bit, uint flags) {
    if (plan.storage == STORAGE_BITS) {
        if (bit == 0) work[plan.mask_at + word] = flags;
    } else if (plan.storage == STORAGE_BYTES) {
        if (bit < 8) work[plan.mask_at + 8u * word + bit] = bytes_of(flags >> 4u * bit);
    } else
        work[plan.mask_at + 32u * word + bit] = flags >> bit & 1u;
}

/// Clears a dead item's bit atomically: other threads share the word.
void clear_item(uint item) {
    uint word = item >> 5, bit = item & 31u;
    if (plan.storage == STORAGE_BITS) atomicAnd(work[plan.mask_at + word], ~(1u << bit));
    else if (plan.storage == STORAGE_BYTES) atomicAnd(work[plan.mask_at + 8u * word + (bit >> 2)], ~(255u << 8u * (bit & 3u)));
    else work[plan.mask_at + 32u * word + bit] = 0;
}

uint live_words_at(uint bounce) { return plan.live_words_at + (bounce & 1u) * plan.words; }
uint live_lanes_at(uint bounce) { return plan.live_lanes_at + (bounce & 1u) * plan.words * 32u; }

/// Called by all threads of the workgroup; `flags` are theirs.
void publish(uint bounce, uint bit, uint word, uint item, bool live, uint flags, bool by_words) {
    barrier();
    if (bit == 0 && flags != 0) {
        if (by_words) {
            uint at = atomicAdd(calls[bounce].words, 1u);
            if (plan.way == WAY_AUTO || plan.way == WAY_LIVE_WORDS) work[live_words_at(bounce) + at] = word;
        }
        base = atomicAdd(calls[bounce].lanes, bitCount(flags));
    }
    barrier();
    if (live && (plan.way == WAY_AUTO || plan.way == WAY_LANES))
        work[live_lanes_at(bounce) + base + bitCount(flags & (1u << bit) - 1u)] = item;
}

void mark_item(uint bit, uint word, uint item, bool live) {
    uint flags = word_of(bit, live);
    if (word < plan.words) store_word(word, bit, flags);
    publish(0, bit, word, item, live, flags, true);
}

void call_bounce(uint bounce) {
    uint lanes = atomicAdd(calls[bounce].lanes, 0u), live = atomicAdd(calls[bounce].words, 0u);
    if (lanes == 0 || bounce >= plan.depth) return;
    uint way = plan.way;
    bool finishes = way == WAY_PATH;
    if (way == WAY_AUTO) {
        // Nearly empty words are gathered into lanes, and stay so.
        bool gathers = bounce > 0 && calls[bounce - 1].way == WAY_LANES || 10u * lanes < plan.gather_below * 32u * live;
        way = gathers ? WAY_LANES : live < plan.list_below ? WAY_LIVE_WORDS : WAY_WORDS;
        finishes = lanes < plan.finish_below;
    }
    uint groups = plan.words;
    if (way == WAY_LIVE_WORDS) groups = live;
    if (way == WAY_LANES) groups = (lanes + 31u) / 32u;
    if (way == WAY_FIXED) groups = (groups + 7u) / 8u;
    if (way == WAY_PERSISTENT) groups = min(groups, plan.workers);
    calls[bounce].way = way;
    calls[bounce].finishes = finishes ? 1u : 0u;
    calls[bounce].groups = uvec3(min(groups, 1024u), (groups + 1023u) / 1024u, 1u);
}

#ifdef STEPS
layout(push_constant, scalar) uniform Push { uint bounce; } push;

void load_item(uint item);
bool step_item(uint item, uint bounce);
#ifdef NAMES_TAKERS
void note_taker(uint bounce, uint at, uint group);
#endif

/// Branches around barriers are uniform in the workgroup.
void run_bounce() {
    uint bounce = push.bounce, bit = own_bit();
    Call call = calls[bounce];
    uint group = group_number();
    bool by_lanes = call.way == WAY_LANES, listed = call.way == WAY_LIVE_WORDS;
    // Old Mesa ends loops after 65535 turns.
    uint turns = call.way == WAY_PERSISTENT ? 16384u : call.way == WAY_FIXED ? 8u : 1u;
    for (uint turn = 0; turn < turns; turn++) {
        uint at = call.way == WAY_FIXED ? 8u * group + turn : group;
        if (call.way == WAY_PERSISTENT) {
            barrier();
            if (bit == 0) taken = atomicAdd(calls[bounce].next, 1u);
            barrier();
            at = taken;
        }
        if (at >= (by_lanes ? (call.lanes + 31u) / 32u : listed ? call.words : plan.words)) break;
#ifdef NAMES_TAKERS
        if (bit == 0) note_taker(bounce, at, group);
#endif
        uint word = listed ? work[live_words_at(bounce) + at] : at, item = 32u * word + bit, before;
        bool live;
        if (by_lanes) {
            live = 32u * at + bit < call.lanes;
            if (live) item = work[live_lanes_at(bounce) + 32u * at + bit];
            before = 1u;
        } else if (plan.storage == STORAGE_BITS) {
            before = work[plan.mask_at + word];
            live = (before >> bit & 1u) != 0;
        } else {
            live = is_live(word, bit);
            before = word_of(bit, live);
        }
        if (before == 0) continue;
        if (live) load_item(item);
        bool goes_on = live;
        uint now = bounce;
        do {
            if (goes_on) goes_on = step_item(item, now);
            now++;
        } while (goes_on && call.finishes != 0 && now < plan.depth);
        uint flags = word_of(bit, goes_on);
        if (!by_lanes) store_word(word, bit, flags);
        else if (live && !goes_on) clear_item(item);
        publish(bounce + 1u, bit, word, item, goes_on, flags, !by_lanes);
        if (bit == 0) {
            memoryBarrierBuffer();
            uint expected = by_lanes ? (call.lanes + 31u) / 32u : call.words;
            if (atomicAdd(calls[bounce].done, 1u) + 1u == expected) call_bounce(bounce + 1u);
        }
    }
}
#endif

#endif
