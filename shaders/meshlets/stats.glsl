//! Culling counters, summed by workgroup, in the order of src/techniques/meshlets/figures.rs.
struct Slot {
    uint x, y, z;
    uint count;
};
const uint TALLIES = 8;
layout(binding = 9, scalar) buffer Work {
    /// Drawn in the first and in the second phase, out of the frustum, facing away, hidden, triangles by phase.
    uint tallies[TALLIES];
    Slot slots[];
};

shared uint tally[TALLIES];

void count_one(bool drawn, uint fate, uint count) {
    if (push.phase == PHASE_SELECT) return;
    uint second = push.phase - PHASE_FIRST;
    if (drawn) {
        atomicAdd(tally[second], 1);
        atomicAdd(tally[5 + second], count);
    } else if (push.phase == PHASE_FIRST ? fate <= FACES_AWAY : fate == OCCLUDED) {
        atomicAdd(tally[1 + fate], 1);
    }
}
