#version 460
#extension GL_GOOGLE_include_directive : require
// rare variant: shader
// rare variant: hardware HARDWARE=1
#include "include/prelude.glsl"
#ifdef HARDWARE
#extension GL_EXT_ray_query : require
#endif
#define THREADS 128
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "reflections/holes.glsl"
#include "reflections/miss.glsl"

//! Hits of the rays of one bounce: a visibility value for each pixel, 0 without a ray or a hit. The pixel sort lists
//! them by material for shade_hits.comp.
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
layout(binding = 31, scalar) buffer Visits { uint visits[]; };        // nodes by item
layout(binding = 38, r32ui) uniform writeonly uimage2D hit_ids;
layout(binding = 39, scalar) writeonly buffer HitDistances { float hit_distances[]; }; // by item
layout(push_constant, scalar) uniform Push { uint bounce; } push;

void main() {
    uint group = group_number(), item = group * THREADS + gl_LocalInvocationIndex;
    if (item >= 32u * plan.words) return;
    uvec2 pixel = pixel_of_item(item);
    if (any(greaterThanEqual(pixel, plan.size))) return;
    uint id = 0;
    if (is_live(item >> 5, item & 31u)) {
        uint nodes_seen = 0;
        Hit hit = met_on(way_of(state[item]), nodes_seen);
        visits[item] = (push.bounce == 0 ? 0u : visits[item]) + nodes_seen;
        hit_distances[item] = hit.t;
        id = hit.visibility;
        if (id == 0) {
            Ray r = unpacked(state[item + AGAIN]);
            miss(r);
            imageStore(traced_light, ivec2(pixel), vec4(r.radiance, float(push.bounce + 1u)));
            clear_item(item);
        }
    }
    imageStore(hit_ids, ivec2(pixel), uvec4(id, 0, 0, 0));
}
