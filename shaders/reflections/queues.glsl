//! Ray queues by material, for software drivers: there a branch takes its time if one lane of a few takes it, or on older ones always. Every ray waits in the queue of its bounce; the rays of one bounce move to the queues of the
//! materials that they meet (after Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs", 2013).
#ifndef REFLECTIONS_QUEUES
#define REFLECTIONS_QUEUES
#include "reflections/uniforms.glsl"
#include "include/material.glsl"

const uint GROUP = 64;
layout(local_size_x = 64) in;

const uint QUEUE_LIVE = 0, QUEUE_KINDS = 1, QUEUE_SKY = QUEUE_KINDS + KINDS_ALL, QUEUES = QUEUE_SKY + 1;

/// Arguments of an indirect dispatch, and how many entries there are. Begun as 0, 1, 1, 0.
struct QueueCall { uint groups; uint one; uint also_one; uint entries; };
layout(binding = 27, scalar) buffer QueueCalls { QueueCall queue_calls[]; }; // all queues of a bounce, then those of the next
layout(binding = 28, scalar) buffer QueueItems { uint queue_items[]; };       // room for each

layout(push_constant, scalar) uniform Push {
    uint bounce;
    uint first; // item of the slice
    uint count; // items of the slice, and room of a queue
    uint kind;  // of the queue that `queue_answer.comp` works on
} push;

/// One list of live rays is enough: it has been read when the first rays of the next bounce are written.
uint place_in(uint queue, uint at) { return queue * push.count + at; }

void enqueue(uint bounce, uint queue, uint item) {
    uint call = bounce * QUEUES + queue, at = atomicAdd(queue_calls[call].entries, 1u);
    atomicMax(queue_calls[call].groups, at / GROUP + 1u);
    queue_items[place_in(queue, at)] = item;
}

/// The item of this thread in a queue; false: none is left for it.
bool dequeued(uint queue, out uint item) {
    uint at = gl_GlobalInvocationID.x;
    bool there = at < queue_calls[push.bounce * QUEUES + queue].entries;
    item = there ? queue_items[place_in(queue, at)] : 0u;
    return there;
}

#endif
