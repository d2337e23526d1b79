//! List of triangles to draw tile by tile. Each triangle has at least one item; where there is room it gets more, so that several
//! workgroups share its tiles.
#ifndef TILED_ACCESS
#define TILED_ACCESS
#endif
struct TileSlot {
    uint x, y, z;
    uint sure, more;
};
layout(binding = 11, scalar) TILED_ACCESS buffer TileSlots { TileSlot tile_slots[]; };
/// Visibility value (0: nothing), part and, from bit 16 on, number of parts; the first `push.first_more` are one a
/// triangle.
layout(binding = 12, scalar) TILED_ACCESS buffer Tiles { uvec2 tiles[]; };
layout(push_constant, scalar) uniform RasterPush {
    uint slot;
    uint tile_slot;
    uint first_more;
    uint most_more;
} push;
