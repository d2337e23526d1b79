#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Level 0 of the chain: the picture in linear light.
// variant: rgba16f KIND=0
// rare variant: rgba8 KIND=1
// rare variant: r32f KIND=2
// rare variant: bytes KIND=3
#include "mip_chain/texel.glsl"

layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D picture; // seen through an sRGB format, which the hardware decodes; as it is where the chain is sRGB (value_of)
layout(binding = 1, FORMAT) uniform writeonly IMAGE level;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(level)))) return;
    imageStore(level, at, stored_of(value_of(texelFetch(picture, at, 0))));
}
