#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: vertex MESH=0
// variant: mesh MESH=1
//! Visibility value of each pixel.
#include "meshlets/id.glsl"

layout(location = 0) out uint visibility;

void main() { visibility = id; }
