#version 460
#extension GL_GOOGLE_include_directive : require
// variant: pixels PIXELS=1 TEXELS=1
// variant: sky SKY=1
#include "include/prelude.glsl"
#include "shade/work.glsl"

// Lists, for each kind of material and for the sky, the workgroups that have pixels of it. `calls` are the arguments of the indirect
// dispatches that follow, four words each, cleared before: 0, 1, 1, 0.
layout(local_size_x = 128) in;
layout(binding = 0) uniform usampler2D ids; // nearest
layout(binding = 19, scalar) writeonly buffer Groups { uint groups[]; };
layout(binding = 21, scalar) buffer Calls { uint calls[]; };
shared uint found;

void main() {
    uint lane = gl_LocalInvocationIndex, group = my_group();
    if (lane == 0) found = 0;
    barrier();
#ifdef SKY
    uvec2 at = pixel_of_group(group, lane);
#else
    uvec2 at = pixel_of(group, lane);
#endif
    if (all(lessThan(at, scene.size))) {
        uint visibility = texelFetch(ids, ivec2(at), 0).r;
#ifdef SKY
        if (visibility == 0) atomicOr(found, 1u << KINDS_ALL);
#else
        if (visibility != 0) atomicOr(found, 1u << kind_of(visibility));
#endif
    }
    barrier();
    if (lane <= KINDS_ALL && (found >> lane & 1u) != 0) groups[lane * scene.group_room + atomicAdd(calls[4 * lane], 1u)] = group;
}
