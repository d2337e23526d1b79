#version 460
#extension GL_GOOGLE_include_directive : require
// variant: kinds TEXELS=1
// variant: sky SKY=1
#include "include/prelude.glsl"
#include "reflections/queues.glsl"
#include "reflections/hit_shading.glsl"

//! Light of the rays in the queue of a kind of material, or in that of the sky, and their next rays.
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
#ifndef SKY
layout(binding = 1, scalar) readonly buffer Hits { Hit hits[]; };
uint item;

Packed packed_ray() { return state[item + AGAIN]; }
#endif

void main() {
#ifdef SKY
    uint item;
    if (!dequeued(QUEUE_SKY, item)) return;
    Ray r = unpacked(state[item]);
    miss(r);
    bool goes_on = false;
#else
    if (!dequeued(QUEUE_KINDS + push.kind, item)) return;
    Ray r = way_of(state[item]);
    bool goes_on = strike(r, hits[item - push.first], push.bounce);
#endif
    if (goes_on) {
        state[item + AGAIN] = packed(r);
        enqueue(push.bounce + 1u, QUEUE_LIVE, item);
    } else
        imageStore(traced_light, ivec2(pixel_of_item(item)), vec4(r.radiance, float(push.bounce + 1u)));
}
