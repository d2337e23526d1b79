#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: floats UNSIGNED=0
// variant: integers UNSIGNED=1

//! Figures of one channel of a captured image: smallest and largest number, counts of NaN and infinities, and a histogram over the leading
//! bits of the numbers as floats, from which percentiles follow. Every workgroup takes many texels, and adds its sums once.
layout(local_size_x = 256) in;
#if UNSIGNED
layout(binding = 0) uniform usampler2D texels;
#else
layout(binding = 0) uniform sampler2D texels;
#endif
const uint BUCKET_BITS = 11;
const uint BUCKETS = 1 << BUCKET_BITS;

layout(binding = 1, scalar) buffer Figures {
    uint least_inverted;
    uint largest;
    uint nan_count;
    uint infinity_count;
    uint number_count;
    uint buckets[];
};
layout(push_constant, scalar) uniform Push { uint channel; } push;

shared uint counts[BUCKETS];
shared uint local_not_least, local_most, local_nans, local_infinities, local_numbers;

uint key_of_float(float value) {
    uint bits = floatBitsToUint(value);
    return (bits & 0x80000000) != 0 ? ~bits : bits | 0x80000000;
}

void main() {
    uint me = gl_LocalInvocationIndex;
    for (uint b = me; b < BUCKETS; b += gl_WorkGroupSize.x) counts[b] = 0;
    if (me == 0) local_not_least = local_most = local_nans = local_infinities = local_numbers = 0;
    barrier();
    ivec2 size = textureSize(texels, 0);
    uint all = uint(size.x) * uint(size.y), not_least = 0, most = 0, nans = 0, infinities = 0, numbers = 0;
    for (uint i = gl_GlobalInvocationID.x; i < all; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        ivec2 at = ivec2(i % uint(size.x), i / uint(size.x));
#if UNSIGNED
        uint key = texelFetch(texels, at, 0)[push.channel], bucket = key_of_float(float(key));
#else
        float value = texelFetch(texels, at, 0)[push.channel];
        uint magnitude = floatBitsToUint(value) & 0x7FFFFFFF, key = key_of_float(value), bucket = key;
        nans += uint(magnitude > 0x7F800000);
        infinities += uint(magnitude == 0x7F800000);
        if (magnitude >= 0x7F800000) continue;
#endif
        numbers++;
        not_least = max(not_least, ~key);
        most = max(most, key);
        atomicAdd(counts[bucket >> 32 - BUCKET_BITS], 1);
    }
    atomicMax(local_not_least, not_least);
    atomicMax(local_most, most);
    atomicAdd(local_nans, nans);
    atomicAdd(local_infinities, infinities);
    atomicAdd(local_numbers, numbers);
    barrier();
    for (uint b = me; b < BUCKETS; b += gl_WorkGroupSize.x)
        if (counts[b] != 0) atomicAdd(buckets[b], counts[b]);
    if (me != 0) return;
    atomicMax(least_inverted, local_not_least);
    atomicMax(largest, local_most);
    atomicAdd(nan_count, local_nans);
    atomicAdd(infinity_count, local_infinities);
    atomicAdd(number_count, local_numbers);
}
