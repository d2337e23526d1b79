#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Lenses of each tile, and its part: a workgroup for 4 by 4 tiles keeps the lenses near its block; then a team of threads takes
//! those that count in its tile. CPU: src/techniques/glass/bin.
#define SEVERAL_GLASSES
#define TILE_IS_UNIFORM
#define BINS_ACCESS coherent
#include "glass/shape.glsl"
#include "glass/blocks.glsl"

layout(local_size_x = 256) in;

layout(scalar, binding = 4) readonly buffer Blocks {
    /// Place, and body.
    uvec2 block[];
} blocks;

layout(scalar, push_constant) uniform BinPush {
    uint blocks;
} push;

const uint ROW = 1024;
/// Threads of a tile: each takes every sixteenth of the near lenses, and one probe at most.
const uint TEAM = 16;
const uint TILES = BLOCK * BLOCK;
const uint THREADS = TEAM * TILES;
const uint MOST_WORDS = 64;
const float SIDE = 16.0;
/// Half a tile's diagonal times the steepest that a distance is: it is exact to the first order only.
const float STEEP_HALF = 16.0;
/// Part of the way to the rectangle around a lens that its distance has at least.
const float FLAT = 0.75;
const float HALF_DIAGONAL = 13.0;
const float EDGE_REACH = 1.5;

/// Of the block, in any order.
shared uint near_count;
shared uint near[32 * MOST_WORDS];
shared uint masks[TILES * MOST_WORDS];
shared uint of_team[THREADS];

/// Makes `bits` known to the team; in uniform control flow.
void tell_team(uint bits) {
    barrier();
    of_team[gl_LocalInvocationIndex] = bits;
    barrier();
}

uint told_by(uint member) {
    return of_team[gl_LocalInvocationIndex / TEAM * TEAM + member];
}

uint any_of_team(uint bits) {
    tell_team(bits);
    uint all = 0;
    for (uint i = 0; i < TEAM; ++i) {
        all |= told_by(i);
    }
    return all;
}

float least_of_team(float own) {
    tell_team(floatBitsToUint(own));
    for (uint i = 0; i < TEAM; ++i) {
        own = min(own, uintBitsToFloat(told_by(i)));
    }
    return own;
}

/// Pixels from the box, of half size `half_size`, to the rectangle around a lens.
float gap(Lens lens, vec2 middle, float half_size) {
    return length(max(abs(middle - lens.center) - lens.extent - half_size, vec2(0.0)));
}

/// Distance of the nearest lens that the thread takes, at most, in the whole tile.
float nearest(vec2 middle) {
    float least = 1e9;
    for (uint i = gl_LocalInvocationIndex % TEAM; i < near_count; i += TEAM) {
        Lens lens = lenses.lens[glass.first + near[i]];
        if (FLAT * gap(lens, middle, 0.0) < least) {
            least = min(least, lens_edge(lens, middle).d);
        }
    }
    return least + STEEP_HALF;
}

bool counts(Lens lens, vec2 middle, float within) {
    return FLAT * gap(lens, middle, 0.5 * SIDE) <= max(within, 0.0) && lens_edge(lens, middle).d - STEEP_HALF <= within;
}

const uint NOT_FACE = 1;
const uint NOT_COVERED = 2;

/// What the thread's probe says, one of nine inside of the tile.
uint probed(Cell cell, vec2 corner) {
    uint i = gl_LocalInvocationIndex % TEAM;
    if (i >= 9) {
        return 0;
    }
    Edge probe = edge_of(cell, corner + 0.5 + 7.5 * vec2(i % 3, i / 3));
    float d = probe.d + glass.bend;
    return (d <= -max(probe.bevel, glass.rim_reach) ? 0 : NOT_FACE) | (d <= -0.6 ? 0 : NOT_COVERED);
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint index = gl_WorkGroupID.x + gl_WorkGroupID.y * ROW;
    if (index >= push.blocks) {
        return;
    }
    uvec2 block = blocks.block[index];
    glass_of_tile = block.y;
    uint words = glass.stride - 1;
    if (thread == 0) {
        near_count = 0;
    }
    for (uint i = thread; i < TILES * words; i += THREADS) {
        masks[i] = 0;
    }
    barrier();
    uvec2 first = first_tile(block.x);
    vec2 drop = vec2(0.0, glass.shadow_drop);
    float reach = max(glass.reach, glass.shadow_reach) + 2.0 * glass.melt;
    vec2 block_middle = (vec2(glass.corner + first) + 0.5 * float(BLOCK)) * SIDE;
    float block_half = 0.5 * float(BLOCK) * SIDE;
    for (uint i = thread; i < glass.count; i += THREADS) {
        Lens lens = lenses.lens[glass.first + i];
        float away = min(gap(lens, block_middle, block_half), gap(lens, block_middle - drop, block_half));
        if (FLAT * away <= reach) {
            near[atomicAdd(near_count, 1)] = i;
        }
    }
    barrier();
    // Threads of tiles beyond the grid stay for the barriers.
    uint at_block = thread / TEAM;
    uvec2 tile = first + uvec2(at_block % BLOCK, at_block / BLOCK);
    bool is_in_grid = all(lessThan(tile, glass.grid));
    vec2 corner = vec2(glass.corner + tile) * SIDE;
    vec2 middle = corner + 0.5 * SIDE;
    float least = least_of_team(nearest(middle));
    float within = min(glass.reach, least) + 2.0 * glass.melt;
    bool has_shadow = glass.shadow_reach > 0.0 && least > -1.0;
    float least_dropped = least_of_team(has_shadow ? nearest(middle - drop) : 1e9);
    float within_dropped = min(glass.shadow_reach, least_dropped) + 2.0 * glass.melt;
    uint own_mask = at_block * words;
    for (uint i = thread % TEAM; i < near_count; i += TEAM) {
        uint of_glass = near[i];
        Lens lens = lenses.lens[glass.first + of_glass];
        if (counts(lens, middle, within) || has_shadow && counts(lens, middle - drop, within_dropped)) {
            atomicOr(masks[own_mask + of_glass / 32], 1u << (of_glass % 32));
        }
    }
    barrier();
    uint head = word_of(tile);
    uint low = words;
    uint high = 0;
    for (uint at = 0; at < words && is_in_grid; ++at) {
        uint mask = masks[own_mask + at];
        low = mask != 0u ? min(low, at) : low;
        high = mask != 0u ? at + 1 : high;
        if (at % TEAM == thread % TEAM) {
            bins.word[head + 1 + at] = mask;
        }
    }
    memoryBarrierBuffer();
    barrier();
    low = min(low, high);
    Cell cell = Cell(head + 1, low, high);
    Edge e = edge_of(cell, middle);
    bool is_inside = e.d <= -8.0;
    uint found = any_of_team(is_inside ? probed(cell, corner) : NOT_FACE | NOT_COVERED);
    if (e.d + glass.bend > -max(e.bevel, glass.rim_reach)) {
        found |= NOT_FACE;
    }
    uint part = (found & NOT_FACE) == 0 ? FACE : (found & NOT_COVERED) == 0 ? BEVEL : EDGE;
    if (e.d > HALF_DIAGONAL + EDGE_REACH) {
        float dropped = edge_of(cell, middle - drop).d;
        part = glass.shadow_reach > 0.0 && dropped < glass.shadow_reach + HALF_DIAGONAL ? SHADOW : NOTHING;
    }
    if (is_in_grid && thread % TEAM == 0) {
        bins.word[head] = part | low << 8 | high << 16;
    }
}
