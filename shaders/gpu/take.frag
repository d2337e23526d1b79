#version 460

//! Test of the recorder: the value of a vertex.
layout(location = 0) flat in float shown;
layout(location = 0) out vec4 color;

void main() { color = vec4(shown); }
