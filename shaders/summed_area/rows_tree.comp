#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Scan of rows by Blelloch's sweeps, a workgroup a row, 512 words at a time. Sides below 2^16.
#define SHUFFLE 0
#include "summed_area/lanes.glsl"
#include "summed_area/from.glsl"

layout(constant_id = 0) const uint PADDED = 1;
layout(binding = 4, scalar) writeonly buffer To { uint to[]; };

const uint BLOCK = 2 * THREADS;
shared uint tree[BLOCK + BLOCK / 32];

uint place_in(uint at) { return at + PADDED * (at >> 5); }

void main() {
    uint plane = gl_WorkGroupID.z, row = gl_WorkGroupID.x, carried = 0;
    for (uint begin = 0; begin < push.size.x; begin += BLOCK) {
        uint low = read(plane, uvec2(begin + me(), row)), high = read(plane, uvec2(begin + me() + THREADS, row));
        tree[place_in(me())] = low;
        tree[place_in(me() + THREADS)] = high;
        uint reach = 1;
        for (uint pairs = BLOCK / 2; pairs > 0; pairs /= 2) {
            barrier();
            if (me() < pairs) {
                uint left = reach * (2 * me() + 1) - 1;
                tree[place_in(left + reach)] = add(tree[place_in(left)], tree[place_in(left + reach)]);
            }
            reach *= 2;
        }
        barrier();
        // The sum before takes the root's place.
        if (me() == 0) {
            uint all = tree[place_in(BLOCK - 1)];
            tree[place_in(BLOCK - 1)] = carried;
            carried = add(carried, all);
        }
        for (uint pairs = 1; pairs < BLOCK; pairs *= 2) {
            reach /= 2;
            barrier();
            if (me() < pairs) {
                uint left = reach * (2 * me() + 1) - 1, held = tree[place_in(left)];
                tree[place_in(left)] = tree[place_in(left + reach)];
                tree[place_in(left + reach)] = add(tree[place_in(left + reach)], held);
            }
        }
        barrier();
        uint at = plane * push.plane + row * push.to_pitch + begin + me();
        if (begin + me() < push.size.x) to[at] = add(tree[place_in(me())], low);
        if (begin + me() + THREADS < push.size.x) to[at + THREADS] = add(tree[place_in(me() + THREADS)], high);
        barrier();
    }
}
