#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/pixel_list.glsl"
#include "pixel_sort/keys.glsl"
#define GROUPS 4
#include "pixel_sort/distinct.glsl"

//! Count of groups of 32 pixels by their number of IDs: blocks of 8x4 pixels, or 32 entries of the list each. Four
//! groups a workgroup. Images up to 65535 pixels a side.
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint BY_LIST = 0;
layout(binding = 0) uniform usampler2D ids; // nearest, clamped
layout(binding = 4, scalar) readonly buffer Counts { uint entry_count; };
layout(binding = 5, scalar) buffer Bins { uint bins[]; }; // by raster 0 to 32 IDs, then by list
layout(push_constant, scalar) uniform Push { uvec2 size; uint is_short; } push;

void main() {
    uint group = gl_LocalInvocationIndex / 32, member = gl_LocalInvocationIndex % 32;
    uvec2 at = uvec2(gl_WorkGroupID.x * 32 + group * 8 + member % 8, gl_WorkGroupID.y * 4 + member / 8);
    bool there = all(lessThan(at, push.size)), some = gl_WorkGroupID.x * 32 + group * 8 < push.size.x;
    if (BY_LIST == 1) {
        uint j = gl_WorkGroupID.x * 128 + gl_LocalInvocationIndex, entry = PADDING;
        some = (j & ~31u) < entry_count;
        if (some) entry = entry_at(j, push.is_short == 1, (push.size.x + TILE - 1) / TILE);
        there = entry != PADDING;
        at = uvec2(entry & 0xFFFF, entry >> 16);
    }
    uint kinds = distinct(group, member, there ? sort_key_of(texelFetch(ids, ivec2(at), 0).r) : 0);
    if (some && member == 0) atomicAdd(bins[33 * BY_LIST + kinds], 1);
}
