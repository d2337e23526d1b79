#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/light.glsl"

//! Lookup of the sky's map in given directions, at given roughnesses: for its check.
layout(local_size_x = 64) in;
struct Look { vec3 direction; float roughness; };
layout(binding = 0, scalar) readonly buffer Wanted { Look wanted[]; };
layout(binding = 1, scalar) writeonly buffer Seen { vec3 seen[]; };
layout(push_constant, scalar) uniform Push { uint count; } push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < push.count) seen[i] = mirrored(wanted[i].direction, wanted[i].roughness);
}
