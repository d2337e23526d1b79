#version 460
#extension GL_GOOGLE_include_directive : require
// variant: subgroup SUBGROUP=1
// rare variant: shared SHARED=1
#include "include/prelude.glsl"
#define STEPS
#define NAMES_TAKERS
#include "reflections/ways.glsl"

//! One bounce of rays whose number of bounces is known, for the steps of a finished picture. Records which workgroup
//! took which word.
layout(binding = 29, scalar) readonly buffer State { uint state[]; };
layout(binding = 2, scalar) writeonly buffer Takers { uint takers[]; };
uint value;

void load_item(uint item) { value = state[item]; }
bool step_item(uint item, uint bounce) { return bounce + 1u < min(value, plan.depth); }
void note_taker(uint bounce, uint at, uint group) { takers[bounce * plan.words + at] = group; }

void main() { run_bounce(); }
