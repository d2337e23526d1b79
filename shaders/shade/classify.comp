#version 460
#extension GL_GOOGLE_include_directive : require
// variant: pixels PIXELS=1 TEXELS=1
// variant: sky SKY=1
#include "include/prelude.glsl"
#include "shade/work.glsl"

//! Lists, for each kind of material and for the sky, of the workgroups with pixels of it. `calls`: arguments of the
//! indirect dispatches, four words each, cleared to 0, 1, 1, 0. An invocation handles eight pixels: software drivers do
//! atomics lane by lane.
layout(local_size_x = 16) in;
layout(binding = 0) uniform usampler2D ids; // nearest
layout(binding = 19, scalar) writeonly buffer Groups { uint groups[]; };
layout(binding = 21, scalar) buffer Calls { uint calls[]; };
shared uint found;

uint bit_of(uvec2 at) {
    if (any(greaterThanEqual(at, scene.size))) return 0u;
    uint visibility = texelFetch(ids, ivec2(at), 0).r;
#ifdef SKY
    return visibility == 0 ? 1u << KINDS_ALL : 0u;
#else
    return visibility != 0 ? 1u << kind_of(visibility) : 0u;
#endif
}

void main() {
    uint lane = gl_LocalInvocationIndex, group = my_group(), bits = 0;
    if (lane == 0) found = 0;
    for (uint i = lane; i < 128; i += 16) {
#ifdef SKY
        bits |= bit_of(pixel_of_group(group, i));
#else
        bits |= bit_of(pixel_of(group, i));
#endif
    }
    barrier();
    atomicOr(found, bits);
    barrier();
    if (lane <= KINDS_ALL && (found >> lane & 1u) != 0) groups[lane * scene.group_room + atomicAdd(calls[4 * lane], 1u)] = group;
}
