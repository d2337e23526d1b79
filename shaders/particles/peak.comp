#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Arithmetic peak of the device: fused multiply-adds in eight chains a thread, each 2 flop a step.
layout(local_size_x = 256) in;
layout(binding = 0, scalar) writeonly buffer Sink { float sink[]; };
layout(push_constant, scalar) uniform Push { uint steps; float factor; } push;

void main() {
    vec4 a = vec4(gl_GlobalInvocationID.x) + vec4(0, 1, 2, 3), b = a + 4.0;
    for (uint k = 0; k < push.steps; k++) {
        a = fma(a, vec4(push.factor), vec4(0.5));
        b = fma(b, vec4(push.factor), vec4(0.5));
    }
    vec4 sum = a + b;
    if (sum.x + sum.y + sum.z + sum.w == 1234.5) sink[0] = 1.0; // never true, but the compiler cannot know
}
