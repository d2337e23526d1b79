#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"

//! A and B in one picture. Sides up to 46340.
layout(binding = 0) uniform sampler2D picture_a;
layout(binding = 1) uniform sampler2D picture_b;
layout(binding = 2) uniform sampler2D coverage;
layout(push_constant, scalar) uniform Push {
    uint layout_of_both;
    /// Column from which on a split picture is B.
    uint line;
    float gain;
} push;
layout(constant_id = 0) const uint TARGET_IS_SRGB = 0;
layout(location = 0) out vec4 color;

// Kinds of layout: Layout of src/ab/composition.rs.
const uint ONLY_A = 0, ONLY_B = 1, LENS = 2, SPLIT = 3, DIFFERENCE = 4;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    uvec2 size_a = textureSize(picture_a, 0), size_b = textureSize(picture_b, 0);
    vec3 a = texelFetch(picture_a, at, 0).rgb;
    vec3 b = texelFetch(picture_b, ivec2((2u * uvec2(at) + 1u) * size_b / (2u * size_a)), 0).rgb;
    vec3 encoded = a;
    switch (push.layout_of_both) {
        case ONLY_B: encoded = b; break;
        case LENS: encoded = mix(a, b, texelFetch(coverage, at, 0).r); break;
        case SPLIT: encoded = uint(at.x) < push.line ? a : b; break;
        case DIFFERENCE: encoded = min(abs(a - b) * push.gain, 1.0); break;
    }
    color = vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : encoded, 1.0);
}
