#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Cost of a kernel that only tests liveness, by storage, for benchmarks.
layout(binding = 29, scalar) buffer State { uint state[]; };

void main() {
    uint word = group_number(), bit = gl_LocalInvocationIndex;
    if (word < plan.words && is_live(word, bit)) state[32u * word + bit] += 1u;
}
