#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/reproject.glsl"

//! Reprojection of a picture to another camera, as a dispatch. Pictures up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 2, rgba8) uniform writeonly image2D moved;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(moved)))) return;
    imageStore(moved, at, reprojected(vec2(at) + 0.5));
}
