#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"

//! Picture placed in a target into which nothing can be copied.
layout(binding = 0) uniform sampler2D picture; // nearest, encoded values
layout(push_constant, scalar) uniform Push { ivec2 corner; } push; // the target's pixel of its first
layout(constant_id = 0) const uint TARGET_IS_SRGB = 0;
layout(location = 0) out vec4 color;

void main() {
    vec3 encoded = texelFetch(picture, ivec2(gl_FragCoord.xy) - push.corner, 0).rgb;
    color = vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : encoded, 1.0);
}
