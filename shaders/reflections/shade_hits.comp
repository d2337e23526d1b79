#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#define THREADS 128
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "reflections/hit_shading.glsl"
#include "include/pixel_list.glsl"

//! Light of the hits of one bounce, and the next rays: by the pixel sort's list, so that a subgroup's lanes share a
//! material.
layout(binding = 20, scalar) readonly buffer Arguments { uint arguments[]; }; // first the number of entries
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
layout(binding = 38, r32ui) uniform readonly uimage2D hit_ids;
layout(binding = 39, scalar) readonly buffer HitDistances { float hit_distances[]; }; // by item
layout(push_constant, scalar) uniform Push { uint bounce; } push;
uint own;

// In registers the ray takes eight.
Packed packed_ray() { return state[own + AGAIN]; }

void main() {
    uint group = group_number(), at = group * THREADS + gl_LocalInvocationIndex;
    uint entry = at < arguments[0] ? entries[at] : PADDING;
    if (entry == PADDING) return;
    uvec2 pixel = uvec2(entry & 0xFFFFu, entry >> 16);
    own = item_of_pixel(pixel);
    Ray r = way_of(state[own]);
    if (strike(r, Hit(hit_distances[own], imageLoad(hit_ids, ivec2(pixel)).r), push.bounce)) {
        state[own + AGAIN] = packed(r);
    } else {
        imageStore(traced_light, ivec2(pixel), vec4(r.radiance, float(push.bounce + 1u)));
        clear_item(own);
    }
}
