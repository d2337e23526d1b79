//! Number of IDs in each of GROUPS groups of 32 invocations, as a warp of 32 lanes would meet them, on any device.
#ifndef PIXEL_SORT_DISTINCT
#define PIXEL_SORT_DISTINCT

shared uint group_ids[GROUPS][32];
shared uint group_kinds[GROUPS];

/// Called by all invocations.
uint distinct(uint group, uint member, uint id) {
    barrier();
    group_ids[group][member] = id;
    if (member == 0) group_kinds[group] = 0;
    barrier();
    bool seen = id == 0;
    // Unrolled, it keeps a mask of lanes for each turn.
    [[dont_unroll]] for (uint i = 0; i < member; i++) seen = seen || group_ids[group][i] == id;
    if (!seen) atomicAdd(group_kinds[group], 1);
    barrier();
    return group_kinds[group];
}

#endif
