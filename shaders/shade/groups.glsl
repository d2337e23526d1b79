//! Pixels of a workgroup. Where a branch that no lane takes runs all the same (older software drivers), each kind of material has its own pass over the workgroups
//! that have it; classify.comp lists them.
#ifndef SHADE_GROUPS
#define SHADE_GROUPS
#include "shade/scene.glsl"

#ifdef GROUPS
layout(constant_id = 1) const uint ONLY = 0; // the kind that this pass shades; KINDS_ALL: the sky
layout(binding = 19, scalar) readonly buffer Groups { uint groups[]; };
uint my_group() { return groups[ONLY * scene.group_room + gl_WorkGroupID.x]; }
#else
uint my_group() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
#endif

uvec2 in_block(uint lane) { return uvec2(lane >> 5 & 1u, lane >> 6) * uvec2(8, 4) + uvec2(lane & 7u, lane >> 3 & 3u); }

uvec2 pixel_of_group(uint group, uint lane) {
    return uvec2(group % scene.groups_across, group / scene.groups_across) * uvec2(16, 8) + in_block(lane);
}

#endif
