#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Pass of Hensley's recursive doubling: each word gets the one `step` to the left or above. Sides below 2^16.
#include "summed_area/from.glsl"

layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 4, scalar) writeonly buffer To { uint to[]; };

void main() {
    uint plane = gl_GlobalInvocationID.z;
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.size))) return;
    uint sum = read(plane, at);
    if (all(greaterThanEqual(at, push.step))) sum = add(read(plane, at - push.step), sum);
    to[plane * push.plane + at.y * push.to_pitch + at.x] = sum;
}
