#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Test of the recorder: a vertex at the middle of each of `count` texels in a row, with a value; any count.
layout(constant_id = 1) const uint WIDE = 64;
layout(local_size_x = 64, local_size_x_id = 1) in;
struct Vertex { vec2 at; float unused; float value; };
layout(binding = 0, scalar) writeonly buffer Vertices { Vertex vertices[]; };
layout(push_constant, scalar) uniform Push { uint count; float first; } push;

void main() {
    for (uint i = gl_GlobalInvocationID.x; i < push.count; i += gl_NumWorkGroups.x * WIDE)
        vertices[i] = Vertex(vec2((2.0 * float(i) + 1.0) / float(push.count) - 1.0, 0.0), -1.0, push.first + float(i));
}
