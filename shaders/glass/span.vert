#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Rectangles of whole pixels: six vertices for each, from a list in pixels (left, top, right, bottom).
#include "glass/push.glsl"

layout(scalar, binding = 4) readonly buffer Spans {
    uvec4 rectangle[];
} spans;

void main() {
    uvec4 span = spans.rectangle[push.first + gl_InstanceIndex];
    const uint corner[6] = uint[](0, 1, 2, 2, 1, 3);
    uint c = corner[gl_VertexIndex];
    vec2 p = vec2((c & 1) != 0 ? span.z : span.x, (c & 2) != 0 ? span.w : span.y);
    gl_Position = vec4(p / push.size * 2.0 - 1.0, 0.0, 1.0);
}
