//! Messages between the workgroups of one dispatch: posts, each a value with the number of the run and its state in the same word, so
//! that no flag, fence or barrier is needed. Included by shaders whose push constants have `epoch`.
//!
//! MODEL: with the Vulkan memory model, else with coherent memory. WIDE: 64-bit atomics, else two words of 16 bits of the value
//! each, which count only where both are of the same run and state. Epochs are below 2^14 in both.
#ifndef SUMMED_AREA_POSTS
#define SUMMED_AREA_POSTS

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

layout(constant_id = 10) const uint TURNS = 65536; // of a wait before it is given up
layout(constant_id = 11) const uint LEFT_OUT = 0;  // tests: every so manieth post is not made; 0: all are

layout(binding = 8, scalar) SHARED_WITH_ALL buffer Posts { POST posts[]; };
layout(binding = 9, scalar) SHARED_WITH_ALL buffer Control { uint next_ticket; uint aborted; };

void post(uint place, uint state, uint value) {
    if (LEFT_OUT != 0 && place % LEFT_OUT == LEFT_OUT - 1) return;
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

/// The state of a post, NOTHING where this run has not made it yet.
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

/// Called in each turn of a wait: whether it is to be given up, because it took too long or another one has.
bool gives_up(inout uint turns) {
    ++turns;
    if (turns >= TURNS) atomicOr(aborted, 1);
    return turns >= TURNS || (turns & 63) == 0 && atomicOr(aborted, 0) != 0;
}

/// The next ticket: who holds a lower one has started. The holder of the last one makes the counter ready for the next run.
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
