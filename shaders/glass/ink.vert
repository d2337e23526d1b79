#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! A rectangle for each mark.
#include "glass/ink.glsl"

layout(scalar, binding = 0) readonly buffer Marks {
    Mark mark[];
} marks;
layout(scalar, push_constant) uniform InkPush {
    vec2 size;
} push;
layout(location = 0) flat out uint index;

void main() {
    Mark mark = marks.mark[gl_InstanceIndex];
    const uint corner[6] = uint[](0, 1, 2, 2, 1, 3);
    uint c = corner[gl_VertexIndex];
    // A pixel more for soft edges.
    vec2 low = mark.low - 1.0;
    vec2 high = mark.high + 1.0;
    vec2 p = vec2((c & 1) != 0 ? high.x : low.x, (c & 2) != 0 ? high.y : low.y);
    index = gl_InstanceIndex;
    gl_Position = vec4(p / push.size * 2.0 - 1.0, 0.0, 1.0);
}
