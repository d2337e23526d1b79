#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#define THREADS 256
#include "reflections/ways.glsl"
#include "reflections/ray.glsl"
#include "reflections/first.glsl"
#include "reflections/first_hits.glsl"

//! Rays and lists of a moving picture's mirrors: one of each 2x2 pixels among the first, the others in the next list. A
//! workgroup has two blocks of 16x8 pixels, a word of 32 threads one pixel of each 2x2.
layout(binding = 0) uniform usampler2D ids;      // nearest
layout(binding = 23) uniform usampler2D mirrors; // nearest
layout(binding = 29, scalar) writeonly buffer State { Packed state[]; };
layout(binding = 17, rgba16f) uniform writeonly image2D traced_light;

const uint WORDS = THREADS / 32;
shared uint live_bits[WORDS];
shared uint firsts[2];

bool is_first(uint word) { return (word & 3u) == 0u; }

bool begins_ray(uvec2 pixel) {
    if (any(greaterThanEqual(pixel, plan.size))) return false;
    uint visibility = texelFetch(ids, ivec2(pixel), 0).r;
    uvec2 mirror = visibility != 0 ? texelFetch(mirrors, ivec2(pixel), 0).rg : uvec2(0);
    vec3 weight = unpacked_rgb9e5(mirror.x);
    uint spacing = spacing_of(max(weight.r, max(weight.g, weight.b)));
    if (mirror.x == 0 || spacing > 1u && pixel % spacing != ray_place() % spacing) {
        imageStore(traced_light, ivec2(pixel), vec4(0.0));
        keep_unknown(pixel, 0);
        return false;
    }
    state[item_of_pixel(pixel)] = packed(first_ray(visibility, pixel, mirror));
    return true;
}

void main() {
    uint group = group_number(), thread = gl_LocalInvocationIndex;
    uint word = thread >> 5, bit = thread & 31u, block = WORDS / 4u * group + (word >> 2), across = (plan.size.x + 15u) / 16u;
    uvec2 quad = uvec2(block % across, block / across) * uvec2(8, 4) + uvec2(bit & 7u, bit >> 3);
    uvec2 pixel = 2u * quad + (uvec2(word, word >> 1) + ray_place() & 1u);
    bool live = begins_ray(pixel);
    if (thread < WORDS) live_bits[thread] = 0;
    barrier();
    if (live) atomicOr(live_bits[word], 1u << bit);
    barrier();
    if (thread < 2) {
        uint count = 0;
        for (uint i = 0; i < WORDS; i++) count += is_first(i) == (thread == 0) ? bitCount(live_bits[i]) : 0u;
        firsts[thread] = count == 0 ? 0u : atomicAdd(calls[thread].lanes, count);
    }
    barrier();
    if (!live) return;
    uint list = is_first(word) ? 0u : 1u, at = firsts[list] + bitCount(live_bits[word] & (1u << bit) - 1u);
    for (uint i = 0; i < word; i++) at += is_first(i) == is_first(word) ? bitCount(live_bits[i]) : 0u;
    work[live_lanes_at(list) + at] = item_of_pixel(pixel);
}
