#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_ballot : require
#endif
#define STEPS
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/trace.glsl"
#include "shade/matter.glsl"

// One bounce: what a mirror's ray meets, the light that this sends back, and the ray that goes on where it is a mirror, too. One kernel for
// every way of finding the work, so that the picture is the same.
layout(binding = 29, scalar) buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light; // and how many bounces it took
layout(binding = 31, scalar) buffer Visits { uint visits[]; };        // nodes by item
Packed own;

void load_item(uint item) { own = state[item]; }
void save_item(uint item) { state[item] = own; }

bool step_item(uint item, uint bounce) {
    Ray r = unpacked(own);
    uint nodes_seen = 0;
    Hit hit = traced(r.origin, r.direction, nodes_seen);
    visits[item] = (bounce == 0 ? 0u : visits[item]) + nodes_seen;
    bool goes_on = false;
    if (hit.visibility == 0)
        // The sun's disc is in the highlights.
        r.radiance += r.through * backdrop(r.direction, vec3(0.0));
    else {
        // The cone's width at the hit, as the change of the ray from one pixel to the next would be.
        float angle = (r.width + r.spread * hit.t) / max(hit.t, 1e-6);
        vec3 across = normalize(cross(r.direction, abs(r.direction.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        Surface s = surface_on_ray(hit.visibility, r.origin, r.direction, angle * across, angle * cross(r.direction, across));
        Material m = materials[s.material];
        Light light;
        light.open = sun_seen(s.position, s.normal);
        light.sun = scene.sun_light * light.open;
        light.sky = s.sky;
        vec3 extra = vec3(0.0);
        Matter matter = matter_of(m.kind, s, m, light, extra);
        Mirror mirror;
        vec3 all = lit_apart(s, matter, light, mirror) + extra;
        goes_on = bounce + 1u < plan.depth && is_worth_tracing(r.worth * r.through * mirror.weight);
        if (goes_on) all = max(all - mirror.sky, 0.0);
        r.radiance += r.through * hazed(all, r.direction, hit.t);
        r.through *= mirror.weight * exp(-scene.haze * hit.t);
        r.width += r.spread * hit.t;
        r.spread += 2.0 * sqrt(s.bend);
        r.direction = mirrored_from(r.direction, mirror.normal, s.face);
        r.origin = lifted(s.position, s.face);
    }
    r.radiance = clamp(r.radiance, 0.0, 2000.0);
    if (!goes_on) imageStore(traced_light, ivec2(pixel_of_item(item)), vec4(r.radiance, float(bounce + 1u)));
    own = packed(r);
    return goes_on;
}

void main() { run_bounce(); }
