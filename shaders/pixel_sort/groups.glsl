//! IDs of eight groups of 32, by 256 invocations: 64 by 4 pixels of the image, or of the list laid out by tiles.
#ifndef PIXEL_SORT_GROUPS
#define PIXEL_SORT_GROUPS
#include "include/pixel_list.glsl"
#include "pixel_sort/keys.glsl"
#define GROUPS 8
#include "pixel_sort/distinct.glsl"

layout(local_size_x = 64, local_size_y = 4) in;
layout(binding = 0) uniform usampler2D ids; // nearest, clamped
layout(push_constant, scalar) uniform Push { uvec2 size; uint view; uint is_short; } push;

uint id_at(uvec2 at) {
    return any(greaterThanEqual(at, push.size)) ? 0 : sort_key_of(texelFetch(ids, ivec2(at), 0).r);
}

uint tiles_across() { return (push.size.x + TILE - 1) / TILE; }

/// A packed list can be longer than its tile: its rows are thinned out. PADDING where there is none.
uint entry_drawn_at(uvec2 at, out uint index) {
    Region region = regions[at.y / TILE * tiles_across() + at.x / TILE];
    uint rows = max((region.count + TILE - 1) / TILE, TILE);
    uint j = at.y % TILE * rows / TILE * TILE + at.x % TILE;
    index = region.first + j;
    return j < region.count ? entry_at(index, push.is_short == 1, tiles_across()) : PADDING;
}

uint id_of_entry(uint entry) { return entry == PADDING ? 0 : id_at(uvec2(entry & 0xFFFF, entry >> 16)); }

uint distinct_by_list(uint id) {
    return distinct(gl_LocalInvocationIndex / 32, gl_LocalInvocationIndex % 32, id);
}
uint distinct_by_raster(uint id) {
    uvec2 at = gl_LocalInvocationID.xy;
    return distinct(at.x / 8, at.y * 8 + at.x % 8, id);
}

#endif
