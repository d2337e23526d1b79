#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "reflections/ways.glsl"

//! Dispatch arguments of the first bounce. One thread of one workgroup.
void main() {
    if (gl_LocalInvocationIndex == 0) call_bounce(0);
}
