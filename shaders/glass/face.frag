#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Flat face, as a draw.
#define SPAN_LENSES
#include "glass/regions.glsl"

layout(location = 0) out vec4 color;

void main() {
    color = written(face(FROSTED, gl_FragCoord.xy));
}
