#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// variant: shared SHARED=1
#include "include/prelude.glsl"
#define STEPS
#include "reflections/ways.glsl"

//! Stencil with minimal work, to measure and check how the work is found. An item hashes its number in every live
//! bounce, which decides whether it lives on.
layout(binding = 29, scalar) buffer State { uint state[]; };
uint value;

void load_item(uint item) { value = state[item]; }
bool step_item(uint item, uint bounce) {
    value = value * 747796405u + 2891336453u;
    state[item] = value;
    return bounce + 1u < plan.depth && (value >> 28) >= bounce;
}

void main() { run_bounce(); }
