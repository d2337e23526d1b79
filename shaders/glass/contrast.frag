#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of the contrast of text: each pixel below it against the ink that is drawn there; red 1:1, yellow 4.5:1, green 8:1.
#include "include/srgb.glsl"
#include "include/luma.glsl"
#include "glass/ink.glsl"

layout(scalar, binding = 0) readonly buffer Marks {
    Mark mark[];
} marks;
layout(scalar, binding = 1) readonly buffer Inks {
    Ink ink[];
} inks;
layout(binding = 3) uniform sampler2D ground; // nearest, encoded values
layout(constant_id = 0) const uint TARGET_IS_SRGB = 0;
layout(location = 0) flat in uint index;
layout(location = 0) out vec4 color;

vec3 ramp(float contrast) {
    const vec3 stops[3] = vec3[](vec3(217, 51, 51), vec3(230, 191, 64), vec3(38, 115, 77));
    float t = clamp((contrast - 1.0) / 3.5, 0.0, 2.0);
    return (t < 1.0 ? mix(stops[0], stops[1], t) : mix(stops[1], stops[2], t - 1.0)) / 255.0;
}

void main() {
    Mark mark = marks.mark[index];
    vec2 at = gl_FragCoord.xy;
    if (any(lessThan(at, mark.low)) || any(greaterThan(at, mark.high))) {
        discard;
    }
    float below = dot(linear_from_encoded(texelFetch(ground, ivec2(at), 0).rgb), LUMA);
    float ink = mix(DARK, LIGHT, inks.ink[mark.piece].side);
    float contrast = (max(below, ink) + 0.05) / (min(below, ink) + 0.05);
    vec3 encoded = ramp(contrast);
    color = vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : encoded, 1.0);
}
