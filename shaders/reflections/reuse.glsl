//! Hits of neighbouring pixels' rays, for a ray of a moving picture: with the same hit it traverses no hierarchy.
//! Objects thinner than two pixels in the mirror can be missed; the next frame's first rays are those of other pixels.
#ifndef REFLECTIONS_REUSE
#define REFLECTIONS_REUSE
#include "reflections/first_hits.glsl"

/// 2.5 degrees. Ten reuse more, but are hardly faster.
const float SMOOTH = 0.9981;

uint met_at(ivec2 at, uint bounce) {
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(plan.size)))) return UNKNOWN;
    return met[met_place(uvec2(at), bounce)];
}

mat3 corners_of_met(uint id) {
    mat3 found;
#ifndef HARDWARE
    if (FLAT != 0) {
        for (uint i = 0; i < 3; i++) found[i] = uintBitsToFloat(leaf_at(3 * (id - 1) + i).xyz);
        return found;
    }
#endif
    MeshletInstance place = meshlet_instance_at(meshlet_instance_of(id));
    uvec2 first = firsts_of(place.meshlet);
    uvec3 corners = corners_of(triangle_at(first.y + triangle_of(id)));
    mat4x3 world_from_mesh = instance_at(place.instance).world_from_mesh;
    for (uint i = 0; i < 3; i++) found[i] = world_from_mesh * vec4(corner_at(meshlet_vertex_at(first.x + corners[i])).position, 1.0);
    return found;
}

bool has_corner(mat3 triangle, vec3 corner) { return triangle[0] == corner || triangle[1] == corner || triangle[2] == corner; }

/// A common corner, and normals less than 2.5 degrees apart.
bool are_joined(uint first, uint second) {
    if (first == 0 || second == 0) return false;
    mat3 a = corners_of_met(first), b = corners_of_met(second);
    vec3 p = cross(a[1] - a[0], a[2] - a[0]), q = cross(b[1] - b[0], b[2] - b[0]);
    float along = dot(p, q);
    if (along <= 0.0 || along * along < SMOOTH * dot(p, p) * dot(q, q)) return false;
    return has_corner(a, b[0]) || has_corner(a, b[1]) || has_corner(a, b[2]);
}

/// All around have none, the same triangle, or parts of one smooth surface. Kept, the corners would take 18 registers.
bool is_met_around(Ray r, uvec2 at, uint bounce, out Hit hit) {
    ivec2 aside = ivec2(at + ray_place() & 1u);
    // Set once: branches of the loop would keep two values over all turns.
    uvec4 around = uvec4(0);
    hit = Hit(FAR, 0);
    for (uint i = 0; i < 4; i++) {
        around[i] = met_at(ivec2(at) + aside * (2 * ivec2((i ^ i >> 1) & 1u, i >> 1) - 1), bounce);
        if (around[i] == UNKNOWN) return false;
        if (i > 0 && around[i] != around[i - 1u] && !are_joined(around[i], around[i - 1u])) return false;
    }
    if (around[0] == 0) return true;
    Prepared prepared_ = prepared(r.origin, r.direction);
    for (uint i = 0; i < 4; i++) {
        if (i > 0 && around[i] == around[i - 1u]) continue;
        mat3 corners = corners_of_met(around[i]);
        meet(prepared_, corners[0], corners[1], corners[2], around[i], hit);
    }
    hit.visibility = visibility_of(hit.visibility);
    return hit.visibility != 0 && (CUTS == 0 || !is_cut_out(surface_met(r, hit)));
}

#endif
