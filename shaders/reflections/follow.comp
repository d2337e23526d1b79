#version 460
#extension GL_GOOGLE_include_directive : require
// variant: shader
// variant: takes_over TAKES_OVER=1
// rare variant: hardware HARDWARE=1
#include "include/prelude.glsl"
#ifdef HARDWARE
#extension GL_EXT_ray_query : require
#endif
#define THREADS 128
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "reflections/hit_shading.glsl"
#include "reflections/holes.glsl"
#include "reflections/reuse.glsl"

//! All bounces of a moving picture's mirrors, a thread for each listed pixel. The first rays traverse the hierarchy and
//! keep their hits. The others (TAKES_OVER) reuse the hits of the rays around; where those differ, they wait in a third
//! list and are traced last.
layout(push_constant, scalar) uniform Push { uint list; } push;
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
const uint FEW_PART = 6;
/// Item, and in the highest bits the next bounce.
const uint BOUNCE_BIT = 29;
uint own;
#ifdef TAKES_OVER
shared uint waiting;
shared uint first;
#endif

// In registers the ray takes eight.
Packed packed_ray() { return state[own + AGAIN]; }

/// True: it has to be traced at `bounce`.
bool follow(inout uint bounce) {
    Ray r = way_of(state[own]);
    for (;;) {
#ifdef TAKES_OVER
        Hit hit;
        if (!is_met_around(r, pixel_of_item(own), bounce, hit)) return true;
#else
        uint visits = 0;
        Hit hit = met_on(r, visits);
        if (FLAT == 0) r = way_of(packed_ray()); // see bounce.comp
        keep_met(pixel_of_item(own), bounce, FLAT == 0 ? hit.visibility : last_id);
#endif
        bounce++;
        if (hit.visibility == 0) {
            r = unpacked(packed_ray());
            miss(r);
            break;
        }
        if (!strike(r, hit, bounce - 1u)) break;
        Packed p = packed(r);
        state[own + AGAIN] = p;
        r = way_of(p);
    }
#ifndef TAKES_OVER
    keep_unknown(pixel_of_item(own), bounce);
#endif
    imageStore(traced_light, ivec2(pixel_of_item(own)), vec4(r.radiance, float(bounce)));
    return false;
}

void main() {
    uint group = group_number(), at = group * THREADS + gl_LocalInvocationIndex;
    // Few others take the hierarchy less time than two more dispatches.
    uint firsts = calls[0].lanes, others = calls[1].lanes, count = calls[push.list].lanes;
    bool are_few = FEW_PART * others < plan.size.x * plan.size.y;
    if (push.list == 0 && are_few) count += others;
    if (push.list == 1 && are_few || group * THREADS >= count) return;
    bool waits = false;
    uint bounce = 0, place = 0;
    if (at < count) {
        bool is_other = push.list == 0 && at >= firsts;
        uint entry = is_other ? work[live_lanes_at(1) + at - firsts] : work[live_lanes_at(push.list) + at];
        own = entry & (1u << BOUNCE_BIT) - 1u;
        bounce = entry >> BOUNCE_BIT;
        waits = follow(bounce);
    }
#ifdef TAKES_OVER
    if (gl_LocalInvocationIndex == 0) waiting = 0;
    barrier();
    if (waits) place = atomicAdd(waiting, 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0 && waiting != 0) first = atomicAdd(calls[push.list + 1u].lanes, waiting);
    barrier();
    if (waits) work[live_lanes_at(push.list + 1u) + first + place] = own | bounce << BOUNCE_BIT;
#endif
}
