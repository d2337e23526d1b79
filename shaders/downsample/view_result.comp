#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of the result over the whole picture, its pixels as squares. Sides up to 16384.
#include "downsample/display.glsl"

layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D result;
layout(binding = 1, rgba8) uniform writeonly image2D picture;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    vec3 value = texelFetch(result, over(at, size, textureSize(result, 0)), 0).rgb;
    imageStore(picture, at, vec4(shown(value), 1.0));
}
