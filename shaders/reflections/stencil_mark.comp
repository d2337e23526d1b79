#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// variant: shared SHARED=1
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Marks of the items whose number is odd. Pixels outside of the picture are not marked.
layout(binding = 29, scalar) readonly buffer State { uint state[]; };

void main() {
    uint bit = own_bit(), word = group_number(), item = 32u * word + bit;
    bool there = word < plan.words && all(lessThan(pixel_of_item(item), plan.size));
    bool live = there && (state[item] & 1u) != 0;
    mark_item(bit, word, item, live);
}
