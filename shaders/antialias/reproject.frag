#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/reproject.glsl"

//! reproject.comp as a draw.
layout(location = 0) out vec4 moved;

void main() { moved = reprojected(gl_FragCoord.xy); }
