//! Blocks of tiles, as src/techniques/glass/bin makes them, and parts of the glass.
#ifndef GLASS_BLOCKS
#define GLASS_BLOCKS

/// Tiles on each side.
const uint BLOCK = 4;

const uint FACE = 0;
const uint BEVEL = 1;
const uint EDGE = 2;
const uint SHADOW = 3;
const uint NOTHING = 4;

/// Column and row in 16 bits each, in blocks of the grid.
uvec2 first_tile(uint block) {
    return uvec2(block & 0xFFFFu, block >> 16) * BLOCK;
}

/// `tile`: of the grid.
uint word_of(uvec2 tile) {
    return glass.bins + (tile.y * glass.grid.x + tile.x) * glass.stride;
}

#endif
