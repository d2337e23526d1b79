//! Light of a ray that hits nothing.
#ifndef REFLECTIONS_MISS
#define REFLECTIONS_MISS
#include "reflections/ray.glsl"
#include "shade/sky_picture.glsl"

void keep_finite(inout Ray r) { r.radiance = clamp(r.radiance, 0.0, 2000.0); }

void miss(inout Ray r) {
    vec3 sky;
    if (has_sky_picture()) {
        sky = picture_radiance(r.direction, r.spread);
    } else {
        sky = backdrop(r.direction, vec3(0.0));
    }
    r.radiance += r.through * sky;
    keep_finite(r);
}

#endif
