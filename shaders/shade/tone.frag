#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/curve.glsl"

// Light to a picture, as a draw.
layout(location = 0) out vec4 color;

void main() { color = shown(curved(ivec2(gl_FragCoord.xy)), gl_FragCoord.xy); }
