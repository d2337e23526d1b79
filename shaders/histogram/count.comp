#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Counts the pixels of each brightness. Up to 2^32 pixels.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1, scalar) buffer Bins { uint bins[]; };
layout(push_constant, scalar) uniform Push { uint count; } push;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, textureSize(picture, 0)))) return;
    uvec3 rgb = uvec3(round(texelFetch(picture, at, 0).rgb * 255.0));
    uint brightness = (rgb.r + rgb.g + rgb.b) / 3;
    atomicAdd(bins[brightness * push.count / 256], 1);
}
