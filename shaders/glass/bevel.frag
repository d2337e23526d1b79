#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Bevel and edge: everything. For rectangles that the bevel or the outline touches.
#include "glass/inside.glsl"

/// 1: the outline may run through this draw's rectangles; 0: the glass covers all of them.
layout(constant_id = 3) const uint EDGE = 1;

layout(location = 0) out vec4 color;

void main() {
    vec2 frag = gl_FragCoord.xy;
    Edge e = edge(frag);
    vec3 c = inside(frag, e);
    if (EDGE != 0) {
        float cover = coverage(e.d);
        float left = light_left(frag, e.d);
        if (cover <= 0.0 && left >= 1.0) {
            discard;
        }
        c = mix(sample_around(frag, 0.0) * left, c, cover);
    }
    color = written(dither(encoded_from_linear(clamp(c, 0.0, 1.0)), frag));
}
