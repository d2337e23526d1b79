// A tile with a halo: one workgroup of 256 makes several levels from one, for a rectangle of texels and what its
// neighbours make too. Right at every size; no workgroup waits for another.
//
// From the image, the first level is a block of up to 32x32 texels: an invocation has a column and four rows of it. It
// reads two columns of the source and adds them up by rows first; what the columns beside it came to it gets from its
// neighbours' registers (ROW_SHUFFLE: a subgroup has whole rows of 32), or reads and adds up itself. All further levels are
// made in shared memory, of which there should be little: it limits how many workgroups run at once.
//
// The includer defines VALUE, PACKED (texel.glsl), Tile, made[], between[], lane(), size_of(), image_texel(),
// image_filtered() and keep().
#ifndef MIP_CHAIN_BLOCK
#define MIP_CHAIN_BLOCK

// What a tile reads of the level `m` below its source, or makes of it: the halo included.
void need(Tile tile, int m, out ivec2 from, out ivec2 to) {
    ivec2 size = size_of(tile.level + m), made = size_of(tile.level + tile.depth);
    int shift = tile.depth - m, mask = (1 << shift) - 1;
    // The odd sizes on the way add up to the low bits of this one.
    from = max((tile.at * tile.side << shift) - REACH * mask, ivec2(0));
    to = min((min((tile.at + 1) * tile.side, made) << shift) + (size & mask) + REACH * mask, size);
}

// What it alone writes: the last tile of a row has the rest of the row.
void own(Tile tile, int m, out ivec2 from, out ivec2 to) {
    ivec2 last = size_of(tile.level + tile.depth), size = size_of(tile.level + m);
    int shift = tile.depth - m;
    from = tile.at * tile.side << shift;
    to = mix((tile.at + 1) * tile.side << shift, size, greaterThanEqual((tile.at + 1) * tile.side, last));
}

bool within(ivec2 at, ivec2 from, ivec2 to) { return all(greaterThanEqual(at, from)) && all(lessThan(at, to)); }

#if SHUFFLE
VALUE beside(VALUE value, int step) {
    int other = clamp(int(gl_SubgroupInvocationID) + step, 0, int(gl_SubgroupSize) - 1);
    return unpacked(subgroupShuffle(packed_of(value), uint(other)));
}
#endif

// Column `x` of the source, added up for four rows of the next level from row `y` on.
void column(int x, int y, ivec2 size, out VALUE sums[4]) {
    VALUE r0 = VALUE(0.0), r1 = r0, r2;
    if (FILTER == 1u) {
        r0 = image_texel(clamp(ivec2(x, 2 * y - 1), ivec2(0), size - 1));
        r1 = image_texel(clamp(ivec2(x, 2 * y), ivec2(0), size - 1));
        r2 = image_texel(clamp(ivec2(x, 2 * y + 1), ivec2(0), size - 1));
    } else {
        r2 = image_texel(clamp(ivec2(x, 2 * y), ivec2(0), size - 1));
    }
    [[unroll]] for (int j = 0; j < 4; ++j) {
        int next = 2 * (y + j) + 1 + REACH;
        VALUE r3 = image_texel(clamp(ivec2(x, next), ivec2(0), size - 1));
        VALUE r4 = image_texel(clamp(ivec2(x, next + 1), ivec2(0), size - 1));
        Taps t = taps(y + j, size.y);
        sums[j] = FILTER == 1u ? t.w0 * r0 + t.w1 * r1 + t.w2 * r2 + t.w3 * r3 + t.w4 * r4
                               : t.w0 * r2 + t.w1 * r3 + t.w2 * r4;
        r0 = r2;
        r1 = r3;
        r2 = r4;
    }
}

// Four texels of column at.x of the next level from row at.y on.
void strip(ivec2 at, ivec2 size, out VALUE sums[4]) {
    int x = 2 * at.x;
    VALUE a[4], b[4], c[4], d[4], before[4];
    column(x, at.y, size, a);
    column(x + 1, at.y, size, b);
#if SHUFFLE
    if (ROW_SHUFFLE != 0u) {
        [[unroll]] for (int j = 0; j < 4; ++j) {
            c[j] = beside(a[j], 1);
            if (FILTER == 1u) {
                d[j] = beside(b[j], 1);
                before[j] = beside(b[j], -1);
            }
        }
    } else
#endif
    {
        column(x + 2, at.y, size, c);
        if (FILTER == 1u) {
            column(x + 3, at.y, size, d);
            column(x - 1, at.y, size, before);
        }
    }
    Taps t = taps(at.x, size.x);
    [[unroll]] for (int j = 0; j < 4; ++j) {
        if (FILTER == 1u) sums[j] = t.w0 * before[j] + t.w1 * a[j] + t.w2 * b[j] + t.w3 * c[j] + t.w4 * d[j];
        else sums[j] = t.w0 * a[j] + t.w1 * b[j] + t.w2 * c[j];
    }
}

VALUE filtered_texel(ivec2 at) {
    // Even both ways: bilinear taps with weights of 1/2 (box) or 1/4 and 3/4 (tent), which every GPU has exactly.
    vec2 middle = vec2(2 * at + 1);
    if (FILTER == 0u) return image_filtered(middle);
    return 0.25 * (image_filtered(middle - 0.75) + image_filtered(middle + vec2(0.75, -0.75)) +
                   image_filtered(middle + vec2(-0.75, 0.75)) + image_filtered(middle + 0.75));
}

bool is_filtered(ivec2 size) { return HARDWARE_FILTER != 0u && ((size.x | size.y) & 1) == 0; }

// The first level from the image: one block.
void first_from_image(Tile tile) {
    ivec2 size = size_of(0), from, to, own_from, own_to, cell = ivec2(lane() & 31, lane() >> 5);
    need(tile, 1, from, to);
    own(tile, 1, own_from, own_to);
    ivec2 extent = to - from;
    bool filtered = is_filtered(size);
    // Invocations side by side write texels side by side.
    ivec2 place = filtered ? cell : ivec2(cell.x - REACH, 4 * cell.y);
    int step = filtered ? 8 : 1;
    VALUE texels[4] = VALUE[](VALUE(0.0), VALUE(0.0), VALUE(0.0), VALUE(0.0));
    if (filtered) {
        [[unroll]] for (int j = 0; j < 4; ++j) texels[j] = filtered_texel(min(from + place + ivec2(0, 8 * j), to - 1));
    } else if (place.y < extent.y) {
        strip(from + place, size, texels);
    }
    [[unroll]] for (int j = 0; j < 4; ++j) {
        if (within(place, ivec2(0), extent)) {
            made[place.y * extent.x + place.x] = packed_of(texels[j]);
            if (within(from + place, own_from, own_to)) keep(tile, 1, from + place, texels[j]);
        }
        place.y += step;
    }
}

float weight(Taps t, int k) { return k == 0 ? t.w0 : k == 1 ? t.w1 : k == 2 ? t.w2 : k == 3 ? t.w3 : t.w4; }

// The levels from the one `m` below the source on: the first comes from the buffer, the others from shared memory. The
// loops are not unrolled: a workgroup that goes on alone waits for every instruction that it is the first to run.
void further_levels(Tile tile, int m) {
    [[dont_unroll]] for (; m <= tile.depth; ++m) {
        barrier();
        ivec2 above = size_of(tile.level + m - 1), above_from, above_to, from, to, own_from, own_to;
        need(tile, m - 1, above_from, above_to);
        need(tile, m, from, to);
        own(tile, m, own_from, own_to);
        bool buffered = m == 1;
        if (buffered) {
            above_from = ivec2(0);
            above_to = above;
        }
        ivec2 extent = to - from, last = above_to - above_from - 1;
        int pitch = last.x + 1, shift = findMSB(extent.x - 1) + 1; // a power of two holds a row
        int made_from = (m & 1) != 0 ? NEAR : 0, made_to = NEAR - made_from;
        [[dont_unroll]] for (int i = lane(); i >> shift < extent.y; i += THREADS) {
            ivec2 place = ivec2(i & ((1 << shift) - 1), i >> shift), at = from + place;
            if (place.x >= extent.x) continue;
            Taps tx = taps(at.x, above.x), ty = taps(at.y, above.y);
            ivec2 first = ivec2(tx.first, ty.first) - above_from;
            VALUE sum = VALUE(0.0);
            [[dont_unroll]] for (int k = 0; k < TAPS; ++k) {
                int row = clamp(first.y + k, 0, last.y) * pitch;
                PACKED bits[5];
                [[unroll]] for (int j = 0; j < TAPS; ++j) {
                    int x = row + clamp(first.x + j, 0, last.x);
                    // Software drivers load for invocations that are not there too, wherever their index points.
                    if (buffered) bits[j] = between[tile.texels + uint(x)];
                    else bits[j] = made[min(uint(made_from + x), uint(NEAR + FAR) - 1u)];
                }
                VALUE line = tx.w0 * unpacked(bits[0]) + tx.w1 * unpacked(bits[1]) + tx.w2 * unpacked(bits[2]);
                if (FILTER == 1u) line += tx.w3 * unpacked(bits[3]) + tx.w4 * unpacked(bits[4]);
                sum += weight(ty, k) * line;
            }
            made[made_to + place.y * extent.x + place.x] = packed_of(sum);
            if (within(at, own_from, own_to)) keep(tile, tile.level + m, at, sum);
        }
    }
}

#endif
