#version 460

//! A layer of the target's size, texel for texel, to be blended over the target.
layout(binding = 0) uniform sampler2D layer; // nearest
layout(location = 0) out vec4 color;

// Sampling takes Mesa's software driver three quarters of the time of a fetch, with the same result at centres.
void main() { color = textureLod(layer, gl_FragCoord.xy / vec2(textureSize(layer, 0)), 0.0); }
