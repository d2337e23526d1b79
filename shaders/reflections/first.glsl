// The ray that a pixel's mirror sends on.
#ifndef REFLECTIONS_FIRST
#define REFLECTIONS_FIRST
#include "reflections/plan.glsl"
#include "reflections/ray.glsl"
#include "shade/surface.glsl"

/// Of the pixel `at` of the whole picture; `mirror` as include/mirror.glsl packs it.
Ray first_ray(uint visibility, uvec2 at, uvec2 mirror) {
    Surface s = surface_at(visibility, vec2(at));
    vec3 weight = unpacked_rgb9e5(mirror.x);
    Ray r;
    r.origin = lifted(s.position, s.face);
    r.direction = mirrored_from(-s.view, unit_from_octahedral(mirror.y), s.face);
    // The pixel's own weight comes in where its light is put into the picture.
    r.through = vec3(1.0);
    r.radiance = vec3(0.0);
    float pixel_angle = length(scene.ray_down) * float(plan.whole.y) / float(plan.size.y);
    r.width = s.distance * pixel_angle;
    r.spread = pixel_angle + 2.0 * sqrt(s.bend);
    r.worth = max(weight.r, max(weight.g, weight.b));
    return r;
}

#endif
