#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Lenses of each tile, and its part: a workgroup for 8 by 8 tiles keeps the lenses near its block; then a thread takes those
//! that count in its tile. CPU: src/techniques/glass/bin.
#define SEVERAL_GLASSES
#define TILE_IS_UNIFORM
#define BINS_ACCESS
#include "glass/shape.glsl"
#include "glass/blocks.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(scalar, binding = 4) readonly buffer Blocks {
    /// Place, and body.
    uvec2 block[];
} blocks;

layout(scalar, push_constant) uniform BinPush {
    uint blocks;
} push;

const uint ROW = 1024;
const uint THREADS = BLOCK * BLOCK;
const uint MOST_WORDS = 64;
const float SIDE = 16.0;
/// Half a tile's diagonal times the steepest that a distance is: it is exact to the first order only.
const float STEEP_HALF = 16.0;
/// Part of the way to the rectangle around a lens that its distance has at least.
const float FLAT = 0.75;
const float HALF_DIAGONAL = 13.0;
const float EDGE_REACH = 1.5;

shared uint near[MOST_WORDS];

/// Pixels from the box, of half size `half_size`, to the rectangle around a lens.
float gap(Lens lens, vec2 middle, float half_size) {
    return length(max(abs(middle - lens.center) - lens.extent - half_size, vec2(0.0)));
}

/// Distance of the nearest lens, at most, in the whole tile.
float nearest(uint words, vec2 middle) {
    float least = 1e9;
    for (uint at = 0; at < words; ++at) {
        uint bits = near[at];
        while (bits != 0u) {
            Lens lens = lenses.lens[glass.first + 32u * at + uint(findLSB(bits))];
            bits &= bits - 1u;
            if (FLAT * gap(lens, middle, 0.0) < least) {
                least = min(least, lens_edge(lens, middle).d);
            }
        }
    }
    return least + STEEP_HALF;
}

bool counts(Lens lens, vec2 middle, float within) {
    return FLAT * gap(lens, middle, 0.5 * SIDE) <= max(within, 0.0) && lens_edge(lens, middle).d - STEEP_HALF <= within;
}

uint part_of(Cell cell, vec2 corner) {
    vec2 middle = corner + 0.5 * SIDE;
    Edge e = edge_of(cell, middle);
    if (e.d > HALF_DIAGONAL + EDGE_REACH) {
        float dropped = edge_of(cell, middle - vec2(0.0, glass.shadow_drop)).d;
        return glass.shadow_reach > 0.0 && dropped < glass.shadow_reach + HALF_DIAGONAL ? SHADOW : NOTHING;
    }
    if (e.d > -8.0) {
        return EDGE;
    }
    bool is_face = e.d + glass.bend <= -max(e.bevel, glass.rim_reach);
    bool is_covered = true;
    for (uint i = 0; i < 9; ++i) {
        vec2 place = 0.5 + 7.5 * vec2(i % 3, i / 3);
        Edge probe = edge_of(cell, corner + place);
        is_face = is_face && probe.d + glass.bend <= -max(probe.bevel, glass.rim_reach);
        is_covered = is_covered && probe.d + glass.bend <= -0.6;
    }
    return is_face ? FACE : is_covered ? BEVEL : EDGE;
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
    for (uint at = thread; at < words; at += THREADS) {
        near[at] = 0;
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
            atomicOr(near[i / 32], 1u << (i % 32));
        }
    }
    barrier();
    uvec2 tile = first + gl_LocalInvocationID.xy;
    if (any(greaterThanEqual(tile, glass.grid))) {
        return;
    }
    vec2 corner = vec2(glass.corner + tile) * SIDE;
    vec2 middle = corner + 0.5 * SIDE;
    float least = nearest(words, middle);
    float within = min(glass.reach, least) + 2.0 * glass.melt;
    bool has_shadow = glass.shadow_reach > 0.0 && least > -1.0;
    float within_dropped = -1e9;
    if (has_shadow) {
        within_dropped = min(glass.shadow_reach, nearest(words, middle - drop)) + 2.0 * glass.melt;
    }
    uint head = word_of(tile);
    uint low = words;
    uint high = 0;
    for (uint at = 0; at < words; ++at) {
        uint bits = near[at];
        uint mask = 0;
        while (bits != 0u) {
            uint bit = bits & -bits;
            Lens lens = lenses.lens[glass.first + 32u * at + uint(findLSB(bits))];
            bits ^= bit;
            if (counts(lens, middle, within) || has_shadow && counts(lens, middle - drop, within_dropped)) {
                mask |= bit;
            }
        }
        bins.word[head + 1 + at] = mask;
        low = mask != 0u ? min(low, at) : low;
        high = mask != 0u ? at + 1 : high;
    }
    uint part = part_of(Cell(head + 1, min(low, high), high), corner);
    bins.word[head] = part | min(low, high) << 8 | high << 16;
}
