#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "include/tile.glsl"

//! Kernel of the source document, as a baseline: an atomic addition for each pixel, a compare-and-swap for each try,
//! entries straight to the list. It is correct only for subgroups of 32 whose lanes are invocations in order; entries
//! that it does not write must have been cleared. Images up to 65535 pixels a side.
layout(local_size_x = 512) in;
layout(constant_id = 0) const uint RESOLVE = 0;
layout(constant_id = 1) const uint SORT = 0;
layout(binding = 0) uniform usampler2D ids; // nearest, clamped
layout(binding = 1, scalar) writeonly buffer Entries { uint entries[]; };
layout(binding = 2, scalar) buffer Counter { uint counter; };
layout(push_constant, scalar) uniform Push { uvec2 size; } push;

const uint WARP = 32, BUCKETS = 127, CLASSES = 32, TRIES = 3, EACH = 8, NONE = 0xFFFFFFFFu;
shared uint owner[BUCKETS], pixels[BUCKETS], first[BUCKETS], warp_sums[BUCKETS / WARP], tile_first;
shared uint class_buckets[CLASSES], class_first[CLASSES], in_order[BUCKETS];

void main() {
    uint me = gl_LocalInvocationIndex, bucket_of[EACH], rank[EACH];
    if (me < BUCKETS) {
        pixels[me] = 0;
        owner[me] = 0;
    }
    if (me < CLASSES) class_buckets[me] = 0;
    barrier();
    for (uint i = 0; i < EACH; i++) {
        uvec2 at = gl_WorkGroupID.xy * TILE + morton(me + 512 * i);
        bucket_of[i] = NONE;
        if (any(greaterThanEqual(at, push.size))) continue;
        uint key = key_of(texelFetch(ids, ivec2(at), 0).r), bucket = key % BUCKETS;
        if (key == 0) continue;
        if (RESOLVE == 1)
            for (uint j = 0; j < TRIES; j++) {
                uint has = atomicCompSwap(owner[bucket], 0, key);
                if (has == 0 || has == key) break;
                bucket = (bucket + 1) % BUCKETS;
            }
        rank[i] = atomicAdd(pixels[bucket], 1);
        bucket_of[i] = bucket;
    }
    barrier();
    uint bucket = me;
    if (SORT == 1) {
        uint kind = 0, before = 0;
        if (me < BUCKETS) {
            kind = 31 - (pixels[me] % WARP == 0 ? 31 : min(pixels[me] >> 3, 30u));
            before = atomicAdd(class_buckets[kind], 1);
        }
        barrier();
        if (me < CLASSES) class_first[me] = subgroupExclusiveAdd(class_buckets[me]);
        barrier();
        if (me < BUCKETS) in_order[class_first[kind] + before] = me;
        barrier();
        if (me < BUCKETS) bucket = in_order[me];
    }
    uint count = 0, from = 0;
    if (me < BUCKETS) {
        count = pixels[bucket];
        from = subgroupExclusiveAdd(count);
        if (me % WARP == WARP - 1) warp_sums[me / WARP] = from + count;
    }
    barrier();
    if (me < BUCKETS) {
        for (uint w = 0; w < me / WARP; w++) from += warp_sums[w];
        first[bucket] = from;
    }
    if (me == BUCKETS - 1) tile_first = atomicAdd(counter, from + count + 31 & ~31u);
    barrier();
    for (uint i = 0; i < EACH; i++) {
        if (bucket_of[i] == NONE) continue;
        uvec2 at = gl_WorkGroupID.xy * TILE + morton(me + 512 * i);
        entries[tile_first + first[bucket_of[i]] + rank[i]] = at.y << 16 | at.x;
    }
}
