#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/enlarge.glsl"

//! Enlargement of a picture, as a dispatch.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 1, r32ui) uniform writeonly uimage2D picture;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(picture)))) return;
    imageStore(picture, at, texel_of(dithered(enlarged(vec2(at) + 0.5), vec2(at))));
}
