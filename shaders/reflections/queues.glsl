//! Ray queues by material (after Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on
//! GPUs", 2013), for software drivers, on which a branch costs its time if one lane of a few takes it, or always. Rays
//! wait in the queue of their bounce; its hits move them to the queues of their materials.
#ifndef REFLECTIONS_QUEUES
#define REFLECTIONS_QUEUES
#include "reflections/uniforms.glsl"
#include "include/material.glsl"

const uint GROUP = 64;
layout(local_size_x = 64) in;

const uint QUEUE_LIVE = 0, QUEUE_KINDS = 1, QUEUE_SKY = QUEUE_KINDS + KINDS_ALL, QUEUES = QUEUE_SKY + 1;

struct QueueCall { uint groups; uint one; uint also_one; uint entries; };
layout(binding = 27, scalar) buffer QueueCalls { QueueCall queue_calls[]; }; // all queues of a bounce, then those of the next
layout(binding = 28, scalar) buffer QueueItems { uint queue_items[]; };       // room for each

layout(push_constant, scalar) uniform Push {
    uint bounce;
    uint first; // item of the slice
    uint count; // items of the slice, and room of a queue
    uint kind;  // of the queue that `queue_answer.comp` works on
} push;

/// One list is enough: it is read before the next bounce writes.
uint place_in(uint queue, uint at) { return queue * push.count + at; }

void enqueue(uint bounce, uint queue, uint item) {
    uint call = bounce * QUEUES + queue, at = atomicAdd(queue_calls[call].entries, 1u);
    atomicMax(queue_calls[call].groups, at / GROUP + 1u);
    queue_items[place_in(queue, at)] = item;
}

bool dequeued(uint queue, out uint item) {
    uint at = gl_GlobalInvocationID.x;
    bool there = at < queue_calls[push.bounce * QUEUES + queue].entries;
    item = there ? queue_items[place_in(queue, at)] : 0u;
    return there;
}

#endif
