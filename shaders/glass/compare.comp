#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One column of the comparison of blurs: the blurred part, below it eight times its error about grey. Any size.
#include "glass/judge.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 6, rgba8) uniform writeonly image2D picture;

/// Colours of the legend in views.rs.
const vec3 MARKS[7] = vec3[](vec3(1.0), vec3(0.878, 0.353, 0.314), vec3(0.941, 0.627, 0.251), vec3(0.902, 0.863, 0.314),
    vec3(0.314, 0.784, 0.824), vec3(0.784, 0.431, 0.902), vec3(0.902, 0.510, 0.667));

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.extent))) {
        return;
    }
    vec3 want = wanted(at);
    vec3 c = push.variance > 0.0 ? found(at) : want;
    vec3 error = 0.5 + 8.0 * (c - want);
    bool is_marked = push.column < 7u;
    if (is_marked && at.y < 8u) {
        c = MARKS[push.column];
    }
    if (is_marked && at.x < 4u) {
        c = at.x == 0u ? vec3(0.0) : MARKS[push.column];
        error = c;
    }
    ivec2 to = ivec2(push.place + at);
    imageStore(picture, to, vec4(c, 1.0));
    imageStore(picture, to + ivec2(0, push.extent.y), vec4(clamp(error, 0.0, 1.0), 1.0));
}
