#version 460
#extension GL_GOOGLE_include_directive : require
// variant: words TEXELS=0
// variant: texels TEXELS=1
#include "include/prelude.glsl"

//! Three vertices for each listed triangle, found by their number. Up to 2^21 triangles.
layout(location = 0) flat out uint id;
invariant gl_Position;

#if TEXELS
layout(binding = 12) uniform usamplerBuffer List;
layout(binding = 13) uniform samplerBuffer Corners;

void main() {
    id = texelFetch(List, gl_VertexIndex / 3).r;
    gl_Position = texelFetch(Corners, gl_VertexIndex);
}
#else
layout(binding = 12, scalar) readonly buffer List { uint list[]; };
layout(binding = 13, scalar) readonly buffer Corners { vec4 clips[]; };

void main() {
    id = list[gl_VertexIndex / 3];
    gl_Position = clips[gl_VertexIndex];
}
#endif
