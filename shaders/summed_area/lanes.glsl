//! Lane and row of an invocation in a workgroup of 256, and the exchange of values among 32 neighbours.
#ifndef SUMMED_AREA_LANES
#define SUMMED_AREA_LANES

#if SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#endif

#define THREADS 256
layout(local_size_x = THREADS) in;

uint me() {
#if SHUFFLE
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
#else
    return gl_LocalInvocationIndex;
#endif
}

uint group_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

#endif
