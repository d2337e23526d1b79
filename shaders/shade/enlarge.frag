#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/enlarge.glsl"

//! Enlargement of a picture, as a draw.
layout(location = 0) out vec4 color;

void main() { color = shown(enlarged(gl_FragCoord.xy), gl_FragCoord.xy); }
