#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Picture of a blur, or of the true Gaussian. Any size.
#include "glass/judge.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 6, rgba8) uniform writeonly image2D picture;

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (all(lessThan(at, push.extent))) {
        imageStore(picture, ivec2(at), vec4(push.variance > 0.0 ? found(at) : wanted(at), 1.0));
    }
}
