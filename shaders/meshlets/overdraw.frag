#version 460

//! Count of fragments: one for each, added up by the target's blending.
layout(location = 0) out vec4 layer;

void main() { layer = vec4(1.0); }
