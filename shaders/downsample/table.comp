#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Exact area mean of each result pixel, any ratio, from tables of sums: along each axis its first pixel, those between
//! and its last one, which are covered whole or in part. 64 reads at any ratio. Sides up to 16384; the sum over a
//! result pixel's box is below 2^32.
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"
#include "downsample/axis.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, scalar) readonly buffer Sums { uint sums[]; };
layout(binding = 1, FORMAT) uniform writeonly image2D result;
layout(push_constant, scalar) uniform SumsPush {
    ivec2 from;
    uint pitch;  // words from row to row
    uint plane;  // words from channel to channel
    float scale; // value of the whole number 1
} push;

struct Parts {
    int ends[4];
    float shares[3];
};

Parts parts_of(int i, int n, int made) {
    ivec2 all = covered(i, n, made);
    Parts parts;
    parts.ends[0] = all.x;
    parts.ends[1] = all.x + 1;
    parts.ends[2] = max(all.y - 1, all.x + 1);
    parts.ends[3] = max(all.y, all.x + 1);
    for (int k = 0; k < 3; ++k) parts.shares[k] = share_of(min(parts.ends[k], n - 1), i, n, made);
    return parts;
}

uint upto(uint channel, int x, int y) {
    uint word = sums[channel * push.plane + uint(max(y, 1) - 1) * push.pitch + uint(max(x, 1) - 1)];
    return x == 0 || y == 0 ? 0 : word;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
    if (any(greaterThanEqual(at, size))) return;
    Parts x = parts_of(at.x, push.from.x, size.x), y = parts_of(at.y, push.from.y, size.y);
    vec4 mean = vec4(0.0);
    for (uint channel = 0; channel < 4; ++channel) {
        uint above[4], below[4];
        for (int k = 0; k < 4; ++k) above[k] = upto(channel, x.ends[k], y.ends[0]);
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 4; ++k) below[k] = upto(channel, x.ends[k], y.ends[row + 1]);
            float sum = 0.0;
            for (int k = 0; k < 3; ++k) sum += x.shares[k] * float(below[k + 1] - below[k] - (above[k + 1] - above[k]));
            mean[channel] += y.shares[row] * sum;
            above = below;
        }
    }
    imageStore(result, at, stored(mean * push.scale));
}
