#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/whole.glsl"
#include "antialias/front.glsl"

//! front.comp as a draw.
layout(location = 0) out float front;

void main() { front = front_at(whole(gl_FragCoord.xy - 0.5)); }
