#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/around.glsl"

//! around.comp as a draw.
layout(location = 0) out vec4 average;
layout(location = 1) out uvec4 range;
layout(location = 2) out uvec4 motion;

void main() {
    Packed p = packed_around(whole(gl_FragCoord.xy - 0.5));
    average = p.average;
    range = p.range;
    motion = p.motion;
}
