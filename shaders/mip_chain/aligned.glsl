//! Tiers in which no size is odd and the filter is the box: whole blocks, no halo.
//!
//! Invocations are in Z order over 16x16 cells; each has the same cell of four adjacent blocks of the first level, so
//! that neighbours read and write neighbours: with 2x2 texels for each, an H200 took a quarter as long again.
//!
//! Conditions are the same for a whole workgroup, and the compiler must see that they are for a subgroup, hence
//! all_of(): else it guards each shuffle, which doubles the code on an H200.
#ifndef MIP_CHAIN_ALIGNED
#define MIP_CHAIN_ALIGNED

ivec2 unfolded(int z) {
    ivec2 b = ivec2(z, z >> 1) & 0x55;
    b = (b | b >> 1) & 0x33;
    return (b | b >> 2) & 0x0f;
}

VALUE block_mean(ivec2 at) { // of 2x2 texels of the source
    ivec2 corner = 2 * at;
    if (HARDWARE_FILTER != 0u) return image_filtered(vec2(corner + 1));
    ivec2 edge = push.size - 1;
    return 0.25 * (image_texel(min(corner, edge)) + image_texel(min(corner + ivec2(1, 0), edge)) +
                   image_texel(min(corner + ivec2(0, 1), edge)) + image_texel(min(corner + 1, edge)));
}

VALUE between_mean(uint texels, int pitch, ivec2 at) { // of 2x2 texels of a level in the buffer
    uint first = texels + uint(2 * at.y * pitch + 2 * at.x), below = first + uint(pitch);
    PACKED a = between[first], b = between[first + 1], c = between[below], d = between[below + 1];
    return 0.25 * (unpacked(a) + unpacked(b) + unpacked(c) + unpacked(d));
}

VALUE mean_of_kept(int first) {
    return 0.25 * (unpacked(kept[first]) + unpacked(kept[first + 1]) + unpacked(kept[first + 2]) +
                   unpacked(kept[first + 3]));
}

#if SHUFFLE
bool all_of(bool condition) { return subgroupAll(condition); }

VALUE from_lane(VALUE value, uint mask) { return unpacked(subgroupShuffleXor(packed_of(value), mask)); }

VALUE mean_by_shuffles(VALUE value, uint step) {
    PACKED bits = packed_of(value);
    return 0.25 * (value + unpacked(subgroupShuffleXor(bits, step)) + unpacked(subgroupShuffleXor(bits, 2u * step)) +
                   unpacked(subgroupShuffleXor(bits, 3u * step)));
}

VALUE mean_of_quad(VALUE value) { return mean_by_shuffles(value, 1u); }

VALUE mean_by_block(VALUE v[4]) {
    bool right = (lane() & 1) != 0, lower = (lane() & 2) != 0;
    // The sum of two half floats need not be one.
    VALUE a = 0.5 * ((right ? v[1] : v[0]) + from_lane(right ? v[0] : v[1], 1u));
    VALUE b = 0.5 * ((right ? v[3] : v[2]) + from_lane(right ? v[2] : v[3], 1u));
    return 0.5 * ((lower ? b : a) + from_lane(lower ? a : b, 2u));
}
#else
bool all_of(bool condition) { return condition; }

VALUE mean_of_quad(VALUE value) {
    barrier();
    kept[lane()] = packed_of(value);
    barrier();
    return mean_of_kept(lane() & ~3);
}

VALUE mean_by_block(VALUE v[4]) {
    VALUE value;
    for (int k = 0; k < 4; ++k) {
        VALUE mean = mean_of_quad(v[k]);
        if ((lane() & 3) == k) value = mean;
    }
    return value;
}
#endif

void load_block(ivec2 place, out VALUE v[4]) {
    [[unroll]] for (int k = 0; k < 4; ++k) v[k] = block_mean(place + 16 * ivec2(k & 1, k >> 1));
}

// In turn. Vulkan drops stores beyond an image. Small squares (ALIGNED 2) have one or two blocks, and are faster with
// less code.
void make_aligned(Tile tile, int t) {
    int id = lane(), level = tile.level, depth = t == 0 ? DEPTH : tile.depth;
    int turns = t == 0 ? int(push.share) : 1;
    ivec2 cell = unfolded(id), size = size_of(level + depth);
    VALUE next[4];
    if (ALIGNED == 1u) load_block(ivec2(tile.at.x * turns, tile.at.y) * 32 + cell, next);
    for (int turn = 0; turn < turns; ++turn) {
        ivec2 at = ivec2(tile.at.x * turns + turn, tile.at.y), place = at * 32 + cell, aside = tile.aside;
        VALUE value = VALUE(0.0);
        if (t == 0) {
            VALUE v[4];
            if (ALIGNED == 1u) {
                v = next;
                if (turn + 1 < turns) load_block(place + ivec2(32, 0), next);
            } else {
                load_block(place, v);
            }
            [[unroll]] for (int k = 0; k < 4; ++k) store(1, place + 16 * ivec2(k & 1, k >> 1), v[k]);
            if (depth == 1) continue;
            value = mean_by_block(v);
        } else {
            ivec2 above = size_of(level), last = size_of(level + 1) - 1;
            // Not unrolled: it would take registers from the first tier.
            [[dont_unroll]] for (int k = 0; k < 4; ++k) {
                ivec2 block = 16 * ivec2(k & 1, k >> 1);
                if (all_of(any(greaterThan(at * 32 + block, last)))) continue;
                VALUE v = between_mean(tile.texels, above.x, min(place + block, last));
                store(level + 1, place + aside + block, v);
                VALUE mean = mean_of_quad(v);
                if ((id & 3) == k) value = mean;
            }
            if (depth == 1) continue;
        }
        place = at * 16 + (cell >> 1) + 8 * ivec2(id & 1, id >> 1 & 1);
        store(level + 2, place + aside, value);
        bool mine = true; // this invocation has a texel of the level that was made last
        int m = 2;
#if SHUFFLE
        if (SHUFFLES != 1) {
            if (depth != 2) {
                value = mean_by_shuffles(value, 4u);
                place >>= 1;
                mine = (id & 12) == 0;
                if (mine) store(level + 3, place + aside, value);
            }
            if (depth > 3) {
                int shelf = (turn & 1) * 64, slot = (id & 3) << 4 | id >> 4; // what one turn reads, the next does not write
                if (SHUFFLES == 3) {
                    value = mean_by_shuffles(value, 16u);
                    place >>= 1;
                    mine = (id & 60) == 0;
                    slot = (id & 3) << 2 | id >> 6;
                    if (mine) store(level + 4, place + aside, value);
                }
                if (mine) kept[shelf + slot] = packed_of(value);
                barrier();
                mine = id < 16;
                if (mine) { // 16 invocations at the most are left: one subgroup has them
                    place = at * 4 + unfolded(id);
                    if (SHUFFLES == 3) {
                        value = unpacked(kept[shelf + id]);
                    } else {
                        value = mean_of_kept(shelf + 4 * id);
                        store(level + 4, place + aside, value);
                    }
                    if (depth != 4) {
                        value = mean_by_shuffles(value, 1u);
                        place >>= 1;
                        mine = (id & 3) == 0;
                        if (mine) store(level + 5, place + aside, value);
                        if (depth != 5) {
                            value = mean_by_shuffles(value, 4u);
                            place = at;
                            mine = id == 0;
                            if (mine) store(level + 6, place + aside, value);
                        }
                    }
                }
            }
            m = depth;
        }
#endif
        if (m < depth) {
            barrier();
            kept[(id & 3) << 6 | id >> 2] = packed_of(value);
            barrier();
            while (m < depth) {
                ++m;
                int left = 4096 >> 2 * m;
                mine = id < left;
                if (mine) {
                    value = mean_of_kept(4 * id);
                    place = (at << 6 - m) + unfolded(id);
                    store(level + m, place + aside, value);
                }
                barrier();
                if (mine) kept[id] = packed_of(value);
                barrier();
            }
        }
        if (mine && tile.handed != NO_TILE && all(lessThan(place, size))) {
            between[tile.handed + uint(place.y * size.x + place.x)] = packed_of(value);
        }
    }
}

#endif
