#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Arithmetic load: keeps a GPU's clocks up, and its time measures them. 8192 dependent operations for each invocation.
layout(local_size_x = 256) in;
layout(binding = 0, scalar) writeonly buffer Sink { float sink[]; };

void main() {
    float a = float(gl_GlobalInvocationID.x) * 1e-6, b = a + 0.5;
    for (int i = 0; i < 2048; ++i) {
        a = a * 0.999 + 0.001;
        b = b * 0.998 + a;
        a = a * 0.997 + 0.002;
        b = b * 0.996 - a;
    }
    // Keeps the computation.
    if (a + b == 12345.678) sink[0] = a;
}
