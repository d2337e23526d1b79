#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Counts of each bounce from the finished picture: its mask, live pixels and words that hold one. A workgroup a word.
layout(binding = 18) uniform sampler2D traced_light; // nearest
layout(binding = 0, scalar) writeonly buffer Masks { uint masks[]; };
layout(binding = 1, scalar) buffer Counts { uint counts[]; }; // lanes, words of each bounce

void main() {
    uint bit = own_bit(), word = group_number();
    if (word >= plan.words) return;
    uvec2 at = pixel_of_item(32u * word + bit);
    float bounces = all(lessThan(at, plan.size)) ? texelFetch(traced_light, ivec2(at), 0).a : 0.0;
    for (uint bounce = 0; bounce < plan.depth; bounce++) {
        uint flags = word_of(bit, bounces > float(bounce));
        if (bit == 0) {
            masks[bounce * plan.words + word] = flags;
            if (flags != 0) {
                atomicAdd(counts[2u * bounce], bitCount(flags));
                atomicAdd(counts[2u * bounce + 1u], 1u);
            }
        }
    }
}
