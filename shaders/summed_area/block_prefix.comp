#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Prefix sums of the sums that tiles have published (tiles.comp): first along their rows, then, with the results, down
//! their columns. Each sum is replaced by that of all before it. Up to 2^16 tiles a plane.
// variant: left UP=0
// variant: up UP=1
#define SHUFFLE 0
#include "summed_area/lanes.glsl"
#include "summed_area/push.glsl"
#include "summed_area/sum.glsl"

const uint WIDE_TILE = 128, HIGH_TILE = 32, SAID = 176; // as in tiles.comp

layout(binding = 3, scalar) buffer Said { uint said[]; };

uint tile_at(uint x, uint y) { return ((gl_WorkGroupID.z * push.grid.y + y) * push.grid.x + x) * SAID; }

#if UP
void main() {
    uint column = gl_WorkGroupID.x * THREADS + me(), tile = column / WIDE_TILE, sum = 0;
    if (tile >= push.grid.x) return;
    for (uint y = 0; y < push.grid.y; ++y) {
        uint place = tile_at(tile, y) + HIGH_TILE + column % WIDE_TILE;
        uint own = add(said[place], said[tile_at(tile, y) + HIGH_TILE + WIDE_TILE]);
        said[place] = sum;
        sum = add(sum, own);
    }
}
#else
const uint AT_ONCE = 32;
shared uint carried[AT_ONCE * (HIGH_TILE + 1)];

/// 32 tiles at a time.
void main() {
    uint y = gl_WorkGroupID.x, sum = 0;
    for (uint begin = 0; begin < push.grid.x; begin += AT_ONCE) {
        uint count = min(AT_ONCE, push.grid.x - begin);
        if (me() < HIGH_TILE) {
            for (uint x = 0; x < count; ++x) {
                uint place = tile_at(begin + x, y) + me(), own = said[place];
                said[place] = sum;
                carried[x * (HIGH_TILE + 1) + me()] = sum;
                sum = add(sum, own);
            }
        }
        barrier();
        if (me() < count) {
            uint all = 0;
            for (uint row = 0; row < HIGH_TILE; ++row) all = add(all, carried[me() * (HIGH_TILE + 1) + row]);
            said[tile_at(begin + me(), y) + HIGH_TILE + WIDE_TILE] = all;
        }
        barrier();
    }
}
#endif
