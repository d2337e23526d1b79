#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: dst = src + amount, texel by texel; any size up to the device's.
layout(constant_id = 0) const uint TIMES = 1;
layout(local_size_x_id = 1, local_size_y = 4) in;
layout(binding = 0, r32f) uniform readonly image2D src;
layout(binding = 1, r32f) uniform writeonly image2D dst;
layout(push_constant, scalar) uniform Push { uvec2 size; float amount; } push;

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.size))) return;
    imageStore(dst, ivec2(at), imageLoad(src, ivec2(at)) + push.amount * float(TIMES));
}
