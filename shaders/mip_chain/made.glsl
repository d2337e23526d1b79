// Texels of the level above in shared memory: odd levels in `near`, even ones in `far`, which the including shader has.
#ifndef MIP_CHAIN_MADE
#define MIP_CHAIN_MADE

// Software drivers load for invocations that are not there too, wherever their index points: it is kept inside.
VALUE made_texel(bool even, int at) {
    return unpacked(even ? far[min(uint(at), uint(FAR) - 1u)] : near[min(uint(at), uint(NEAR) - 1u)]);
}

VALUE made_row(bool even, Taps t, int row, ivec4 x, int x4) {
    VALUE sum = t.w0 * made_texel(even, row + x.x) + t.w1 * made_texel(even, row + x.y) +
                t.w2 * made_texel(even, row + x.z);
    if (FILTER == 1u) sum += t.w3 * made_texel(even, row + x.w) + t.w4 * made_texel(even, row + x4);
    return sum;
}

#endif
