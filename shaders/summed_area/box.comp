#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mean over a box around each pixel, in linear light; between two whole radii their means are mixed. Beyond its border
//! the picture is mirrored repeatedly. Sides below 2^16; boxes whose sum is below 2^32.
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 1, scalar) readonly buffer Table { uint table[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
layout(binding = 4, rgba16f) uniform writeonly image2D result;
layout(push_constant, scalar) uniform BoxPush {
    uvec2 full;
    uint pitch;
    uint plane;
    uint radius;
    float part; // of the box one pixel wider to each side
    float scale;
    ivec2 first; // pixel of the picture that is the result's first texel
    uvec2 extent;
} push;
#include "summed_area/lookup.glsl"

/// Along an axis of the mirrored picture: `whole` times the picture's sum and `sign` times that up to `at`.
struct Corner {
    uint whole, sign, at;
};

Corner corner_along(int place, uint n) {
    int both = 2 * int(n), turns = place < 0 ? -1 : 0;
    // Only a blur wider than the picture needs a division.
    if (place < -both || place >= both) turns = place >= 0 ? place / both : -((both - 1 - place) / both);
    uint at = uint(place - turns * both), whole = 2 * uint(turns);
    return at <= n ? Corner(whole, 1, at) : Corner(whole + 2, ~0u, 2 * n - at);
}

/// Modulo 2^32.
uint upto(Layout how, uint channel, ivec2 corner) {
    Corner x = corner_along(corner.x, how.full.x), y = corner_along(corner.y, how.full.y);
    uint sum = x.sign * y.sign * corner_of(how, channel, uvec2(x.at, y.at));
    if (x.whole != 0) sum += x.whole * y.sign * corner_of(how, channel, uvec2(how.full.x, y.at));
    if (y.whole != 0) sum += x.sign * y.whole * corner_of(how, channel, uvec2(x.at, how.full.y));
    if (x.whole != 0 && y.whole != 0) sum += x.whole * y.whole * corner_of(how, channel, how.full);
    return sum;
}

vec3 mean_around(ivec2 at, uint radius) {
    Layout how = Layout(push.full, push.pitch, push.plane, 3, push.scale);
    ivec2 low = at - int(radius), high = at + int(radius) + 1;
    uvec3 sum;
    bool inside = all(greaterThanEqual(low, ivec2(0))) && all(lessThanEqual(high, ivec2(push.full)));
    for (uint channel = 0; channel < 3; ++channel) {
        if (inside) sum[channel] = box_sum(how, channel, uvec2(low), uvec2(high));
        else {
            uint a = upto(how, channel, low), b = upto(how, channel, ivec2(high.x, low.y));
            uint c = upto(how, channel, ivec2(low.x, high.y)), d = upto(how, channel, high);
            sum[channel] = d - b - (c - a);
        }
    }
    float side = float(2 * radius + 1);
    return vec3(sum) * push.scale / (side * side);
}

/// In 0..2, ties to even: the rounding of a store is up to the device.
vec3 nearest_half(vec3 light) {
    uvec3 bits = floatBitsToUint(light);
    return uintBitsToFloat((bits + 0xFFFu + (bits >> 13 & 1u)) & ~0x1FFFu);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.extent))) return;
    ivec2 place = push.first + ivec2(at);
    vec3 light = mix(mean_around(place, push.radius), mean_around(place, push.radius + 1), push.part);
    imageStore(result, ivec2(at), vec4(nearest_half(light), 1.0));
}
