#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One step of the raster chain: the sampler's linear filter at the middle of each pixel. Any size.
#include "downsample/push.glsl"
#include "downsample/drawn.glsl"

layout(binding = 0) uniform sampler2D above; // linear
layout(location = 0) out vec4 texel;

void main() { texel = drawn(textureLod(above, gl_FragCoord.xy / vec2(push.size), 0.0)); }
