#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// Every level of a chain in one dispatch. Sources up to 32768 texels a side; up to 15 levels below the source.
//
// A workgroup makes 3 to 6 levels of a tile of 64x64 texels. What it made of the last of them goes to a buffer; the last
// workgroup to arrive of those that a tile of that level needs goes on with that tile, and so on until one is left. No
// workgroup ever waits for another, and no stored level is read again.
//
// MODEL: with the Vulkan memory model's release and acquire, else with coherent memory and barriers. SHUFFLE: with
// subgroup shuffles. INDEX: storage images are chosen by an index, else by a switch. KIND: see texel.glsl.
// variant: rgba16f KIND=0 MODEL=1 INDEX=1 SHUFFLE=1
// variant: rgba16f_switch KIND=0 MODEL=1 INDEX=0 SHUFFLE=1
// variant: rgba16f_old KIND=0 MODEL=0 INDEX=0 SHUFFLE=1
// variant: rgba16f_plain KIND=0 MODEL=1 INDEX=1 SHUFFLE=0
// variant: rgba16f_plain_switch KIND=0 MODEL=1 INDEX=0 SHUFFLE=0
// variant: rgba16f_plain_old KIND=0 MODEL=0 INDEX=0 SHUFFLE=0
// variant: rgba8 KIND=1 MODEL=1 INDEX=1 SHUFFLE=1
// variant: rgba8_switch KIND=1 MODEL=1 INDEX=0 SHUFFLE=1
// variant: rgba8_old KIND=1 MODEL=0 INDEX=0 SHUFFLE=1
// variant: rgba8_plain KIND=1 MODEL=1 INDEX=1 SHUFFLE=0
// variant: rgba8_plain_switch KIND=1 MODEL=1 INDEX=0 SHUFFLE=0
// variant: rgba8_plain_old KIND=1 MODEL=0 INDEX=0 SHUFFLE=0
// variant: r32f KIND=2 MODEL=1 INDEX=1 SHUFFLE=1
// variant: r32f_switch KIND=2 MODEL=1 INDEX=0 SHUFFLE=1
// variant: r32f_old KIND=2 MODEL=0 INDEX=0 SHUFFLE=1
// variant: r32f_plain KIND=2 MODEL=1 INDEX=1 SHUFFLE=0
// variant: r32f_plain_switch KIND=2 MODEL=1 INDEX=0 SHUFFLE=0
// variant: r32f_plain_old KIND=2 MODEL=0 INDEX=0 SHUFFLE=0
// variant: bytes KIND=3 MODEL=1 INDEX=1 SHUFFLE=1
// variant: bytes_switch KIND=3 MODEL=1 INDEX=0 SHUFFLE=1
// variant: bytes_old KIND=3 MODEL=0 INDEX=0 SHUFFLE=1
// variant: bytes_plain KIND=3 MODEL=1 INDEX=1 SHUFFLE=0
// variant: bytes_plain_switch KIND=3 MODEL=1 INDEX=0 SHUFFLE=0
// variant: bytes_plain_old KIND=3 MODEL=0 INDEX=0 SHUFFLE=0
#if MODEL
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#define SHARED_WITH_ALL queuefamilycoherent
#else
#define SHARED_WITH_ALL coherent
#endif
#if SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(constant_id = 6) const int SHUFFLES = 1; // levels made by shuffles: 1 from 4 lanes on, 2 from 16, 3 from 64
#endif
#include "mip_chain/texel.glsl"

#define THREADS 256
#define TILE 64 // texels of the source along one side of a tile
layout(local_size_x = THREADS) in;
layout(constant_id = 5) const uint TOP = 0; // level 0 is written too

layout(binding = 0) uniform sampler2D source; // bilinear, clamped
layout(binding = 1, FORMAT) uniform writeonly IMAGE levels[16];
layout(binding = 2, scalar) SHARED_WITH_ALL buffer Counters { uint counters[]; };
layout(binding = 3, scalar) SHARED_WITH_ALL buffer Between { PACKED between[]; };
layout(push_constant, scalar) uniform Push {
    ivec2 size;     // of the source
    uint tier_count;
    uint aligned;   // levels that the first tier makes from whole blocks: no size among them is odd; 0: not that way
    uvec4 tiers[4]; // level | depth << 8 | counter << 16; first tile x | y << 16; tiles x | y << 16; offset in `between`
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
VALUE buffer_texel(uint at) { return unpacked(between[at]); }

ivec2 halves(uint both) { return ivec2(both & 0xffffu, both >> 16); }
// Software drivers run code that no invocation is in, with indices that nobody has computed: they must stay inside.
uvec4 tier(int t) { return push.tiers[t & 3]; }
int tier_level(int t) { return int(tier(t).x & 255u); }
int tier_depth(int t) { return int(tier(t).x >> 8 & 255u); }

// Arrays of storage images may only be indexed by constants on some devices.
void store(int level, ivec2 at, VALUE value) {
#if INDEX
    imageStore(levels[level], at, stored_of(value));
#else
    switch (level) {
    case 0: imageStore(levels[0], at, stored_of(value)); break;
    case 1: imageStore(levels[1], at, stored_of(value)); break;
    case 2: imageStore(levels[2], at, stored_of(value)); break;
    case 3: imageStore(levels[3], at, stored_of(value)); break;
    case 4: imageStore(levels[4], at, stored_of(value)); break;
    case 5: imageStore(levels[5], at, stored_of(value)); break;
    case 6: imageStore(levels[6], at, stored_of(value)); break;
    case 7: imageStore(levels[7], at, stored_of(value)); break;
    case 8: imageStore(levels[8], at, stored_of(value)); break;
    case 9: imageStore(levels[9], at, stored_of(value)); break;
    case 10: imageStore(levels[10], at, stored_of(value)); break;
    case 11: imageStore(levels[11], at, stored_of(value)); break;
    case 12: imageStore(levels[12], at, stored_of(value)); break;
    case 13: imageStore(levels[13], at, stored_of(value)); break;
    case 14: imageStore(levels[14], at, stored_of(value)); break;
    default: imageStore(levels[15], at, stored_of(value)); break;
    }
#endif
}

shared int handed_level; // the level that goes to `between`; -1: none
shared uint handed_texels;

void keep(int level, ivec2 at, VALUE value) {
    store(level, at, value);
    if (level == handed_level) between[handed_texels + uint(at.y * size_of(level).x + at.x)] = packed_of(value);
}

#include "mip_chain/tile.glsl"

Tile tile_of(int t, ivec2 at) {
    int depth = tier_depth(t);
    return Tile(tier_level(t), depth, max(TILE >> depth, 1), at, tier(t).w);
}

// Which level of tier `t` the next tier reads.
void hand_on(int t) {
    barrier();
    if (lane() == 0) {
        bool more = t + 1 < int(push.tier_count);
        handed_level = more ? tier_level(t + 1) : -1;
        handed_texels = more ? tier(t + 1).w : 0u;
    }
}

// x from the even bits, y from the odd ones.
ivec2 unfolded(int z) {
    ivec2 b = ivec2(z, z >> 1) & 0x55;
    b = (b | b >> 1) & 0x33;
    return (b | b >> 2) & 0x0f;
}

void keep_inside(int level, ivec2 at, VALUE value) {
    if (all(lessThan(at, size_of(level)))) keep(level, at, value);
}

// A tile without a halo: whole blocks of texels, box filter. Each invocation makes 2x2 texels of level 1 and one of level
// 2; invocations lie in Z order, so that each further level is the mean of four neighbours: by shuffles, then in shared
// memory.
void make_aligned(Tile tile) {
    barrier();
    int id = lane();
    ivec2 cell = unfolded(id), one = tile.at * 32 + 2 * cell;
    VALUE value = VALUE(0.0);
    for (int k = 0; k < 4; ++k) {
        ivec2 at = one + ivec2(k & 1, k >> 1), corner = 2 * at;
        VALUE quarter;
        if (HARDWARE_FILTER != 0u) {
            quarter = image_filtered(vec2(corner + 1));
        } else {
            ivec2 edge = push.size - 1;
            quarter = 0.25 * (image_texel(min(corner, edge)) + image_texel(min(corner + ivec2(1, 0), edge)) +
                              image_texel(min(corner + ivec2(0, 1), edge)) + image_texel(min(corner + 1, edge)));
        }
        keep_inside(1, at, quarter);
        value += 0.25 * quarter;
    }
    if (tile.depth < 2) return;
    keep_inside(2, tile.at * 16 + cell, value);
    int level = 2;
#if SHUFFLE
    PACKED bits = packed_of(value);
    for (int s = 0; s < SHUFFLES && level < tile.depth; ++s) {
        uint step = 1u << (2 * s);
        value = 0.25 * (value + unpacked(subgroupShuffleXor(bits, step)) + unpacked(subgroupShuffleXor(bits, 2u * step)) +
                        unpacked(subgroupShuffleXor(bits, 3u * step)));
        bits = packed_of(value);
        ++level;
        if ((id & int(4u * step - 1u)) == 0) keep_inside(level, (tile.at * 64 >> level) + (cell >> (s + 1)), value);
    }
#endif
    if (level == tile.depth) return;
    int made = level - 2; // levels that shuffles have made: one value is left in 4^made invocations
    if ((id & ((1 << 2 * made) - 1)) == 0) near[id >> 2 * made] = packed_of(value);
    barrier();
    while (level < tile.depth) {
        ++level;
        int left = 4096 >> 2 * level;
        if (id < left) {
            value = 0.25 * (unpacked(near[4 * id]) + unpacked(near[4 * id + 1]) + unpacked(near[4 * id + 2]) +
                            unpacked(near[4 * id + 3]));
            keep_inside(level, (tile.at * 64 >> level) + unfolded(id), value);
        }
        barrier();
        if (id < left) near[id] = packed_of(value);
        barrier();
    }
}

shared int waiting;      // tiles that this workgroup has yet to make
shared ivec3 ready[32];  // tier, tile

// Says that a tile is done. Each tile of the next tier that needs it counts its arrivals; who completes one makes it.
void arrive(int t, ivec2 at) {
#if MODEL
    memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
#else
    memoryBarrierBuffer();
    barrier();
#endif
    int next = t + 1, id = lane();
    if (next < int(push.tier_count) && id < 9) {
        int side = max(TILE >> tier_depth(t), 1);
        ivec2 first = halves(tier(next).y), count = halves(tier(next).z);
        // A tile reaches less than one tile beyond itself.
        ivec2 tile = at * side / TILE + ivec2(id % 3, id / 3) - 1;
        if (all(greaterThanEqual(tile, first)) && all(lessThan(tile, first + count))) {
            Tile candidate = tile_of(next, tile);
            ivec2 x = plan_axis(candidate, 0, false), y = plan_axis(candidate, 1, false);
            ivec2 from = ivec2(x.x, y.x) / side, to = (ivec2(x.y, y.y) + side - 1) / side;
            if (all(greaterThanEqual(at, from)) && all(lessThan(at, to))) {
                uint wanted = uint((to.x - from.x) * (to.y - from.y));
                uint place = (tier(next).x >> 16) + uint((tile.y - first.y) * count.x + tile.x - first.x);
#if MODEL
                uint before = atomicAdd(counters[place], 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                                        gl_SemanticsAcquireRelease);
#else
                uint before = atomicAdd(counters[place], 1u);
#endif
                if (before + 1u == wanted) {
                    counters[place] = 0u; // ready for the next chain
                    ready[atomicAdd(waiting, 1)] = ivec3(next, tile);
                }
            }
        }
    }
#if MODEL
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
#else
    barrier();
    memoryBarrierBuffer();
#endif
}

void main() {
    if (lane() == 0) waiting = 0;
    hand_on(0);
    Tile tile = tile_of(0, ivec2(gl_WorkGroupID.xy) + halves(tier(0).y));
    if (TOP != 0u) {
        ivec2 from, to;
        own(tile, 0, from, to);
        ivec2 extent = to - from;
        for (int i = lane(); i < extent.x * extent.y; i += THREADS) {
            ivec2 at = from + ivec2(i % extent.x, i / extent.x);
            store(0, at, image_texel(at));
        }
    }
    if (push.aligned != 0u) make_aligned(tile);
    else make_tile(tile, true);
    arrive(0, tile.at);
    while (waiting > 0) {
        ivec3 job = ready[(waiting - 1) & 31];
        barrier();
        if (lane() == 0) --waiting;
        hand_on(job.x);
        make_tile(tile_of(job.x, job.yz), false);
        arrive(job.x, job.yz);
    }
}
