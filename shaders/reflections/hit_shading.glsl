//! Light of a ray at its end, or its reflection at a mirror.
#ifndef REFLECTIONS_HIT_SHADING
#define REFLECTIONS_HIT_SHADING
#include "reflections/cone.glsl"
#include "reflections/miss.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "shade/matter.glsl"
#include "reflections/holes.glsl"
#include "shade/groups.glsl"

Packed packed_ray();

// In registers the next ray's inputs take five. Not with ray queries, for whose stack drivers take the shared memory.
#ifndef HARDWARE
shared vec3 kept_face[gl_WorkGroupSize.x];
shared vec2 kept_bend_and_t[gl_WorkGroupSize.x];
#endif

/// True: a mirror, and `r`, of which only the way is valid, is the next ray.
bool strike(inout Ray r, Hit hit, uint bounce) {
    Surface s = surface_met(r, hit);
#ifndef HARDWARE
    kept_face[gl_LocalInvocationIndex] = s.face;
    kept_bend_and_t[gl_LocalInvocationIndex] = vec2(s.bend, hit.t);
#endif
    Light light;
    light.open = sun_seen(s.position, s.normal);
    light.sky = s.sky;
    vec3 extra = vec3(0.0);
    Matter matter = matter_of(kind_among(s.material), s, light, extra);
    Mirror mirror;
    vec3 all = lit_apart(s, matter, light, mirror) + extra;
    r = unpacked(packed_ray());
#ifndef HARDWARE
    s.face = kept_face[gl_LocalInvocationIndex + AGAIN];
    s.bend = kept_bend_and_t[gl_LocalInvocationIndex + AGAIN].x;
    hit.t = kept_bend_and_t[gl_LocalInvocationIndex + AGAIN].y;
#endif
    bool goes_on = bounce + 1u < plan.depth && is_worth_tracing(r.worth * r.through * mirror.weight);
    if (goes_on) all = max(all - mirror.sky, 0.0);
    r.radiance += r.through * hazed(all, r.direction, hit.t);
    r.through *= mirror.weight * exp(-scene.haze * hit.t);
    r.width = min(r.width + r.spread * hit.t, WIDTH_MOST);
    r.spread = widened(r.spread, sqrt(s.bend));
    r.direction = mirrored_from(r.direction, mirror.normal, s.face);
    r.origin = lifted(s.position, s.face);
    keep_finite(r);
    return goes_on;
}

#endif
