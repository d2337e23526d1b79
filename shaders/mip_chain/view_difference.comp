#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of a level's error against the exact area average, 16 times; grey is none. Any size.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D level; // nearest
layout(binding = 1) uniform sampler2D mean;  // nearest, as large as the level
layout(binding = 2, rgba8) uniform writeonly image2D picture;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    vec2 uv = (vec2(at) + 0.5) / vec2(size);
    vec3 difference = textureLod(level, uv, 0.0).rgb - textureLod(mean, uv, 0.0).rgb;
    imageStore(picture, at, vec4(0.5 + 16.0 * difference, 1.0));
}
