#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Shadow, as a draw.
#define SPAN_LENSES
#include "glass/regions.glsl"

layout(location = 0) out vec4 color;

void main() {
    vec3 value;
    if (!shadow(gl_FragCoord.xy, value)) {
        discard;
    }
    color = written(value);
}
