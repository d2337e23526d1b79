#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: gain times the first texel of a sampled image.
layout(binding = 0) uniform sampler2D src;
layout(push_constant, scalar) uniform Push { float gain; } push;
layout(location = 0) out vec4 color;
void main() { color = push.gain * texelFetch(src, ivec2(gl_FragCoord.xy), 0); }
