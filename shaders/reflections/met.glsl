//! Triangles that the first rays of a moving picture met: for each bounce of one pixel in 2x2 the number that `meet` of trace.glsl takes, or 0: nothing.
#ifndef REFLECTIONS_MET
#define REFLECTIONS_MET
#include "reflections/uniforms.glsl"

/// No ray got so far.
const uint UNKNOWN = 0xFFFFFFFFu;
layout(binding = 36, scalar) buffer Met { uint met[]; };

uint met_place(uvec2 at, uint bounce) {
    uvec2 quads = (plan.size + 1u) / 2u, quad = at / 2u;
    return (bounce * quads.y + quad.y) * quads.x + quad.x;
}

/// Whether a pixel's ray is among the first.
bool is_first_at(uvec2 at) { return all(equal(at & 1u, ray_place() & 1u)); }

/// Keeps what a ray met; only of a pixel that is among the first.
void keep_met(uvec2 at, uint bounce, uint id) {
    if (is_first_at(at)) met[met_place(at, bounce)] = id;
}

/// Nothing is known of this bounce and those after it.
void keep_unknown(uvec2 at, uint bounce) {
    if (!is_first_at(at)) return;
    for (uint b = bounce; b < plan.depth; b++) met[met_place(at, b)] = UNKNOWN;
}

#endif
