#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Mirrors among the pixels of a finished picture: marks them in the stencil, and stores how many bounces each took.
layout(binding = 18) uniform sampler2D traced_light; // nearest
layout(binding = 29, scalar) writeonly buffer State { uint state[]; };

void main() {
    uint bit = own_bit(), word = group_number(), item = 32u * word + bit;
    uvec2 pixel = pixel_of_item(item);
    bool there = word < plan.words && all(lessThan(pixel, plan.size));
    uint bounces = there ? uint(texelFetch(traced_light, ivec2(pixel), 0).a) : 0u;
    if (word < plan.words) state[item] = bounces;
    bool live = bounces != 0;
    mark_item(bit, word, item, live);
}
