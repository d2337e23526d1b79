//! Weights of texels 2i - 1 .. 2i + 3 of a level of `n` texels for texel i of the next, for either filter. If no size is odd they are
//! constants, and the fifth is 0. Reads beyond the level give its first or last texel.
#ifndef MIP_CHAIN_WEIGHTS
#define MIP_CHAIN_WEIGHTS
#include "mip_chain/taps.glsl"

layout(constant_id = 7) const uint ODD = 1; // some size may be odd

Taps weights(int i, int n) {
    Taps t = Taps(2 * i - 1, 0.0, 0.5, 0.5, 0.0, 0.0);
    if (FILTER == 1u) t = Taps(2 * i - 1, 0.125, 0.375, 0.375, 0.125, 0.0);
    if (ODD == 0u) return t;
    t = taps(i, n);
    if (FILTER == 0u) t = Taps(2 * i - 1, 0.0, t.w0, t.w1, t.w2, 0.0);
    return t;
}

#endif
