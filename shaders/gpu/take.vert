#version 460

//! Test of the recorder: points from a vertex buffer.
layout(location = 0) in vec2 at;
layout(location = 3) in float value;
layout(location = 0) flat out float shown;

void main() {
    gl_Position = vec4(at, 0.0, 1.0);
    gl_PointSize = 1.0;
    shown = value;
}
