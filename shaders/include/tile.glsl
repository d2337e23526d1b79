//! Tile of 64x64 pixels: pixel order, and keys from IDs. Images smaller than 65535 pixels a side.
#ifndef INCLUDE_TILE
#define INCLUDE_TILE

const uint TILE = 64;
const uint SLOTS = TILE * TILE;
const uint PADDING = 0xFFFFFFFFu;

uint key_of(uint id) {
    id ^= id >> 15;
    id *= 0x2c1b3c6du;
    id ^= id >> 12;
    id *= 0x297a2d39u;
    return id ^ (id >> 15);
}

uint even_bits(uint p) {
    p &= 0x555u;
    p = (p | p >> 1) & 0x333u;
    p = (p | p >> 2) & 0x30Fu;
    return (p | p >> 4) & 0x3Fu;
}

uvec2 morton(uint p) { return uvec2(even_bits(p), even_bits(p >> 1)); }

#endif
