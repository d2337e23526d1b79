#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One step of Hillis and Steele's scan: each word gets the one `back` places before it. Any length below 2^32 - 2^23.
#define SHUFFLE 0
#include "summed_area/lanes.glsl"

layout(binding = 0, scalar) readonly buffer Source { uint source[]; };
layout(binding = 1, scalar) writeonly buffer Target { uint target[]; };
layout(push_constant, scalar) uniform Push { uint count; uint back; } push;

void main() {
    uint at = group_index() * THREADS + me();
    if (at >= push.count) return;
    uint before = source[at - min(at, push.back)];
    target[at] = source[at] + (at >= push.back ? before : 0);
}
