#version 460

// One more for every fragment; the target adds them up.
layout(location = 0) out vec4 layer;

void main() { layer = vec4(1.0); }
