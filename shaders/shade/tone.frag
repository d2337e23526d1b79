#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/whole.glsl"
#include "shade/curve.glsl"

//! Tone mapping of light to a picture, as a draw.
layout(location = 0) out vec4 color;

void main() { color = shown(curved(whole(gl_FragCoord.xy - 0.5)), gl_FragCoord.xy); }
