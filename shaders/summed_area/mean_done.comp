#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mean of the numbers of each channel from their sum, rounded down to 256ths: by long division, the same on every GPU.
//! Sides below 2^16, up to four channels.
#include "summed_area/push.glsl"
#include "summed_area/means.glsl"

layout(local_size_x = 4) in;
layout(binding = 3, scalar) buffer Totals { uint totals[]; };

void main() {
    uint channel = gl_LocalInvocationIndex;
    if (channel >= push.channels) return;
    uint low = totals[2 * channel], high = totals[2 * channel + 1], count = push.full.x * push.full.y;
    uint rest = 0, whole = 0, part = 0;
    for (uint k = 0; k < 64 + 8; ++k) {
        uint bit = k < 32 ? high >> 31 - k & 1 : k < 64 ? low >> 63 - k & 1 : 0;
        bool is_long = rest >> 31 == 1;
        rest = rest << 1 | bit;
        bool fits = is_long || rest >= count;
        if (fits) rest -= count;
        if (k < 64) whole = whole << 1 | uint(fits);
        else part = part << 1 | uint(fits);
    }
    totals[MEAN + channel] = floatBitsToUint(float(whole) + float(part) / 256.0);
}
