#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/front.glsl"

//! Depths that reprojection follows, up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 1, r32f) uniform writeonly image2D front;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(front)))) return;
    imageStore(front, at, vec4(front_at(at)));
}
