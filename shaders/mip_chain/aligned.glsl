// The first tier where no size among its levels is odd and the filter is the box: whole blocks, no halo.
//
// Invocations lie in Z order over 16x16 cells; each has the same cell of four blocks of level 1, side by side, so that
// neighbours read and write neighbours.
#ifndef MIP_CHAIN_ALIGNED
#define MIP_CHAIN_ALIGNED

// x from the even bits, y from the odd ones.
ivec2 unfolded(int z) {
    ivec2 b = ivec2(z, z >> 1) & 0x55;
    b = (b | b >> 1) & 0x33;
    return (b | b >> 2) & 0x0f;
}

void keep_inside(Tile tile, int level, ivec2 at, VALUE value) {
    if (all(lessThan(at, size_of(level)))) keep(tile, level, at, value);
}

VALUE block_mean(ivec2 at) { // of 2x2 texels of the source
    ivec2 corner = 2 * at;
    if (HARDWARE_FILTER != 0u) return image_filtered(vec2(corner + 1));
    ivec2 edge = push.size - 1;
    return 0.25 * (image_texel(min(corner, edge)) + image_texel(min(corner + ivec2(1, 0), edge)) +
                   image_texel(min(corner + ivec2(0, 1), edge)) + image_texel(min(corner + 1, edge)));
}

#if SHUFFLE
VALUE from_lane(VALUE value, uint mask) { return unpacked(subgroupShuffleXor(packed_of(value), mask)); }

VALUE mean_by_shuffles(VALUE value, uint step) {
    PACKED bits = packed_of(value);
    return 0.25 * (value + unpacked(subgroupShuffleXor(bits, step)) + unpacked(subgroupShuffleXor(bits, 2u * step)) +
                   unpacked(subgroupShuffleXor(bits, 3u * step)));
}
#endif

VALUE mean_of_near(int first) {
    return 0.25 * (unpacked(near[first]) + unpacked(near[first + 1]) + unpacked(near[first + 2]) +
                   unpacked(near[first + 3]));
}

void make_aligned(Tile tile) {
    int id = lane();
    ivec2 place = tile.at * 32 + unfolded(id);
    VALUE v0 = block_mean(place), v1 = block_mean(place + ivec2(16, 0));
    VALUE v2 = block_mean(place + ivec2(0, 16)), v3 = block_mean(place + 16);
    keep_inside(tile, 1, place, v0);
    keep_inside(tile, 1, place + ivec2(16, 0), v1);
    keep_inside(tile, 1, place + ivec2(0, 16), v2);
    keep_inside(tile, 1, place + 16, v3);
    if (tile.depth < 2) return;
    VALUE value;
    int level = 2, order = (id & 3) << 6 | id >> 2; // of the texel of a level, in Z order
    // Of the four blocks, invocation q of a quad sums up block q.
#if SHUFFLE
    bool right = (id & 1) != 0, lower = (id & 2) != 0;
    VALUE a = (right ? v1 : v0) + from_lane(right ? v0 : v1, 1u);
    VALUE b = (right ? v3 : v2) + from_lane(right ? v2 : v3, 1u);
    value = 0.25 * ((lower ? b : a) + from_lane(lower ? a : b, 2u));
    keep_inside(tile, 2, tile.at * 16 + unfolded(order), value);
    for (int s = 1; s < SHUFFLES && level < tile.depth; ++s) {
        value = mean_by_shuffles(value, 1u << (2 * s));
        ++level;
        // Bits 0 and 1 say which block, those from 2 s + 2 on where in it.
        order = (id & 3) << (6 - 2 * s) | id >> (2 * s + 2);
        if ((id >> 2 & ((1 << 2 * s) - 1)) == 0) keep_inside(tile, level, (tile.at * 64 >> level) + unfolded(order), value);
    }
    bool mine = (id >> 2 & ((1 << 2 * (level - 2)) - 1)) == 0;
#else
    // Two blocks at a time: there is room for 512 texels.
    VALUE upper;
    near[id] = packed_of(v0);
    near[256 + id] = packed_of(v1);
    barrier();
    upper = mean_of_near((id & 1) * 256 + (id & ~3));
    barrier();
    near[id] = packed_of(v2);
    near[256 + id] = packed_of(v3);
    barrier();
    value = mean_of_near((id & 1) * 256 + (id & ~3));
    if ((id & 2) == 0) value = upper;
    keep_inside(tile, 2, tile.at * 16 + unfolded(order), value);
    barrier();
    bool mine = true;
#endif
    if (level == tile.depth) return;
    if (mine) near[order] = packed_of(value);
    barrier();
#if SHUFFLE
    if (SHUFFLES != 1) {
        // 16 invocations at the most are left: one subgroup has them.
        ++level;
        int left = 4096 >> 2 * level;
        if (id < left) {
            value = mean_of_near(4 * id);
            keep_inside(tile, level, (tile.at * 64 >> level) + unfolded(id), value);
            for (uint step = 1u; level < tile.depth; step *= 4u) {
                value = mean_by_shuffles(value, step);
                ++level;
                if ((id & int(4u * step - 1u)) == 0) {
                    keep_inside(tile, level, (tile.at * 64 >> level) + unfolded(id / int(4u * step)), value);
                }
            }
        }
        return;
    }
#endif
    while (level < tile.depth) {
        ++level;
        int left = 4096 >> 2 * level;
        if (id < left) {
            value = mean_of_near(4 * id);
            keep_inside(tile, level, (tile.at * 64 >> level) + unfolded(id), value);
        }
        barrier();
        if (id < left) near[id] = packed_of(value);
        barrier();
    }
}

#endif
