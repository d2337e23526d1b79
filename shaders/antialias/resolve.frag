#version 460
#extension GL_GOOGLE_include_directive : require
// variant: same SAME=1
// variant: larger LARGER=1
#include "include/prelude.glsl"
#include "antialias/gather.glsl"

//! resolve.comp as a draw.
layout(location = 0) out vec4 resolved;
layout(location = 1) out uvec2 kept;

void main() {
    Gathered g = gathered(whole(gl_FragCoord.xy - 0.5));
    resolved = resolved_of(g);
    kept = g.surface;
}
