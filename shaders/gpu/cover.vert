#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: the target from its left edge to `right` (clip space) at one depth; six vertices.
layout(push_constant, scalar) uniform Push { float right; float depth; float value; } push;
void main() {
    const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));
    vec2 corner = corners[gl_VertexIndex];
    gl_Position = vec4(mix(-1.0, push.right, corner.x), corner.y * 2.0 - 1.0, push.depth, 1.0);
}
