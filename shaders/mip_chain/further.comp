#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One to three levels of a small tile from a stored level; any size.
//!
//! A workgroup makes a square of each level that has all that the next one needs. Beyond the level it holds the nearest
//! texel, so that reads need no clamp.
// variant: rgba16f KIND=0
// rare variant: rgba8 KIND=1
// rare variant: r32f KIND=2
// rare variant: bytes KIND=3
#include "mip_chain/texel.glsl"
#include "mip_chain/weights.glsl"

#define THREADS 256
layout(local_size_x = THREADS) in;
layout(constant_id = 2) const int DEPTH = 3;      // levels
layout(constant_id = 3) const int SIDE_1 = 22;    // texels of the first of them along a side of its square
layout(constant_id = 4) const int SIDE_2 = 10;    // of the second
layout(constant_id = 5) const int SIDE_3 = 4;     // of the third
layout(constant_id = 6) const uint HARDWARE_FILTER = 0; // the source's sizes are even, and the sampler's bilinear weights exact
layout(constant_id = 8) const int NEAR = 484;     // texels of the first square
layout(constant_id = 9) const int FAR = 100;      // of the second
layout(constant_id = 10) const int TILE = 4;      // texels of the last level that a workgroup alone writes, along a side

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, FORMAT) uniform writeonly IMAGE levels[3];
layout(push_constant, scalar) uniform Push {
    ivec2 size;  // of the source
    vec2 texel;  // 1 / size
    ivec2 first; // tile
} push;

shared PACKED near[NEAR];
shared PACKED far[FAR];

ivec2 size_of(int level) { return max(push.size >> level, ivec2(1)); }
VALUE image_filtered(vec2 at) { return value_of(textureLod(source, at * push.texel, 0.0)); }

struct Tile {
    int level;  // 0: the source
    int depth;  // levels that are made
    int side;   // texels of the last
    ivec2 at;   // tile coordinates
};
#include "mip_chain/own.glsl"

VALUE source_texel(ivec2 at) {
    Taps across = weights(at.x, push.size.x), down = weights(at.y, push.size.y);
    float w[5] = float[](across.w0, across.w1, across.w2, across.w3, across.w4);
    VALUE sum = VALUE(0.0);
    [[dont_unroll]] for (int r = 0; r < 5; ++r) {
        int y = clamp(2 * at.y - 1 + r, 0, push.size.y - 1);
        VALUE row = VALUE(0.0);
        [[unroll]] for (int k = 0; k < 5; ++k) {
            row += w[k] * value_of(texelFetch(source, ivec2(clamp(2 * at.x - 1 + k, 0, push.size.x - 1), y), 0));
        }
        sum += (r == 0 ? down.w0 : r == 1 ? down.w1 : r == 2 ? down.w2 : r == 3 ? down.w3 : down.w4) * row;
    }
    return sum;
}

void keep(Tile tile, int m, ivec2 at, VALUE value) {
    ivec2 from, to;
    own(tile, m, from, to);
    if (any(lessThan(at, from)) || any(greaterThanEqual(at, to))) return;
    switch (m) {
    case 1: imageStore(levels[0], at, stored_of(value)); break;
    case 2: imageStore(levels[1], at, stored_of(value)); break;
    default: imageStore(levels[2], at, stored_of(value)); break;
    }
}

ivec2 start(Tile tile, int m) { return (tile.at * tile.side << tile.depth - m) - ((1 << tile.depth - m) - 1); }

VALUE held(int m, int slot) { return unpacked(m == 1 ? near[slot] : far[slot]); }

void next_level(Tile tile, int m, int pitch, int side) {
    int id = int(gl_LocalInvocationIndex);
    ivec2 above = size_of(m - 1), size = size_of(m), from = start(tile, m), above_from = start(tile, m - 1);
    for (int i = id; i < side * side; i += THREADS) {
        int row = i / side;
        ivec2 place = from + ivec2(i - row * side, row), at = clamp(place, ivec2(0), size - 1);
        ivec2 first = 2 * at - 1 - above_from;
        Taps across = weights(at.x, above.x), down = weights(at.y, above.y);
        VALUE sum = VALUE(0.0);
        [[unroll]] for (int r = 0; r < 5; ++r) {
            if (r == 4 && ODD == 0u) continue;
            int slot = (first.y + r) * pitch + first.x;
            VALUE part = across.w0 * held(m - 1, slot) + across.w1 * held(m - 1, slot + 1) +
                         across.w2 * held(m - 1, slot + 2) + across.w3 * held(m - 1, slot + 3);
            if (ODD != 0u) part += across.w4 * held(m - 1, slot + 4);
            sum += (r == 0 ? down.w0 : r == 1 ? down.w1 : r == 2 ? down.w2 : r == 3 ? down.w3 : down.w4) * part;
        }
        if (m == 2 && tile.depth == 3) far[i] = packed_of(sum);
        if (at == place) keep(tile, m, at, sum);
    }
}

void main() {
    int id = int(gl_LocalInvocationIndex), depth = DEPTH;
    Tile tile = Tile(0, depth, TILE, push.first + ivec2(gl_WorkGroupID.xy));
    ivec2 from = start(tile, 1), size = size_of(1);
    for (int i = id; i < SIDE_1 * SIDE_1; i += THREADS) {
        int row = i / SIDE_1;
        ivec2 place = from + ivec2(i - row * SIDE_1, row), at = clamp(place, ivec2(0), size - 1);
        VALUE value;
        if (HARDWARE_FILTER != 0u) value = filtered_texel(at);
        else value = source_texel(at);
        if (depth != 1) near[i] = packed_of(value);
        if (at == place) keep(tile, 1, at, value);
    }
    if (depth == 1) return;
    barrier();
    next_level(tile, 2, SIDE_1, SIDE_2);
    if (depth == 2) return;
    barrier();
    next_level(tile, 3, SIDE_2, SIDE_3);
}
