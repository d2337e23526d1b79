#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: vertex MESH=0
// variant: mesh MESH=1
//! Visibility value of each pixel.
#if MESH
#extension GL_EXT_mesh_shader : require
layout(location = 0) perprimitiveEXT flat in uint id;
#else
layout(location = 0) flat in uint id;
#endif

layout(location = 0) out uint visibility;

void main() { visibility = id; }
