#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/join.glsl"

//! Composition of the particle layer over the world's light. If the light has more pixels, the layer is enlarged.
layout(binding = 0) uniform sampler2D world; // nearest
layout(binding = 1) uniform sampler2D layer; // linear
layout(constant_id = 0) const uint ENLARGES = 0;
layout(location = 0) out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 above = ENLARGES != 0 ? textureLod(layer, gl_FragCoord.xy / vec2(textureSize(world, 0)), 0.0) : texelFetch(layer, at, 0);
    color = joined_of(texelFetch(world, at, 0), above);
}
