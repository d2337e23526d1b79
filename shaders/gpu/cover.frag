#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: a value plus the existing depth, sampled while it is tested.
layout(binding = 0) uniform sampler2D depths;
layout(push_constant, scalar) uniform Push { float right; float depth; float value; } push;
layout(location = 0) out vec4 color;
void main() { color = vec4(push.value + texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r); }
