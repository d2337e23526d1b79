#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Area average of blocks of RATIO x RATIO pixels, as in the source document: a team of 32 invocations owns 32x32
//! pixels, each adds up its part of a column in registers, the first ones then add up rows. RATIO: a power of two,
//! 2..32; sides: multiples of it, up to 16384.
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"

layout(local_size_x = 64) in; // two teams, side by side
layout(constant_id = 0) const uint RATIO = 32;
/// 2: a read is the mean of four.
layout(constant_id = 1) const uint PAIR = 1;
layout(constant_id = 2) const uint RUN = 32;
layout(constant_id = 3) const uint SAMPLED = 1;
const uint SIDE = 32;
const uint READS = SIDE / PAIR;
const uint EACH = READS * READS / 32;
const uint WIDE = RATIO / PAIR;
const uint SUMS = READS / RUN, OWN = EACH / RUN;
/// No more than 256 sums are in shared memory: with more of it few workgroups run at once.
const uint ROUNDS = (2 * SUMS * READS + 255) / 256, OWN_ROUND = OWN / ROUNDS;
layout(binding = 0) uniform sampler2D above; // linear
layout(binding = 1, FORMAT) uniform writeonly image2D result;

shared vec4 sums[2 * SUMS / ROUNDS * READS];

vec4 fetched(ivec2 at, ivec2 size) { return texelFetch(above, min(at, size - 1), 0); }

uint row_of(uint row, uint round_) {
    if (ROUNDS == 1) return row;
    const uint high = WIDE / RUN, part = OWN_ROUND / high;
    return row / part * (OWN / high) + round_ * part + row % part;
}

void main() {
    uint team = gl_LocalInvocationIndex / 32, lane = gl_LocalInvocationIndex % 32;
    uvec2 tile = uvec2(2 * gl_WorkGroupID.x + team, gl_WorkGroupID.y);
    ivec2 size = textureSize(above, 0);
    vec2 pixel = 1.0 / vec2(size);
    uint column = lane % READS, part = lane / READS;
    uvec2 from = SIDE * tile + PAIR * uvec2(column, part * EACH);
    const uint made = SIDE / RATIO, high = WIDE / RUN, room = SUMS / ROUNDS;
    for (uint round_ = 0; round_ < ROUNDS; ++round_) {
        if (round_ > 0) barrier();
        for (uint i = 0; i < OWN_ROUND; ++i) {
            vec4 sum = vec4(0.0);
            for (uint j = 0; j < RUN; ++j) {
                ivec2 at = ivec2(from.x, from.y + PAIR * ((round_ * OWN_ROUND + i) * RUN + j));
                if (PAIR == 1) sum += fetched(at, size);
                else if (SAMPLED == 1) sum += textureLod(above, vec2(at + 1) * pixel, 0.0);
                else sum += 0.25 * (fetched(at, size) + fetched(at + ivec2(1, 0), size) + fetched(at + ivec2(0, 1), size) + fetched(at + 1, size));
            }
            sums[(team * room + part * OWN_ROUND + i) * READS + column] = sum;
        }
        barrier();
        for (uint o = lane; o < made * made / ROUNDS; o += 32) {
            uint row = o / made;
            uvec2 block = uvec2(o % made, row_of(row, round_));
            vec4 sum = vec4(0.0);
            for (uint y = 0; y < high; ++y) {
                for (uint x = 0; x < WIDE; ++x) sum += sums[(team * room + row * high + y) * READS + block.x * WIDE + x];
            }
            ivec2 at = ivec2(tile * made + block);
            if (all(lessThan(at, imageSize(result)))) imageStore(result, at, stored(sum / float(WIDE * WIDE)));
        }
    }
}
