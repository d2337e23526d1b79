#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"

// Panels are blended as encoded values, which is how egui chooses its colours and smooths its letters.
layout(binding = 2) uniform sampler2D picture; // encoded, premultiplied
layout(push_constant, scalar) uniform Push {
    vec2 size;
    uint first_index;
    uint first_vertex;
    uint target_is_srgb;
} push;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main() {
    color = tint * textureLod(picture, uv, 0.0);
    // A target that encodes by itself blends linear light: only what covers fully looks the same there.
    if (push.target_is_srgb != 0) color.rgb = linear_from_encoded(color.rgb);
}
