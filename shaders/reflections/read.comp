#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Read-only test alone, for benchmarks: threads that are not live do nothing. The cost of an empty call, by storage.
layout(binding = 29, scalar) buffer State { uint state[]; };

void main() {
    uint word = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, bit = gl_LocalInvocationIndex;
    if (word < plan.words && is_live(word, bit)) state[32u * word + bit] += 1u;
}
