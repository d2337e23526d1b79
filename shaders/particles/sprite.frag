#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/look.glsl"
#include "particles/sprite.glsl"

//! A particle's pixel: soft towards its edge, and where it meets a surface behind it.
layout(binding = 6) uniform sampler2D depths; // nearest
layout(location = 0) out vec4 color;

void main() {
    vec2 at = (gl_FragCoord.xy - disc.xy) / disc.z;
    float depth = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
    color = light * (profile(dot(at, at), reach.z) * before(depth, reach.x, reach.y));
}
