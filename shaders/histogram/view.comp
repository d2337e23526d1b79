#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! A bar for each bin, the fullest as high as the picture.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0, scalar) readonly buffer Bins { uint bins[]; };
layout(binding = 1, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform Push { uint count; } push;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    uint most = 1;
    for (uint i = 0; i < push.count; ++i) most = max(most, bins[i]);
    uint bin = uint(at.x) * push.count / uint(size.x);
    float height = float(bins[bin]) / float(most) * float(size.y);
    bool inside = float(size.y - at.y) <= height;
    imageStore(picture, at, inside ? vec4(1.0, 0.8, 0.2, 1.0) : vec4(0.0, 0.0, 0.0, 1.0));
}
