#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: sums a sampled image into a buffer and leaves indirect arguments; one workgroup.
layout(local_size_x = 64) in;
struct Total { uint sum; uint texels; };
layout(binding = 0) uniform sampler2D src;
layout(binding = 1, scalar) buffer Totals { Total totals[]; };
layout(binding = 2, scalar) writeonly buffer Arguments { uvec3 groups; };

void main() {
    ivec2 size = textureSize(src, 0);
    uint sum = 0;
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y; i += 64)
        sum += uint(texelFetch(src, ivec2(i % size.x, i / size.x), 0).r);
    atomicAdd(totals[0].sum, sum);
    if (gl_LocalInvocationIndex == 0) {
        atomicAdd(totals[0].texels, uint(size.x * size.y));
        groups = uvec3(2, 1, 1);
    }
}
