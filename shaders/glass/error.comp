#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Sum of squared errors of one blur method against the true Gaussian, display values, one sum a workgroup. Any size.
#include "glass/judge.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(scalar, binding = 6) writeonly buffer Sums {
    float sum[];
} sums;

shared float part[256];

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    float error = 0.0;
    if (all(lessThan(at, push.extent))) {
        vec3 e = found(at) - wanted(at);
        error = dot(e, e);
    }
    uint me = gl_LocalInvocationIndex;
    part[me] = error;
    barrier();
    for (uint half_count = 128; half_count > 0; half_count /= 2) {
        if (me < half_count) {
            part[me] += part[me + half_count];
        }
        barrier();
    }
    if (me == 0) {
        sums.sum[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = part[0];
    }
}
