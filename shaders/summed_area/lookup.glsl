//! Sums and means over boxes, from a table. Boxes are [low, high) in pixels, inside the picture. The includer names its table's words
//! `table[]` and the result of mean_done.comp `means[]`; with TRUTH also `truth[]`, a table of whole numbers with the same layout.
#ifndef SUMMED_AREA_LOOKUP
#define SUMMED_AREA_LOOKUP
#include "summed_area/means.glsl"

layout(constant_id = 30) const uint HOLDS_FLOATS = 0;
layout(constant_id = 31) const uint LESS = 0;   // 1: floats less a half, 2: less the mean
layout(constant_id = 32) const uint MIDDLE = 0; // four tables that begin in the middle

struct Layout {
    uvec2 full;    // of the picture
    uint pitch;    // words from row to row
    uint plane;    // words from plane to plane
    uint channels; // planes; of four tables a quarter of them
    float scale;   // value of a whole number
};

/// In [0, full]. Where tables begin in the middle: of the pixels between it and the corner, negative on one side.
uint corner_of(Layout how, uint channel, uvec2 corner) {
    if (MIDDLE == 1) {
        uvec2 middle = how.full / 2;
        bvec2 after = greaterThan(corner, middle);
        uvec2 at = mix(middle - corner, corner - middle, after);
        uint plane = ((after.x ? 1 : 0) + (after.y ? 2 : 0)) * how.channels + channel;
        uvec2 last = max(at, uvec2(1)) - 1;
        uint word = table[plane * how.plane + last.y * how.pitch + last.x];
        if (any(equal(at, uvec2(0)))) return 0;
        return after.x == after.y ? word : HOLDS_FLOATS == 1 ? word ^ 0x80000000u : ~word + 1;
    }
    uvec2 last = max(corner, uvec2(1)) - 1;
    uint word = table[channel * how.plane + last.y * how.pitch + last.x];
    return any(equal(corner, uvec2(0))) ? 0 : word;
}

/// A whole number below 2^32 is exact.
uint box_sum(Layout how, uint channel, uvec2 low, uvec2 high) {
    uint a = corner_of(how, channel, low), b = corner_of(how, channel, uvec2(high.x, low.y));
    uint c = corner_of(how, channel, uvec2(low.x, high.y)), d = corner_of(how, channel, high);
    if (HOLDS_FLOATS == 0) return d - b - (c - a);
    // Neighbours' differences first: they are small.
    precise float right = uintBitsToFloat(d) - uintBitsToFloat(b), left = uintBitsToFloat(c) - uintBitsToFloat(a);
    return floatBitsToUint(right - left);
}

float box_mean(Layout how, uint channel, uvec2 low, uvec2 high) {
    uint sum = box_sum(how, channel, low, high);
    float area = float(high.x - low.x) * float(high.y - low.y);
    if (HOLDS_FLOATS == 0) return float(sum) * how.scale / area;
    float offset = LESS == 2 ? uintBitsToFloat(means[MEAN + channel]) * how.scale : 0.5 * float(LESS);
    return uintBitsToFloat(sum) / area + offset;
}

#ifdef TRUTH
float true_mean(Layout how, uint channel, uvec2 low, uvec2 high) {
    uint sums[4];
    for (uint k = 0; k < 4; ++k) {
        uvec2 corner = uvec2((k & 1) == 0 ? low.x : high.x, k < 2 ? low.y : high.y), last = max(corner, uvec2(1)) - 1;
        uint word = truth[channel * how.plane + last.y * how.pitch + last.x];
        sums[k] = any(equal(corner, uvec2(0))) ? 0 : word;
    }
    return float(sums[3] - sums[1] - (sums[2] - sums[0])) * how.scale / (float(high.x - low.x) * float(high.y - low.y));
}
#endif

void box_around(uvec2 at, uint radius, uvec2 full, out uvec2 low, out uvec2 high) {
    low = at - min(at, uvec2(radius));
    high = min(at + radius + 1, full);
}

#endif
