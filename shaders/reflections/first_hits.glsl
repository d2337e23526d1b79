//! Triangles hit by the first rays of a moving picture: for each bounce of one pixel in 2x2 the `id` of `meet` in
//! trace.glsl, or 0.
#ifndef REFLECTIONS_FIRST_HITS
#define REFLECTIONS_FIRST_HITS
#include "reflections/uniforms.glsl"

const uint UNKNOWN = 0xFFFFFFFFu;
layout(binding = 36, scalar) buffer Met { uint met[]; };

uint met_place(uvec2 at, uint bounce) {
    uvec2 quads = (plan.size + 1u) / 2u, quad = at / 2u;
    return (bounce * quads.y + quad.y) * quads.x + quad.x;
}

bool is_first_at(uvec2 at) { return all(equal(at & 1u, ray_place() & 1u)); }

void keep_met(uvec2 at, uint bounce, uint id) {
    if (is_first_at(at)) met[met_place(at, bounce)] = id;
}

void keep_unknown(uvec2 at, uint bounce) {
    if (!is_first_at(at)) return;
    for (uint b = bounce; b < plan.depth; b++) met[met_place(at, b)] = UNKNOWN;
}

#endif
