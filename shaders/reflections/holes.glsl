//! Hit of a ray behind alpha-masked holes.
#ifndef REFLECTIONS_HOLES
#define REFLECTIONS_HOLES
#include "reflections/trace.glsl"
#include "reflections/ray.glsl"
#include "shade/lookup.glsl"
#ifndef SHADE_TEXTURE
vec4 value_of(Texture t, uint bits) { return unpackUnorm4x8(bits); }
#endif
#include "include/texture.glsl"

layout(constant_id = 6) const uint CUTS = 0; // the world has something that is cut out
/// Surfaces after that many holes count as opaque.
const uint HOLES = 16;
const uint TAPS = 4;

/// The cone's width is the change of the ray from one pixel to the next.
Surface surface_met(Ray r, Hit hit) {
    float angle = (r.width + r.spread * hit.t) / max(hit.t, 1e-6);
    vec3 across = normalize(cross(r.direction, abs(r.direction.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    return surface_on_ray(hit.visibility, r.origin, r.direction, angle * across, angle * cross(r.direction, across));
}

bool is_cut_out(Surface s) {
    Material m = material_at(s.material);
    if ((m.flags & COVER_BITS) != COVER_MASK || (m.flags & WHOLE) != 0) return false;
    float alpha = m.base.a * alpha_at(s);
    if (m.textures[0] != NO_TEXTURE) {
        Lookup at = first_lookup(s, m.uv);
        if ((m.flags >> SECOND_UV_BIT & 1u) != 0) at = second_lookup(s, m);
        alpha *= sampled(m.textures[0], at.uv, at.right, at.down, TAPS).a;
    }
    return alpha < m.cutoff;
}

/// Nearest hit that passes the alpha test; t from the ray's origin.
Hit met_on(Ray r, inout uint visits) {
    vec3 from = r.origin;
    float passed = 0.0;
    Hit hit;
    for (uint i = 0;; i++) {
        hit = traced(from, r.direction, visits);
        hit.t += passed;
        if (CUTS == 0 || i == HOLES || hit.visibility == 0) break;
        Surface s = surface_met(r, hit);
        if (!is_cut_out(s)) break;
        from = lifted(s.position, -s.face);
        passed = dot(from - r.origin, r.direction);
    }
    return hit;
}

#endif
