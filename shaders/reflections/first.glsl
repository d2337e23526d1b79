//! First ray of a mirror's pixel.
#ifndef REFLECTIONS_FIRST
#define REFLECTIONS_FIRST
#include "reflections/cone.glsl"
#include "reflections/ray.glsl"
#include "shade/surface.glsl"

/// First ray of the pixel `at` of the whole picture; `mirror` as include/mirror.glsl packs it.
Ray first_ray(uint visibility, uvec2 at, uvec2 mirror) {
    Surface s = surface_at(visibility, vec2(at));
    vec3 weight = unpacked_rgb9e5(mirror.x);
    Ray r;
    r.origin = lifted(s.position, s.face);
    r.direction = mirrored_from(-s.view, unit_from_octahedral(mirror.y), s.face);
    // The pixel's own weight comes in where its light is put into the picture.
    r.through = vec3(1.0);
    r.radiance = vec3(0.0);
    float angle = pixel_angle();
    r.width = min(s.distance * angle, WIDTH_MOST);
    // The surface has its turn within the part of the picture's pixel that patterns are means of.
    float part = max(scene.detail, plan.least_detail) / scene.detail * float(plan.whole.y) / float(plan.size.y);
    r.spread = widened(angle, part * sqrt(s.bend));
    r.worth = max(weight.r, max(weight.g, weight.b));
    return r;
}

#endif
