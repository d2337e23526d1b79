//! First tier with halos: for an odd size among its levels, too few even ones for whole blocks, or the tent. One workgroup of 256 makes
//! the first level of a rectangle, and of the overlap with its neighbours, in shared memory; tail.glsl continues. Any
//! size, finite values.
//!
//! Where the sampler adds texels up, an invocation makes four texels, eight rows apart. Else it has a column of 32 and
//! four rows of it: it reads two columns of the source and adds them up by rows first; the sums of adjacent columns
//! come from registers (ROW_SHUFFLE: a subgroup has whole rows of 32), or it reads and adds them up itself. Row after
//! row: all texels at once would take registers, and with them workgroups.
#ifndef MIP_CHAIN_BLOCK
#define MIP_CHAIN_BLOCK

#if SHUFFLE
VALUE beside(VALUE value, int step) {
    int other = clamp(int(gl_SubgroupInvocationID) + step, 0, int(gl_SubgroupSize) - 1);
    return unpacked(subgroupShuffle(packed_of(value), uint(other)));
}
#endif

// One row (r2) for the box, three for the tent.
struct Column { VALUE r0, r1, r2; };

VALUE source_texel(int x, int y) { return image_texel(clamp(ivec2(x, y), ivec2(0), push.size - 1)); }

Column column_from(int x, int y) {
    Column c = Column(VALUE(0.0), VALUE(0.0), source_texel(x, 2 * y + REACH));
    if (FILTER == 1u) {
        c.r0 = source_texel(x, 2 * y - 1);
        c.r1 = source_texel(x, 2 * y);
    }
    return c;
}

VALUE advance(inout Column c, int x, int y, Taps t) {
    VALUE r3 = source_texel(x, 2 * y + 1 + REACH), r4 = source_texel(x, 2 * y + 2 + REACH);
    VALUE sum = FILTER == 1u ? t.w0 * c.r0 + t.w1 * c.r1 + t.w2 * c.r2 + t.w3 * r3 + t.w4 * r4
                             : t.w0 * c.r2 + t.w1 * r3 + t.w2 * r4;
    c = Column(c.r2, r3, r4);
    return sum;
}

void keep_first(Tile tile, ivec2 at, ivec2 from, ivec2 to, ivec2 own_from, ivec2 own_to, VALUE value) {
    if (!within(at, from, to)) return;
    kept[(at.y - from.y) * (to.x - from.x) + at.x - from.x] = packed_of(value);
    if (within(at, own_from, own_to)) keep(tile, 1, at, value);
}

void first_from_image(Tile tile) {
    ivec2 from, to, own_from, own_to, cell = ivec2(lane() & 31, lane() >> 5);
    need(tile, 1, from, to);
    own(tile, 1, own_from, own_to);
    if (HARDWARE_FILTER != 0u && ((push.size.x | push.size.y) & 1) == 0) {
        // Four texels of the tent at once would take registers.
        if (FILTER == 1u) {
            [[dont_unroll]] for (int j = 0; j < 4; ++j) {
                ivec2 at = from + cell + ivec2(0, 8 * j);
                keep_first(tile, at, from, to, own_from, own_to, filtered_texel(min(at, to - 1)));
            }
            return;
        }
        VALUE made[4];
        [[unroll]] for (int j = 0; j < 4; ++j) made[j] = filtered_texel(min(from + cell + ivec2(0, 8 * j), to - 1));
        [[unroll]] for (int j = 0; j < 4; ++j) {
            keep_first(tile, from + cell + ivec2(0, 8 * j), from, to, own_from, own_to, made[j]);
        }
        return;
    }
    ivec2 at = from + ivec2(cell.x - REACH, 4 * cell.y);
    int x = 2 * at.x;
    Taps across = taps(at.x, push.size.x);
    Column a = column_from(x, at.y), b = column_from(x + 1, at.y), c = a, d = a, before = a;
    bool alone = true;
#if SHUFFLE
    alone = ROW_SHUFFLE == 0u;
#endif
    if (alone) c = column_from(x + 2, at.y);
    if (alone && FILTER == 1u) {
        d = column_from(x + 3, at.y);
        before = column_from(x - 1, at.y);
    }
    Taps down = taps(at.y, push.size.y);
    float slope = taps_slope(push.size.y);
    [[dont_unroll]] for (int j = 0; j < 4; ++j) {
        VALUE sa = advance(a, x, at.y, down), sb = advance(b, x + 1, at.y, down), sc = sa, sd = sa, sbefore = sa;
        if (alone) sc = advance(c, x + 2, at.y, down);
        if (alone && FILTER == 1u) {
            sd = advance(d, x + 3, at.y, down);
            sbefore = advance(before, x - 1, at.y, down);
        }
#if SHUFFLE
        if (!alone) sc = beside(sa, 1);
        if (!alone && FILTER == 1u) {
            sd = beside(sb, 1);
            sbefore = beside(sb, -1);
        }
#endif
        VALUE value = FILTER == 1u ? across.w0 * sbefore + across.w1 * sa + across.w2 * sb + across.w3 * sc + across.w4 * sd
                                   : across.w0 * sa + across.w1 * sb + across.w2 * sc;
        if (cell.x >= REACH) keep_first(tile, at, from, to, own_from, own_to, value);
        ++at.y;
        down = next_taps(down, slope);
    }
}

#endif
