#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Bevel and edge, as a draw, for rectangles that the bevel or the outline touches.
#define SPAN_LENSES
#include "glass/regions.glsl"

/// 1: the outline may run through the rectangles; 0: the glass covers them.
layout(constant_id = 3) const uint EDGE = 1;

layout(location = 0) out vec4 color;

void main() {
    vec3 value;
    if (!bevel(EDGE != 0, gl_FragCoord.xy, value)) {
        discard;
    }
    color = written(value);
}
