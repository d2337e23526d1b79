#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_ballot : require
#endif
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "shade/surface.glsl"

// Finds the mirrors among the pixels: marks them in the stencil, and makes the ray that each sends on.
layout(binding = 0) uniform usampler2D ids;      // nearest
layout(binding = 23) uniform usampler2D mirrors; // nearest
layout(binding = 29, scalar) writeonly buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light;

void main() {
    uint bit = own_bit(), word = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, item = 32u * word + bit;
    uvec2 pixel = pixel_of_item(item), at = whole_pixel(pixel);
    bool there = word < plan.words && all(lessThan(pixel, plan.size));
    uint visibility = there ? texelFetch(ids, ivec2(at), 0).r : 0u;
    uvec2 mirror = visibility != 0 ? texelFetch(mirrors, ivec2(at), 0).rg : uvec2(0);
    bool live = mirror.x != 0;
    if (live) {
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
        state[item] = packed(r);
    }
    if (there) imageStore(traced_light, ivec2(pixel), vec4(0.0));
    uint flags = word_of(bit, live);
    if (word < plan.words) store_word(word, bit, flags);
    publish(0, bit, word, item, live, flags, true);
}
