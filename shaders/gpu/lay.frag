#version 460

//! A layer of the target's size, texel for texel, to be blended over the target.
layout(binding = 0) uniform sampler2D layer; // nearest
layout(location = 0) out vec4 color;

void main() { color = texelFetch(layer, ivec2(gl_FragCoord.xy), 0); }
