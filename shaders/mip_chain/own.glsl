//! Common code of the tiles of the single pass and of the ladder. The includer defines Tile (level, depth, side, at), size_of(),
//! image_filtered() and FILTER.
#ifndef MIP_CHAIN_OWN
#define MIP_CHAIN_OWN

void own(Tile tile, int m, out ivec2 from, out ivec2 to) {
    ivec2 last = size_of(tile.level + tile.depth), size = size_of(tile.level + m);
    int shift = tile.depth - m;
    from = tile.at * tile.side << shift;
    to = mix((tile.at + 1) * tile.side << shift, size, greaterThanEqual((tile.at + 1) * tile.side, last));
}

VALUE filtered_texel(ivec2 at) {
    // Weights of 1/2 (box) or 1/4 and 3/4 (tent), which every GPU has exactly.
    vec2 middle = vec2(2 * at + 1);
    if (FILTER == 0u) return image_filtered(middle);
    return 0.25 * (image_filtered(middle - 0.75) + image_filtered(middle + vec2(0.75, -0.75)) +
                   image_filtered(middle + vec2(-0.75, 0.75)) + image_filtered(middle + 0.75));
}

#endif
