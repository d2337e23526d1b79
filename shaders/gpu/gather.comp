#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: shared memory of a size given by a constant; one workgroup.
layout(constant_id = 0) const uint WIDE = 64;
layout(local_size_x = 64, local_size_x_id = 0) in;
layout(binding = 0, scalar) buffer Sums { vec4 sums[]; };
shared vec4 rows[WIDE];
shared uvec3 counts;

void main() {
    uint i = gl_LocalInvocationID.x;
    rows[i] = sums[i];
    if (i == 0) counts = uvec3(WIDE);
    barrier();
    sums[i] = rows[WIDE - 1u - i] * float(counts.y);
}
