#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! The shadow: the picture itself, darkened. Only for rectangles that neither glass nor contour touches; pixels that keep
//! their light are left as they are, bit for bit.
#include "glass/inside.glsl"

layout(location = 0) out vec4 color;

void main() {
    vec2 frag = gl_FragCoord.xy;
    float left = light_left(frag, 100.0);
    if (left >= 1.0) {
        discard;
    }
    color = written(dither(encoded_from_linear(clamp(sample_around(frag, 0.0) * left, 0.0, 1.0)), frag));
}
