#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Every level of a chain in one dispatch. Sources up to 32768 texels a side; up to 15 levels below the source.
//!
//! A workgroup makes several levels of a tile of about 64x64 texels (aligned.glsl, block.glsl). Its texels of the last
//! of them go to a buffer; the last workgroup to arrive of those that a tile of that level needs continues with that
//! tile (tail.glsl), and so on until one is left. No workgroup ever waits for another, and no stored level is read
//! again.
//!
//! MODEL: the Vulkan memory model's release and acquire, else coherent memory and barriers. SHUFFLE: subgroup shuffles.
//! INDEX: storage images are chosen by an index, else by a switch.
// variant: rgba16f KIND=0 MODEL=1 INDEX=1 SHUFFLE=1
// rare variant: rgba16f_switch KIND=0 MODEL=1 INDEX=0 SHUFFLE=1
// rare variant: rgba16f_old KIND=0 MODEL=0 INDEX=0 SHUFFLE=1
// rare variant: rgba16f_plain KIND=0 MODEL=1 INDEX=1 SHUFFLE=0
// rare variant: rgba16f_plain_switch KIND=0 MODEL=1 INDEX=0 SHUFFLE=0
// rare variant: rgba16f_plain_old KIND=0 MODEL=0 INDEX=0 SHUFFLE=0
// rare variant: rgba8 KIND=1 MODEL=1 INDEX=1 SHUFFLE=1
// rare variant: rgba8_switch KIND=1 MODEL=1 INDEX=0 SHUFFLE=1
// rare variant: rgba8_old KIND=1 MODEL=0 INDEX=0 SHUFFLE=1
// rare variant: rgba8_plain KIND=1 MODEL=1 INDEX=1 SHUFFLE=0
// rare variant: rgba8_plain_switch KIND=1 MODEL=1 INDEX=0 SHUFFLE=0
// rare variant: rgba8_plain_old KIND=1 MODEL=0 INDEX=0 SHUFFLE=0
// rare variant: r32f KIND=2 MODEL=1 INDEX=1 SHUFFLE=1
// rare variant: r32f_switch KIND=2 MODEL=1 INDEX=0 SHUFFLE=1
// rare variant: r32f_old KIND=2 MODEL=0 INDEX=0 SHUFFLE=1
// rare variant: r32f_plain KIND=2 MODEL=1 INDEX=1 SHUFFLE=0
// rare variant: r32f_plain_switch KIND=2 MODEL=1 INDEX=0 SHUFFLE=0
// rare variant: r32f_plain_old KIND=2 MODEL=0 INDEX=0 SHUFFLE=0
// rare variant: bytes KIND=3 MODEL=1 INDEX=1 SHUFFLE=1
// rare variant: bytes_switch KIND=3 MODEL=1 INDEX=0 SHUFFLE=1
// rare variant: bytes_old KIND=3 MODEL=0 INDEX=0 SHUFFLE=1
// rare variant: bytes_plain KIND=3 MODEL=1 INDEX=1 SHUFFLE=0
// rare variant: bytes_plain_switch KIND=3 MODEL=1 INDEX=0 SHUFFLE=0
// rare variant: bytes_plain_old KIND=3 MODEL=0 INDEX=0 SHUFFLE=0
#if MODEL
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#define SHARED_WITH_ALL nonprivate
#else
#define SHARED_WITH_ALL coherent
#endif
#if SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(constant_id = 6) const int SHUFFLES = 1; // levels made by shuffles: 1 from 4 lanes on, 2 from 16, 3 from 64
layout(constant_id = 8) const uint ROW_SHUFFLE = 0; // subgroups have 32 lanes or more
#endif
#include "mip_chain/texel.glsl"
#include "mip_chain/taps.glsl"

#define THREADS 256
layout(local_size_x = THREADS) in;
layout(constant_id = 2) const int NEAR = 1024; // texels that a tile keeps of what it reads, or of the first level
layout(constant_id = 3) const int KEPT = 1280; // those and the texels of the level after it
layout(constant_id = 4) const uint HARDWARE_FILTER = 0; // the sampler's bilinear weights may be used: they are exact
layout(constant_id = 5) const uint TOP = 0; // level 0 is written too
layout(constant_id = 7) const uint ALIGNED = 0; // 1: the first tier makes its levels from whole blocks (aligned.glsl), 2: all do
layout(constant_id = 9) const int DEPTH = 1; // levels that the first tier makes where it is aligned
// A row of workgroups before the others: its first one runs the last tier without data, so that its code is cached.
layout(constant_id = 10) const uint REHEARSAL = 0;
layout(constant_id = 11) const uint WHOLE = 0; // the second tier is the last, of one tile, and the filter is the box

layout(binding = 0) uniform sampler2D source; // bilinear, clamped
layout(binding = 1, FORMAT) uniform writeonly IMAGE levels[16];
layout(binding = 2, scalar) SHARED_WITH_ALL buffer Counters { uint counters[]; };
layout(binding = 3, scalar) SHARED_WITH_ALL buffer Between { PACKED between[]; };
layout(push_constant, scalar) uniform Push {
    ivec2 size;        // of the source
    vec2 texel;        // 1 / size
    uint tier_count;
    uint share;        // blocks side by side that a workgroup makes in turn where the first tier is aligned
    uint sides[4];     // texels of the last level that a tile makes, x | y << 16
    uint shifts;       // log2 of what a tile covers of its source without its halo: 4 bits for each axis, 8 for each tier
    uvec4 tiers[4];    // level | depth << 8 | counter << 16; first tile x | y << 16; tiles x | y << 16; offset in `between`
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
VALUE image_filtered(vec2 at) { return value_of(textureLod(source, at * push.texel, 0.0)); }

ivec2 halves(uint both) { return ivec2(both & 0xffffu, both >> 16); }
// Software drivers run code for inactive invocations: indices must stay inside.
uvec4 tier(int t) { return push.tiers[t & 3]; }
int tier_level(int t) { return int(tier(t).x & 255u); }
int tier_depth(int t) { return int(tier(t).x >> 8 & 255u); }
ivec2 tier_side(int t) { return halves(push.sides[t & 3]); }
ivec2 tier_shift(int t) { return ivec2(push.shifts >> 8 * t & 15u, push.shifts >> 8 * t + 4 & 15u); }

// Exact below 2^20, and cheaper than integers.
ivec2 quotient(ivec2 a, ivec2 b) { return ivec2((vec2(a) + 0.5) / vec2(b)); }
int quotient(int a, int b) { return int((float(a) + 0.5) / float(b)); }

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

const uint NO_TILE = 0xffffffffu;
struct Tile {
    int level;   // that is read
    int depth;   // levels that are made
    ivec2 side;  // texels of the last of them
    ivec2 at;    // tile coordinates
    uint texels; // where the source is in the buffer
    uint handed; // where the last level made goes in the buffer, or NO_TILE
    ivec2 aside; // added to where a texel is stored: beyond every image in a rehearsal
};

// Vulkan drops what is stored there.
const ivec2 BEYOND = ivec2(1 << 15, 0);

Tile tile_of(int t, ivec2 at) {
    uint handed = t + 1 < int(push.tier_count) ? tier(t + 1).w : NO_TILE;
    return Tile(tier_level(t), tier_depth(t), tier_side(t), at, tier(t).w, handed, ivec2(0));
}

void keep(Tile tile, int level, ivec2 at, VALUE value) {
    store(level, at + tile.aside, value);
    if (level == tile.level + tile.depth && tile.handed != NO_TILE) {
        between[tile.handed + uint(at.y * size_of(level).x + at.x)] = packed_of(value);
    }
}

void everyone() {
#if MODEL
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
#else
    memoryBarrierBuffer();
    barrier();
#endif
}

#include "mip_chain/tail.glsl"
#include "mip_chain/block.glsl"
#include "mip_chain/aligned.glsl"

shared int waiting;     // tiles that this workgroup has yet to make: never more than 64
shared uint ready[64];  // tier << 30 | y << 15 | x

ivec2 tile_of_job(uint job) { return ivec2(job & 0x7fffu, job >> 15 & 0x7fffu); }

struct Arrival { bool counts; uint place, before, wanted, job; };

// The writes to the buffer happen before the barrier, and the barrier before the release; stores to images do not
// matter.
Arrival arrive(int t, ivec2 at) {
    everyone();
    Arrival arrival = Arrival(false, 0u, 0u, 1u, 0u);
    int next = t + 1, id = lane();
    if (id >= 16) return arrival;
    ivec2 side = tier_side(t), first = halves(tier(next).y), count = halves(tier(next).z);
    ivec2 tile = (at * side >> tier_shift(next)) + ivec2(id & 3, id >> 2) - 1, from, to;
    need(tile_of(next, tile), 0, from, to);
    from = quotient(from, side);
    to = quotient(to + side - 1, side);
    if (within(tile, first, first + count) && within(at, from, to)) {
        uint place = (tier(next).x >> 16) + uint((tile.y - first.y) * count.x + tile.x - first.x);
#if MODEL
        memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
        uint before = atomicAdd(counters[place], 1u, gl_ScopeQueueFamily, 0, 0);
#else
        uint before = atomicAdd(counters[place], 1u);
#endif
        uint job = uint(next) << 30 | uint(tile.y) << 15 | uint(tile.x);
        arrival = Arrival(true, place, before, uint((to.x - from.x) * (to.y - from.y)), job);
    }
    return arrival;
}

// The acquire is for the winner alone, so that the caches of the others stay.
void settle(Arrival arrival) {
    if (arrival.counts && arrival.before + 1u == arrival.wanted) {
#if MODEL
        memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
#endif
        counters[arrival.place] = 0u; // ready for the next chain
        ready[atomicAdd(waiting, 1) & 63] = arrival.job;
    }
    barrier();
}

void copy_top(Tile tile) {
    ivec2 from, to;
    own(tile, 0, from, to);
    ivec2 cell = ivec2(lane() & 31, lane() >> 5);
    for (int y = from.y + cell.y; y < to.y; y += 16) {
        for (int x = from.x + cell.x; x < to.x; x += 64) {
            VALUE texels[4];
            [[unroll]] for (int k = 0; k < 4; ++k) {
                texels[k] = image_texel(min(ivec2(x, y) + ivec2(k & 1, k >> 1) * ivec2(32, 8), to - 1));
            }
            [[unroll]] for (int k = 0; k < 4; ++k) {
                ivec2 at = ivec2(x, y) + ivec2(k & 1, k >> 1) * ivec2(32, 8);
                if (all(lessThan(at, to))) store(0, at, texels[k]);
            }
        }
    }
}

// With zeros for its source, stored nowhere.
Tile rehearsed() {
    Tile tile = tile_of(int(push.tier_count) - 1, ivec2(0));
    tile.texels = 0u;
    tile.aside = BEYOND;
    return tile;
}

void aligned_tiers(ivec2 at, bool rehearses) {
    for (int t = rehearses ? int(push.tier_count) - 1 : 0;; ++t) {
        Tile tile = rehearses ? rehearsed() : tile_of(t, at);
        make_aligned(tile, t);
        if (TOP != 0u && t == 0) copy_top(tile);
        if (t + 1 == int(push.tier_count)) return;
        settle(arrive(t, at));
        if (all_of(waiting == 0)) return;
        at = tile_of_job(ready[0]);
        everyone();
        if (lane() == 0) waiting = 0;
    }
}

void main() {
    bool rehearses = REHEARSAL != 0u && gl_WorkGroupID.y == 0u;
    if (rehearses && gl_WorkGroupID.x != 0u) return;
    if (lane() == 0) waiting = 0;
    ivec2 at = ivec2(gl_WorkGroupID.xy) + halves(tier(0).y);
    if (REHEARSAL != 0u) --at.y;
    if (ALIGNED == 2u) {
        aligned_tiers(at, rehearses);
        return;
    }
    if (rehearses) {
        barrier();
        if (lane() == 0) {
            waiting = 1;
            ready[0] = push.tier_count - 1u << 30;
        }
        barrier();
    } else {
        Tile tile = tile_of(0, at);
        if (ALIGNED != 0u) {
            make_aligned(tile, 0);
        } else {
            first_from_image(tile);
            further_levels(tile, 2, held_level(tile, 1));
        }
        if (push.tier_count == 1u) {
            if (TOP != 0u) copy_top(tile);
            return;
        }
        Arrival arrival = arrive(0, at);
        if (TOP != 0u) copy_top(tile);
        settle(arrival);
    }
    if (WHOLE != 0u) {
        if (waiting != 0) whole_levels(rehearses ? rehearsed() : tile_of(1, ivec2(0)));
        return;
    }
    // Read again in each turn: otherwise an H200's compiler does not see that it is uniform.
    while (waiting > 0) {
        uint job = ready[(waiting - 1) & 63];
        everyone(); // knows the job, and the tile before it is done with shared memory
        if (lane() == 0) --waiting;
        int t = int(job >> 30);
        Tile tile = tile_of(t, tile_of_job(job));
        if (rehearses) tile = rehearsed();
        levels_from_buffer(tile);
        if (t + 1 < int(push.tier_count)) settle(arrive(t, tile.at));
        else barrier(); // a tile of one level has none, and `waiting` is read again
    }
}
