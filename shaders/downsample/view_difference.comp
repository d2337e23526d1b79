#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of the result's displayed error against the exact mean, 8 times; grey is none. Sides up to 16384.
#include "downsample/display.glsl"

layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D result;
layout(binding = 1) uniform sampler2D mean; // as large
layout(binding = 2, rgba8) uniform writeonly image2D picture;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    ivec2 from = over(at, size, textureSize(result, 0));
    vec3 apart = shown(texelFetch(result, from, 0).rgb) - shown(texelFetch(mean, from, 0).rgb);
    imageStore(picture, at, vec4(127.0 / 255.0 + 8.0 * apart, 1.0));
}
