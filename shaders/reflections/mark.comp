#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/first.glsl"

//! Mirrors among the pixels: marks them in the stencil, and makes their rays.
layout(binding = 0) uniform usampler2D ids;      // nearest
layout(binding = 23) uniform usampler2D mirrors; // nearest
layout(binding = 29, scalar) writeonly buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light;

void main() {
    uint bit = own_bit(), word = group_number(), item = 32u * word + bit;
    uvec2 pixel = pixel_of_item(item), at = whole_pixel(pixel);
    bool there = word < plan.words && all(lessThan(pixel, plan.size));
    uint visibility = there ? texelFetch(ids, ivec2(at), 0).r : 0u;
    uvec2 mirror = visibility != 0 ? texelFetch(mirrors, ivec2(at), 0).rg : uvec2(0);
    bool live = mirror.x != 0;
    if (live) state[item] = packed(first_ray(visibility, at, mirror));
    if (there) imageStore(traced_light, ivec2(pixel), vec4(0.0));
    mark_item(bit, word, item, live);
}
