#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mean and variance of the picture in the four cells around each corner of a lattice, and the part of the shade that
//! brings the brightest cell down to the luminance that the contrast requires.
#include "glass/sample_background.glsl"
#include "glass/light.glsl"
#include "glass/system.glsl"
#include "glass/luminance_adaptation.glsl"
#include "glass/text_contrast.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 8, rgba16f) uniform writeonly image2D made;

float bright_parts(vec2 middle, float bright) {
    float frost = OPTICS == 2u ? mix(glass.frost, glass.frost_light, bright) : glass.frost;
    float lod = lod_from_sigma(frost * frost);
    float sum = 0.0;
    float squares = 0.0;
    for (uint i = 0; i < 16; ++i) {
        vec2 place = middle + (vec2(i % 4, i / 4) - 1.5) * (0.25 * CELL);
        float y = clamp(dot(sample_chain(place, lod), LUMA), 0.0, 1.0);
        sum += y;
        squares += y * y;
    }
    float mean = sum / 16.0;
    return min(mean + sqrt(max(squares / 16.0 - mean * mean, 0.0)), 1.0);
}

float through_glass(float y, float bright) {
    if (OPTICS != 0u) {
        return dot(through_body(vec3(y), bright), LUMA);
    }
    return mix(y * dot(glass.body, LUMA), dot(glass.tint, LUMA), glass.tint_part) * adapted_gain(bright);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(made)))) {
        return;
    }
    vec2 corner = glass.shade_first + (vec2(at) + 0.5) * CELL;
    float part = 0.0;
    for (uint i = 0; i < 4; ++i) {
        vec2 middle = corner + (vec2(i % 2, i / 2) - 0.5) * CELL;
        float bright = brightness(middle);
        float y = through_glass(bright_parts(middle, bright), bright);
        part = max(part, clamp((y - glass.ground) / max(y - dot(SHADE, LUMA), 1e-4), 0.0, 1.0));
    }
    imageStore(made, at, vec4(glass.legible * part));
}
