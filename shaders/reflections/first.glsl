//! First ray of a mirror's pixel.
#ifndef REFLECTIONS_FIRST
#define REFLECTIONS_FIRST
#include "reflections/cone.glsl"
#include "reflections/ray.glsl"
#include "shade/surface.glsl"

Ray first_ray(uint visibility, uvec2 at, uvec2 mirror) {
    Surface s = surface_at(visibility, vec2(at));
    vec3 weight = unpacked_rgb9e5(mirror.x);
    Ray r;
    r.origin = lifted(s.position, s.face);
    r.direction = mirrored_from(-s.view, unit_from_octahedral(mirror.y), s.face);
    r.through = vec3(1.0);
    r.radiance = vec3(0.0);
    float angle = pixel_angle();
    r.width = min(s.distance * angle, WIDTH_MOST);
    // Within the part of the pixel over which patterns are averaged.
    float part = max(scene.detail, plan.least_detail) / scene.detail * float(plan.whole.y) / float(plan.size.y);
    r.spread = widened(angle, part * sqrt(s.bend));
    r.worth = max(weight.r, max(weight.g, weight.b));
    return r;
}

#endif
