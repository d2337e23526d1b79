//! Enlargement of a picture of display values by the sampler's linear filter. Pictures up to 65535 pixels a side.
#ifndef SHADE_ENLARGE
#define SHADE_ENLARGE
#include "shade/display.glsl"

layout(binding = 0) uniform sampler2D small; // linear
layout(push_constant, scalar) uniform Push { vec2 texel; } push; // of the source, in parts of the whole

vec3 enlarged(vec2 pixel) { return textureLod(small, pixel * push.texel, 0.0).rgb; }

#endif
