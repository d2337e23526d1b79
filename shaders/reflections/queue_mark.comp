#version 460
#extension GL_GOOGLE_include_directive : require
// variant: texels TEXELS=1
#include "include/prelude.glsl"
#include "reflections/queues.glsl"
#include "reflections/first.glsl"

//! Mirrors among the pixels of a slice, and the first ray of each.
layout(binding = 0) uniform usampler2D ids;      // nearest
layout(binding = 23) uniform usampler2D mirrors; // nearest
layout(binding = 29, scalar) writeonly buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light;

void main() {
    uint item = push.first + gl_GlobalInvocationID.x;
    uvec2 pixel = pixel_of_item(item), at = whole_pixel(pixel);
    if (gl_GlobalInvocationID.x >= push.count || any(greaterThanEqual(pixel, plan.size))) return;
    imageStore(traced_light, ivec2(pixel), vec4(0.0));
    uint visibility = texelFetch(ids, ivec2(at), 0).r;
    if (visibility == 0) return;
    uvec2 mirror = texelFetch(mirrors, ivec2(at), 0).rg;
    if (mirror.x == 0) return;
    state[item] = packed(first_ray(visibility, at, mirror));
    enqueue(0, QUEUE_LIVE, item);
}
