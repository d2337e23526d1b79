#version 460
#extension GL_GOOGLE_include_directive : require
// variant: vertex MESH=0
// variant: mesh MESH=1
// variant: vertex_sun MESH=0 SUN=1
// variant: mesh_sun MESH=1 SUN=1
#include "include/prelude.glsl"
//! Visibility value of each pixel in which an alpha-masked surface is present; for the sun, its depth alone.
#include "meshlets/alpha.glsl"
#include "meshlets/id.glsl"

#ifdef SUN
void main() {
    if (is_cut_out(id, gl_FragCoord.xy)) discard;
}
#else
layout(location = 0) out uint visibility;

void main() {
    if (is_cut_out(id, gl_FragCoord.xy)) discard;
    visibility = id;
}
#endif
