#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/whole.glsl"
//! Level 0 of the chain: the picture in linear light, as a draw.

layout(binding = 0) uniform sampler2D above; // the picture, seen through an sRGB format
layout(location = 0) out vec4 texel;

void main() { texel = vec4(texelFetch(above, whole(gl_FragCoord.xy - 0.5), 0).rgb, 1.0); }
