#version 460
#extension GL_GOOGLE_include_directive : require
// variant: texels TEXELS=1
// rare variant: hardware TEXELS=1 HARDWARE=1
#include "include/prelude.glsl"
#ifdef HARDWARE
#extension GL_EXT_ray_query : require
#endif
#include "reflections/queues.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "shade/work.glsl"
#include "reflections/holes.glsl"

//! Hits of the rays of a bounce, sorted into the queues of their materials.
layout(binding = 29, scalar) readonly buffer State { Packed state[]; };
layout(binding = 31, scalar) buffer Visits { uint visits[]; };     // nodes by item
layout(binding = 1, scalar) writeonly buffer Hits { Hit hits[]; }; // by item of the slice

void main() {
    uint item;
    if (!dequeued(QUEUE_LIVE, item)) return;
    Ray r = way_of(state[item]);
    uint nodes_seen = 0;
    Hit hit = met_on(r, nodes_seen);
    visits[item] = (push.bounce == 0 ? 0u : visits[item]) + nodes_seen;
    hits[item - push.first] = hit;
    enqueue(push.bounce, hit.visibility == 0 ? QUEUE_SKY : QUEUE_KINDS + kind_of(hit.visibility), item);
}
