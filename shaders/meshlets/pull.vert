#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

// Three vertices for each listed triangle, found by their number. Up to 2^21 triangles.
layout(binding = 12, scalar) readonly buffer List { uint list[]; };
layout(binding = 13, scalar) readonly buffer Corners { vec4 clips[]; };
layout(location = 0) flat out uint id;
invariant gl_Position;

void main() {
    id = list[gl_VertexIndex / 3];
    gl_Position = clips[gl_VertexIndex];
}
