#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Ladder of the source document: M = 1..6 levels from a stored one.
//!
//! Where 2^M divides both sides: a tile of 2^M x 2^M texels has 4^(M-1) invocations (256 where M = 6, each with 2x2
//! texels of the first level) in teams of 16, and a workgroup as many tiles as fit. Else tiles with halos (tile.glsl),
//! which overlap. SHUFFLE: with subgroup shuffles; what they cannot reach goes through shared memory.
// variant: rgba16f KIND=0 SHUFFLE=1
// rare variant: rgba16f_plain KIND=0 SHUFFLE=0
// rare variant: rgba8 KIND=1 SHUFFLE=1
// rare variant: rgba8_plain KIND=1 SHUFFLE=0
// rare variant: r32f KIND=2 SHUFFLE=1
// rare variant: r32f_plain KIND=2 SHUFFLE=0
// rare variant: bytes KIND=3 SHUFFLE=1
// rare variant: bytes_plain KIND=3 SHUFFLE=0
#if SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(constant_id = 6) const uint SHUFFLES = 2; // 1: by 1, 2, 3 (4 lanes and more); 2: also by 4, 8, 12 (16 and more)
#endif
#include "mip_chain/texel.glsl"

#define THREADS 512
layout(local_size_x = THREADS) in;
layout(constant_id = 5) const int DEPTH = 5; // M
layout(binding = 0) uniform sampler2D source; // the stored level
layout(binding = 1, FORMAT) uniform writeonly IMAGE levels[6];
layout(push_constant, scalar) uniform Push {
    ivec2 size;   // of the source
    uint aligned; // 2^M divides it
    int side;     // else: texels along one side of what a tile makes of the last level
} push;

int lane() {
#if SHUFFLE
    return int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
#else
    return int(gl_LocalInvocationIndex);
#endif
}

ivec2 size_of(int level) { return max(push.size >> level, ivec2(1)); }
VALUE image_texel(ivec2 at) { return value_of(texelFetch(source, at, 0)); }
VALUE image_filtered(vec2 at) { return value_of(textureLod(source, at / vec2(push.size), 0.0)); }

void keep(int level, ivec2 at, VALUE value) {
    switch (level) {
    case 1: imageStore(levels[0], at, stored_of(value)); break;
    case 2: imageStore(levels[1], at, stored_of(value)); break;
    case 3: imageStore(levels[2], at, stored_of(value)); break;
    case 4: imageStore(levels[3], at, stored_of(value)); break;
    case 5: imageStore(levels[4], at, stored_of(value)); break;
    default: imageStore(levels[5], at, stored_of(value)); break;
    }
}

#include "mip_chain/tile.glsl"

// The whole workgroup calls it.
VALUE mean_of_four(VALUE value, int step) {
    PACKED bits = packed_of(value);
    VALUE sum = value;
#if SHUFFLE
    uint reach = SHUFFLES;
    if (uint(step) <= reach * reach * reach) { // 1 by one shuffle, 4 by two
        for (int k = 1; k < 4; ++k) sum += unpacked(subgroupShuffleXor(bits, uint(k * step)));
        return 0.25 * sum;
    }
#endif
    barrier();
    kept[lane()] = bits;
    barrier();
    for (int k = 1; k < 4; ++k) sum += unpacked(kept[lane() ^ (k * step)]);
    return 0.25 * sum;
}

void keep_inside(int level, ivec2 at, VALUE value) {
    if (all(lessThan(at, size_of(level)))) keep(level, at, value);
}

VALUE block(ivec2 corner) { // 2x2 texels of the source
    ivec2 edge = push.size - 1;
    if (HARDWARE_FILTER != 0u) return image_filtered(vec2(min(corner, edge) + 1));
    return 0.25 * (image_texel(min(corner, edge)) + image_texel(min(corner + ivec2(1, 0), edge)) +
                   image_texel(min(corner + ivec2(0, 1), edge)) + image_texel(min(corner + 1, edge)));
}

void make_aligned() {
    int M = DEPTH;
    int threads = 1 << 2 * (min(M, 5) - 1);
    int id = lane() & (threads - 1), first = lane() - id; // within the tile, and its first invocation
    ivec2 tile = ivec2(int(gl_WorkGroupID.x) * (THREADS / threads) + first / threads, int(gl_WorkGroupID.y));
    int team = id >> 4 & 15;
    ivec2 at = ivec2((team & 2) << 2 | (team & 8) << 1, (team & 1) << 3 | (team & 4) << 2) +
               ivec2((id & 2) | (id & 8) >> 1, (id & 1) << 1 | (id & 4));
    int level = 1;
    VALUE value;
    if (M == 6) {
        value = VALUE(0.0);
        for (int k = 0; k < 4; ++k) {
            ivec2 texel = (tile << 5) + at + ivec2(k & 1, k >> 1);
            VALUE quarter = block(2 * texel);
            keep_inside(1, texel, quarter);
            value += 0.25 * quarter;
        }
        level = 2;
    } else {
        value = block((tile << M) + at);
    }
    keep_inside(level, (tile << (M - level)) + (at >> 1), value);
    if (level == M) return;
    value = mean_of_four(value, 1);
    ++level;
    if ((id & 3) == 0) keep_inside(level, (tile << (M - level)) + (at >> 2), value);
    if (level == M) return;
    value = mean_of_four(value, 4);
    ++level;
    if ((id & 15) == 0) keep_inside(level, (tile << (M - level)) + (at >> 3), value);
    if (level == M) return;
    barrier();
    if ((id & 15) == 0) kept[(first >> 4) + team] = packed_of(value);
    barrier();
    ++level;
    value = VALUE(0.0);
    int row = (first >> 4) + (id & 12);
    if (M == 4) row = first >> 4;
    for (int k = 0; k < 4; ++k) value += 0.25 * unpacked(kept[row + k]);
    ivec2 place = ivec2(id >> 3 & 1, id >> 2 & 1);
    if (id < 16 && (id & 3) == 0 && (M != 4 || id == 0)) keep_inside(level, (tile << (M - level)) + place, value);
    if (level == M) return;
    value = mean_of_four(value, 4);
    ++level;
    if (id == 0) keep_inside(level, tile, value);
}

void main() {
    if (push.aligned != 0u) make_aligned();
    else make_tile(Tile(0, DEPTH, push.side, ivec2(gl_WorkGroupID.xy)));
}
