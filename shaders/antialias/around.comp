#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/around.glsl"

//! Neighbourhood of each sample, found once for all pixels that share it where the picture has more pixels than
//! samples. Up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 6, rgba16f) uniform writeonly image2D averages;
layout(binding = 7, rgba32ui) uniform writeonly uimage2D ranges;
layout(binding = 8, rgba32ui) uniform writeonly uimage2D motions;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(averages)))) return;
    Packed p = packed_around(at);
    imageStore(averages, at, p.average);
    imageStore(ranges, at, p.range);
    imageStore(motions, at, p.motion);
}
