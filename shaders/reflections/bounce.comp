#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
// rare variant: subgroup_hardware SUBGROUP=1 HARDWARE=1
// rare variant: shared_hardware SHARED=1 HARDWARE=1
#include "include/prelude.glsl"
#ifdef HARDWARE
#extension GL_EXT_ray_query : require
#endif
#define STEPS
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "reflections/hit_shading.glsl"
#include "reflections/holes.glsl"

//! One bounce: the hit of a mirror's ray, its reflected light, and the next ray if it hits a mirror. One kernel for
//! every way of finding the work, so that the picture is the same.
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
layout(binding = 31, scalar) buffer Visits { uint visits[]; };        // nodes by item
uint own;

// In registers the ray takes eight.
void load_item(uint item) { own = item; }

Packed packed_ray() { return state[own + AGAIN]; }

bool step_item(uint item, uint bounce) {
    Ray r = way_of(state[item]);
    uint nodes_seen = 0;
    Hit hit = met_on(r, nodes_seen);
    if (FLAT == 0) r = way_of(packed_ray()); // not kept during the traversal of two levels, which needs more registers
    visits[item] = (bounce == 0 ? 0u : visits[item]) + nodes_seen;
    bool goes_on = false;
    if (hit.visibility == 0) {
        r = unpacked(packed_ray());
        miss(r);
    } else
        goes_on = strike(r, hit, bounce);
    if (goes_on) state[item + AGAIN] = packed(r);
    else imageStore(traced_light, ivec2(pixel_of_item(item)), vec4(r.radiance, float(bounce + 1u)));
    return goes_on;
}

void main() { run_bounce(); }
