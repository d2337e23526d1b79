// The first tier where no size among its levels is odd and the filter is the box: whole blocks, no halo.
//
// Invocations lie in Z order over 16x16 cells; each has the same cell of four blocks of level 1, side by side, so that
// neighbours read and write neighbours. What is stored is kept in registers until the tile has been announced.
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

// Place of an invocation's texel of level 1 in block k, and of its texel of level 2 in Z order.
ivec2 place_of_one(Tile tile, int k) { return tile.at * 32 + 16 * ivec2(k & 1, k >> 1) + unfolded(lane()); }
int order_of_two() { return (lane() & 3) << 6 | lane() >> 2; }

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

// Levels 1 .. depth; `one` and `two` are to be stored by keep_aligned.
void make_aligned(Tile tile, out PACKED one[4], out PACKED two) {
    int id = lane();
    VALUE v0 = block_mean(place_of_one(tile, 0)), v1 = block_mean(place_of_one(tile, 1));
    VALUE v2 = block_mean(place_of_one(tile, 2)), v3 = block_mean(place_of_one(tile, 3));
    one[0] = packed_of(v0);
    one[1] = packed_of(v1);
    one[2] = packed_of(v2);
    one[3] = packed_of(v3);
    VALUE value;
    int level = 2, order = order_of_two();
    // Of the four blocks, invocation q of a quad sums up block q.
#if SHUFFLE
    bool right = (id & 1) != 0, lower = (id & 2) != 0;
    VALUE a = (right ? v1 : v0) + from_lane(right ? v0 : v1, 1u);
    VALUE b = (right ? v3 : v2) + from_lane(right ? v2 : v3, 1u);
    value = 0.25 * ((lower ? b : a) + from_lane(lower ? a : b, 2u));
    two = packed_of(value);
    if (tile.depth <= level) return;
    for (int s = 1; s < SHUFFLES && level < tile.depth; ++s) {
        value = mean_by_shuffles(value, 1u << (2 * s));
        ++level;
        // Bits 0 and 1 say which block, those from 2 s + 2 on where in it.
        order = (id & 3) << (6 - 2 * s) | id >> (2 * s + 2);
        if ((id >> 2 & ((1 << 2 * s) - 1)) == 0) keep_inside(tile, level, (tile.at * 64 >> level) + unfolded(order), value);
    }
    bool mine = (id >> 2 & ((1 << 2 * (level - 2)) - 1)) == 0;
#else
    near[id] = one[0];
    near[256 + id] = one[1];
    near[512 + id] = one[2];
    near[768 + id] = one[3];
    barrier();
    value = mean_of_near((id & 3) * 256 + (id & ~3));
    two = packed_of(value);
    if (tile.depth <= level) return;
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

void keep_aligned(Tile tile, PACKED one[4], PACKED two) {
    keep_inside(tile, 1, place_of_one(tile, 0), unpacked(one[0]));
    keep_inside(tile, 1, place_of_one(tile, 1), unpacked(one[1]));
    keep_inside(tile, 1, place_of_one(tile, 2), unpacked(one[2]));
    keep_inside(tile, 1, place_of_one(tile, 3), unpacked(one[3]));
    if (tile.depth >= 2) keep_inside(tile, 2, tile.at * 16 + unfolded(order_of_two()), unpacked(two));
}

#endif
