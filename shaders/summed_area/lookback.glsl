//! Messages between the workgroups of one dispatch: posts, each a value with the number of the run and its state in the same word, so
//! that no flag, fence or barrier is needed. Included by shaders whose push constants have `epoch`.
//!
//! MODEL: with the Vulkan memory model, else with coherent memory. WIDE: 64-bit atomics, else two words of 16 bits of
//! the value each, which count only where both are of the same run and state. Epochs are below 2^14 in both.
//!
//! After TURNS turns a group computes what it waits for from the source, and posts that for the others ("decoupled
//! fallback", Smith, Levien and Owens, SPAA 2025), so a dispatch ends even where a group that has started may stop.
//!
//! PLACES: posts of a group.
#ifndef SUMMED_AREA_LOOKBACK
#define SUMMED_AREA_LOOKBACK

#if MODEL
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#define SHARED_WITH_ALL nonprivate
#else
#define SHARED_WITH_ALL coherent
#endif
#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define POST uint64_t
#else
#define POST uint
#endif

const uint NOTHING = 0, AGGREGATE = 1, INCLUSIVE = 2;

layout(constant_id = 10) const uint TURNS = 1024; // of a wait before a group computes by itself what it waits for
layout(constant_id = 11) const uint SILENT = 0;   // tests: every so manieth group posts nothing; 0: all do

layout(binding = 8, scalar) SHARED_WITH_ALL buffer Posts { POST posts[]; };
layout(binding = 9, scalar) SHARED_WITH_ALL buffer Control { uint next_ticket; uint stood_in; };

void post(uint place, uint state, uint value) {
    if (SILENT != 0 && place / PLACES % SILENT == SILENT - 1) return;
    uint tag = push.epoch << 2 | state;
#if WIDE
    atomicStore(posts[place], uint64_t(tag) << 32 | uint64_t(value), gl_ScopeQueueFamily, 0, 0);
#elif MODEL
    atomicStore(posts[2 * place], tag << 16 | value & 0xFFFF, gl_ScopeQueueFamily, 0, 0);
    atomicStore(posts[2 * place + 1], tag << 16 | value >> 16, gl_ScopeQueueFamily, 0, 0);
#else
    atomicExchange(posts[2 * place], tag << 16 | value & 0xFFFF);
    atomicExchange(posts[2 * place + 1], tag << 16 | value >> 16);
#endif
}

uint read_post(uint place, out uint value) {
#if WIDE
    uint64_t both = atomicLoad(posts[place], gl_ScopeQueueFamily, 0, 0);
    uint tag = uint(both >> 32);
    value = uint(both);
    return tag >> 2 == push.epoch ? tag & 3 : NOTHING;
#else
#if MODEL
    uint low = atomicLoad(posts[2 * place], gl_ScopeQueueFamily, 0, 0);
    uint high = atomicLoad(posts[2 * place + 1], gl_ScopeQueueFamily, 0, 0);
#else
    uint low = atomicOr(posts[2 * place], 0), high = atomicOr(posts[2 * place + 1], 0);
#endif
    value = low & 0xFFFF | high << 16;
    bool is_whole = low >> 16 == high >> 16 && low >> 18 == push.epoch;
    return is_whole ? low >> 16 & 3 : NOTHING;
#endif
}

/// What that group has posted, or posts meanwhile, stays.
void post_for(uint place, uint state, uint value) {
    uint tag = push.epoch << 2 | state;
#if WIDE
    uint64_t there = atomicLoad(posts[place], gl_ScopeQueueFamily, 0, 0), all = uint64_t(tag) << 32 | uint64_t(value);
    if (uint(there >> 34) != push.epoch) atomicCompSwap(posts[place], there, all, gl_ScopeQueueFamily, 0, 0, 0, 0);
#else
    uint halves[2] = uint[](value & 0xFFFF, value >> 16);
    for (uint k = 0; k < 2; ++k) {
#if MODEL
        uint there = atomicLoad(posts[2 * place + k], gl_ScopeQueueFamily, 0, 0), all = tag << 16 | halves[k];
        if (there >> 18 != push.epoch) atomicCompSwap(posts[2 * place + k], there, all, gl_ScopeQueueFamily, 0, 0, 0, 0);
#else
        uint there = atomicOr(posts[2 * place + k], 0), all = tag << 16 | halves[k];
        if (there >> 18 != push.epoch) atomicCompSwap(posts[2 * place + k], there, all);
#endif
    }
#endif
}

/// The holder of a lower ticket has started. The last one resets the counter.
uint take_ticket(uint last) {
#if MODEL
    uint ticket = atomicAdd(next_ticket, 1, gl_ScopeQueueFamily, 0, 0);
    if (ticket == last) atomicStore(next_ticket, 0u, gl_ScopeQueueFamily, 0, 0);
#else
    uint ticket = atomicAdd(next_ticket, 1);
    if (ticket == last) atomicExchange(next_ticket, 0);
#endif
    return ticket;
}

#endif
