#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Bandwidth baseline of bench rows: reads and writes this many bytes with no dependency between invocations. Up to 2^32 words of 16 bytes
//! each way.
layout(local_size_x = 256) in;
layout(binding = 0, scalar) readonly buffer Source { uvec4 source[]; };
layout(binding = 1, scalar) writeonly buffer Target { uvec4 target[]; };
layout(push_constant, scalar) uniform Push { uint reads; uint writes; uint stride; } push;

void main() {
    uvec4 sum = uvec4(gl_GlobalInvocationID.x);
    for (uint i = gl_GlobalInvocationID.x; i < push.reads; i += push.stride) sum ^= source[i];
    for (uint i = gl_GlobalInvocationID.x; i < push.writes; i += push.stride) target[i] = sum;
    // Keeps the reads.
    if (push.writes == 0 && sum == uvec4(1, 2, 3, 5)) target[0] = sum;
}
