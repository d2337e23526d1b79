#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Pixels of a mark: the coverage of its mask or box, in its ink.
#include "include/srgb.glsl"
#include "glass/ink.glsl"

layout(scalar, binding = 0) readonly buffer Marks {
    Mark mark[];
} marks;
layout(scalar, binding = 1) readonly buffer Inks {
    Ink ink[];
} inks;
layout(scalar, binding = 2) readonly buffer Masks {
    /// Four texels each.
    uint word[];
} masks;
layout(constant_id = 0) const uint TARGET_IS_SRGB = 0;
layout(location = 0) flat in uint index;
layout(location = 0) out vec4 color;

float texel(Mark mark, ivec2 at) {
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(mark.extent)))) {
        return 0.0;
    }
    uint place = mark.first + uint(at.y) * mark.extent.x + uint(at.x);
    return float((masks.word[place / 4] >> (place % 4 * 8)) & 255) / 255.0;
}

/// Bilinear.
float of_mask(Mark mark, vec2 at) {
    vec2 place = (at - mark.low) / (mark.high - mark.low) * vec2(mark.extent) - 0.5;
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    float above = mix(texel(mark, first), texel(mark, first + ivec2(1, 0)), part.x);
    float below = mix(texel(mark, first + ivec2(0, 1)), texel(mark, first + ivec2(1, 1)), part.x);
    return mix(above, below, part.y);
}

float of_box(Mark mark, vec2 at) {
    vec2 half_size = 0.5 * (mark.high - mark.low);
    float radius = min(mark.radius, min(half_size.x, half_size.y));
    vec2 off = abs(at - mark.low - half_size) - half_size + radius;
    float outside = length(max(off, vec2(0.0))) + min(max(off.x, off.y), 0.0) - radius;
    float line = mark.width > 0.0 ? max(outside, -outside - mark.width) : outside;
    return clamp(0.5 - line, 0.0, 1.0) * clamp(at.y - mark.top + 0.5, 0.0, 1.0);
}

/// 4.5 of WCAG 1.4.3, and what half a bin of the histogram, and a step of the bytes that are blended, take: 0.6 and 1.5 %.
const float CONTRAST = 4.65;

/// The least part of a veil that leaves the worst pixels enough contrast to ink: `to` is its colour, `limit` the farthest luminance.
float veil(float worst, float limit, float to) {
    float encoded = encoded_from_linear(vec3(worst)).r;
    float goal = encoded_from_linear(vec3(limit)).r;
    return clamp((encoded - goal) / (encoded - to), 0.0, 1.0);
}

vec4 veil_of(Ink ink) {
    float brightest = (LIGHT + 0.05) / ink.of_light - 0.05;
    float darkest = ink.of_dark * (DARK + 0.05) - 0.05;
    float most = (LIGHT + 0.05) / CONTRAST - 0.05;
    float least = CONTRAST * (DARK + 0.05) - 0.05;
    float shade = brightest > most ? veil(brightest, most, DARK_INK.r) : 0.0;
    float white = darkest < least ? veil(darkest, least, 1.0) : 0.0;
    float part = mix(white, shade, ink.light);
    return vec4(mix(LIGHT_INK, DARK_INK, ink.light), ink.pixels > 0.0 ? part : 0.0);
}

void main() {
    Mark mark = marks.mark[index];
    float coverage = (mark.kind & BOX) != 0 ? of_box(mark, gl_FragCoord.xy) : of_mask(mark, gl_FragCoord.xy);
    float light = inks.ink[mark.piece].light;
    vec3 encoded = (mark.kind & VOTED) != 0 ? mix(DARK_INK, LIGHT_INK, light * light * (3.0 - 2.0 * light)) : mark.color;
    float alpha = coverage * mark.alpha;
    if ((mark.kind & VEIL) != 0) {
        vec4 veiled = veil_of(inks.ink[mark.piece]);
        encoded = veiled.rgb;
        alpha *= veiled.a;
    }
    color = vec4((TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : encoded) * alpha, alpha);
}
