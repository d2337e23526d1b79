// A tile with a halo: one workgroup of 256 makes several levels from one, for a rectangle of texels and what its
// neighbours make too. Right at every size; no workgroup waits for another.
//
// The first level is made 32 columns at a time: an invocation has a column and four rows of it (two where the source is the
// buffer). It reads two columns of the source and adds them up by rows first; what the columns beside it came to it gets
// from its neighbours' registers (ROW_SHUFFLE: a subgroup has whole rows of 32), or reads and adds up itself. All further
// levels are made in shared memory, of which there should be little: it limits how many workgroups run at once.
//
// The includer defines VALUE, PACKED (texel.glsl), Tile, lane(), size_of(), image_texel(), image_filtered(),
// buffer_texel() and keep().
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

VALUE source_texel(bool from_image, uint texels, ivec2 at, ivec2 size) {
    at = clamp(at, ivec2(0), size - 1);
    if (from_image) return image_texel(at);
    return buffer_texel(texels + uint(at.y * size.x + at.x));
}

// Column `x` of the source, added up for `rows` rows of the next level from row `y` on.
void column(bool from_image, int rows, uint texels, int x, int y, ivec2 size, out VALUE sums[4]) {
    VALUE r0 = VALUE(0.0), r1 = r0, r2;
    if (FILTER == 1u) {
        r0 = source_texel(from_image, texels, ivec2(x, 2 * y - 1), size);
        r1 = source_texel(from_image, texels, ivec2(x, 2 * y), size);
        r2 = source_texel(from_image, texels, ivec2(x, 2 * y + 1), size);
    } else {
        r2 = source_texel(from_image, texels, ivec2(x, 2 * y), size);
    }
    [[unroll]] for (int j = 0; j < rows; ++j) {
        int next = 2 * (y + j) + 1 + REACH;
        VALUE r3 = source_texel(from_image, texels, ivec2(x, next), size);
        VALUE r4 = source_texel(from_image, texels, ivec2(x, next + 1), size);
        Taps t = taps(y + j, size.y);
        sums[j] = FILTER == 1u ? t.w0 * r0 + t.w1 * r1 + t.w2 * r2 + t.w3 * r3 + t.w4 * r4
                               : t.w0 * r2 + t.w1 * r3 + t.w2 * r4;
        r0 = r2;
        r1 = r3;
        r2 = r4;
    }
}

// Columns of a block that can be made: where neighbours are needed, those at its edges only lend theirs.
int columns_of(ivec2 size) { return FILTER == 0u && (size.x & 1) == 0 ? 32 : 31 - REACH; }

// `rows` texels of column at.x of the next level from row at.y on.
void strip(bool from_image, int rows, uint texels, ivec2 at, ivec2 size, out VALUE made[4]) {
    int x = 2 * at.x;
    VALUE a[4], b[4], c[4], d[4], before[4];
    column(from_image, rows, texels, x, at.y, size, a);
    column(from_image, rows, texels, x + 1, at.y, size, b);
#if SHUFFLE
    if (ROW_SHUFFLE != 0u) {
        [[unroll]] for (int j = 0; j < rows; ++j) {
            c[j] = beside(a[j], 1);
            if (FILTER == 1u) {
                d[j] = beside(b[j], 1);
                before[j] = beside(b[j], -1);
            }
        }
    } else
#endif
    {
        column(from_image, rows, texels, x + 2, at.y, size, c);
        if (FILTER == 1u) {
            column(from_image, rows, texels, x + 3, at.y, size, d);
            column(from_image, rows, texels, x - 1, at.y, size, before);
        }
    }
    Taps t = taps(at.x, size.x);
    [[unroll]] for (int j = 0; j < rows; ++j) {
        if (FILTER == 1u) made[j] = t.w0 * before[j] + t.w1 * a[j] + t.w2 * b[j] + t.w3 * c[j] + t.w4 * d[j];
        else made[j] = t.w0 * a[j] + t.w1 * b[j] + t.w2 * c[j];
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
    VALUE made[4] = VALUE[](VALUE(0.0), VALUE(0.0), VALUE(0.0), VALUE(0.0));
    if (filtered) {
        [[unroll]] for (int j = 0; j < 4; ++j) made[j] = filtered_texel(min(from + place + ivec2(0, 8 * j), to - 1));
    } else if (place.y < extent.y) {
        strip(true, 4, 0u, from + place, size, made);
    }
    [[unroll]] for (int j = 0; j < 4; ++j) {
        if (within(place, ivec2(0), extent)) {
            near[place.y * extent.x + place.x] = packed_of(made[j]);
            if (within(from + place, own_from, own_to)) keep(tile, 1, from + place, made[j]);
        }
        place.y += step;
    }
}

// Where four divides both sides and the filter is the box, the first two levels come straight from the buffer, an
// invocation a texel of the second: nothing of the first goes through shared memory.
bool comes_by_fours(Tile tile, ivec2 size) {
    return FILTER == 0u && tile.depth >= 2 && ((size.x | size.y) & 3) == 0;
}

void first_two_from_buffer(Tile tile) {
    ivec2 size = size_of(tile.level), from, to;
    need(tile, 2, from, to);
    ivec2 extent = to - from;
    int shift = findMSB(extent.x - 1) + 1;
    for (int i = lane(); i >> shift < extent.y; i += THREADS) {
        ivec2 place = ivec2(i & ((1 << shift) - 1), i >> shift), at = from + place;
        if (place.x >= extent.x) continue;
        VALUE quarters[4];
        [[unroll]] for (int k = 0; k < 4; ++k) {
            ivec2 corner = 4 * at + 2 * ivec2(k & 1, k >> 1);
            uint first = tile.texels + uint(corner.y * size.x + corner.x);
            quarters[k] = 0.25 * (buffer_texel(first) + buffer_texel(first + 1u) + buffer_texel(first + uint(size.x)) +
                                  buffer_texel(first + uint(size.x) + 1u));
        }
        [[unroll]] for (int k = 0; k < 4; ++k) {
            keep(tile, tile.level + 1, 2 * at + ivec2(k & 1, k >> 1), quarters[k]);
        }
        VALUE mean = 0.25 * (quarters[0] + quarters[1] + quarters[2] + quarters[3]);
        far[min(uint(place.y * extent.x + place.x), uint(FAR) - 1u)] = packed_of(mean);
        keep(tile, tile.level + 2, at, mean);
    }
}

// The first level from the buffer: as many blocks as it takes.
void first_from_buffer(Tile tile) {
    ivec2 size = size_of(tile.level), from, to, own_from, own_to;
    need(tile, 1, from, to);
    own(tile, 1, own_from, own_to);
    ivec2 extent = to - from;
    int columns = columns_of(size);
    for (int x0 = 0; x0 < extent.x; x0 += columns) {
        for (int y0 = 2 * (lane() >> 5); y0 < extent.y; y0 += 16) {
            int column = (lane() & 31) - REACH;
            VALUE made[4];
            strip(false, 2, tile.texels, from + ivec2(x0 + column, y0), size, made);
            [[unroll]] for (int j = 0; j < 2; ++j) {
                ivec2 place = ivec2(x0 + column, y0 + j);
                if (column < 0 || column >= columns || !within(place, ivec2(0), extent)) continue;
                near[place.y * extent.x + place.x] = packed_of(made[j]);
                if (within(from + place, own_from, own_to)) keep(tile, tile.level + 1, from + place, made[j]);
            }
        }
    }
}

#include "mip_chain/made.glsl"

// The level `m` below the source, from the one above it.
void next_level(Tile tile, int m) {
    bool even = (m & 1) != 0; // the level above is an even one
    ivec2 above = size_of(tile.level + m - 1), above_from, above_to, from, to, own_from, own_to;
    need(tile, m - 1, above_from, above_to);
    need(tile, m, from, to);
    own(tile, m, own_from, own_to);
    ivec2 extent = to - from;
    int pitch = above_to.x - above_from.x, shift = findMSB(extent.x - 1) + 1; // a power of two holds a row
    for (int i = lane(); i >> shift < extent.y; i += THREADS) {
        ivec2 place = ivec2(i & ((1 << shift) - 1), i >> shift), at = from + place;
        if (place.x >= extent.x) continue;
        Taps tx = taps(at.x, above.x), ty = taps(at.y, above.y);
        ivec2 last = above_to - above_from - 1, first = ivec2(tx.first, ty.first) - above_from;
        ivec4 x = clamp(first.x + ivec4(0, 1, 2, 3), ivec4(0), last.xxxx);
        ivec4 y = clamp(first.y + ivec4(0, 1, 2, 3), ivec4(0), last.yyyy) * pitch;
        int x4 = 0, y4 = 0;
        if (FILTER == 1u) {
            x4 = clamp(first.x + 4, 0, last.x);
            y4 = clamp(first.y + 4, 0, last.y) * pitch;
        }
        VALUE sum = ty.w0 * made_row(even, tx, y.x, x, x4) + ty.w1 * made_row(even, tx, y.y, x, x4) +
                    ty.w2 * made_row(even, tx, y.z, x, x4);
        if (FILTER == 1u) sum += ty.w3 * made_row(even, tx, y.w, x, x4) + ty.w4 * made_row(even, tx, y4, x, x4);
        int slot = place.y * extent.x + place.x;
        if (even) near[slot] = packed_of(sum);
        else far[slot] = packed_of(sum);
        if (within(at, own_from, own_to)) keep(tile, tile.level + m, at, sum);
    }
}

// Levels from `first` below the source on.
void further_levels(Tile tile, int first) {
    for (int m = first; m <= tile.depth; ++m) {
        barrier();
        next_level(tile, m);
    }
}

#endif
