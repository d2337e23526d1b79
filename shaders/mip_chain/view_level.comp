#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"

//! View of one level over the whole picture, texels as squares. Any size up to the device's.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D level; // nearest
layout(binding = 1, rgba8) uniform writeonly image2D picture;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    vec2 uv = (vec2(at) + 0.5) / vec2(size);
    imageStore(picture, at, vec4(encoded_from_linear(textureLod(level, uv, 0.0).rgb), 1.0));
}
