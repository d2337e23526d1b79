#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "meshlets/cull.glsl"
#include "meshlets/stats.glsl"
#include "meshlets/draw_list.glsl"

//! List of the meshlet instances to draw: one invocation each, one atomic on memory for every 64. Up to 2^25 of them.
//! Fewer workgroups take several times 64, each in ascending order.
layout(local_size_x = 64) in;
layout(binding = 10, scalar) writeonly buffer Listed { uint listed[]; };

shared uint found, base;

void cull_group(uint group) {
    uint lane = gl_LocalInvocationIndex, within = group * 64 + lane;
    if (lane == 0) found = 0;
    if (lane < TALLIES) tally[lane] = 0;
    barrier();
    bool drawn = false;
    uint place = 0;
    if (within < push.count) {
        uint fate, count;
        drawn = is_drawn(push.first + within, fate, count);
        count_one(drawn, fate, count);
        if (drawn) place = atomicAdd(found, 1);
    }
    barrier();
    if (lane == 0 && found > 0) {
        base = atomicAdd(slots[push.slot].count, found);
        atomicMax(slots[push.slot].x, min(base + found, 65535u));
    }
    if (lane < TALLIES && tally[lane] > 0) atomicAdd(tallies[lane], tally[lane]);
    barrier();
    if (drawn) {
        uint index = push.first + within, at = LISTED_WORDS * (base + place);
        MeshletInstance p = meshlet_instances[index];
        listed[at + LISTED_INDEX] = index;
        listed[at + LISTED_INSTANCE] = p.instance;
        listed[at + LISTED_FIRST_VERTEX] = meshlets[p.meshlet].first_vertex;
        listed[at + LISTED_FIRST_TRIANGLE] = meshlets[p.meshlet].first_triangle;
        listed[at + LISTED_COUNTS] = meshlets[p.meshlet].vertices | meshlets[p.meshlet].triangles << 8;
    }
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; group * 64 < push.count; group += groups) {
        cull_group(group);
        barrier();
    }
}
