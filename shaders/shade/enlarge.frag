#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/display.glsl"

// A picture of display values, enlarged by the sampler's linear filter, and dithered. Pictures up to 65535 pixels a side.
layout(binding = 0) uniform sampler2D small; // linear
layout(push_constant, scalar) uniform Push { vec2 texel; } push; // of what is drawn, in parts of the whole
layout(location = 0) out vec4 color;

void main() { color = shown(textureLod(small, gl_FragCoord.xy * push.texel, 0.0).rgb, gl_FragCoord.xy); }
