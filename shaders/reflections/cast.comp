#version 460
#extension GL_GOOGLE_include_directive : require
// variant: buffers BUFFERS=1
// variant: texels TEXELS=1
// rare variant: hardware HARDWARE=1
// rare variant: hardware_texels HARDWARE=1 TEXELS=1
#include "include/prelude.glsl"
#ifdef HARDWARE
#extension GL_EXT_ray_query : require
#endif

//! Tracing of given rays, 64 a workgroup: their hits, and the number of nodes visited.
layout(local_size_x = 64) in;
#include "reflections/trace.glsl"
struct Cast { vec3 origin; vec3 direction; };
struct Found { float t; uint visibility; uint visits; };
layout(binding = 0, scalar) readonly buffer Casts { Cast casts[]; };
layout(binding = 1, scalar) writeonly buffer Finds { Found finds[]; };
layout(push_constant, scalar) uniform Push { uint count; } push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    uint visits = 0;
    Hit hit = traced(casts[i].origin, casts[i].direction, visits);
    finds[i] = Found(hit.t, hit.visibility, visits);
}
