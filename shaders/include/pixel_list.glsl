//! Sorted pixel list, for its readers. Images smaller than 65535 pixels a side.
#ifndef INCLUDE_PIXEL_LIST
#define INCLUDE_PIXEL_LIST
#include "include/tile.glsl"

struct Region { uint first; uint count; };
layout(binding = 1, scalar) readonly buffer Entries { uint entries[]; };
layout(binding = 2, scalar) readonly buffer Tiles { uint tiles[]; };
layout(binding = 3, scalar) readonly buffer Regions { Region regions[]; };

uint entry_at(uint j, bool is_short, uint tiles_across) {
    if (!is_short) return entries[j];
    uint within = entries[j >> 1] >> 16 * (j & 1) & 0xFFFF;
    if (within == 0xFFFF) return PADDING;
    uint tile = tiles[j >> 5];
    return (tile / tiles_across * TILE + (within >> 6)) << 16 | (tile % tiles_across * TILE + (within & 63));
}

#endif
