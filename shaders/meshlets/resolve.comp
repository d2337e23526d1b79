#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Copy of the nearest surfaces into the images that later passes read, leaving the buffer cleared. Sides up to 2^15.
layout(local_size_x = 32, local_size_y = 4) in;
layout(binding = 0, scalar) buffer Pixels { uvec2 pixels[]; };
layout(binding = 1, r32ui) uniform writeonly uimage2D ids;
layout(binding = 2, r32f) uniform writeonly image2D depth;
layout(push_constant, scalar) uniform ResolvePush { uvec2 size; } push;

void main() {
    uvec2 here = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(here, push.size))) return;
    uvec2 both = pixels[here.y * push.size.x + here.x];
    pixels[here.y * push.size.x + here.x] = uvec2(0);
    imageStore(ids, ivec2(here), uvec4(both.x, 0, 0, 0));
    imageStore(depth, ivec2(here), vec4(uintBitsToFloat(both.y), 0.0, 0.0, 0.0));
}
