#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/look.glsl"

//! Sums of every particle's light by pixel, as whole numbers: the same in any order. Up to 2^24 particles. DISC: the
//! discs that a draw of sprites shows; else the four nearest pixels.
// variant: four DISC=0
// variant: disc DISC=1
layout(local_size_x = 256) in;
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 6) uniform sampler2D depths; // nearest
layout(binding = 7, scalar) buffer Sums { uint sums[]; }; // as in sums.glsl
#include "particles/sums.glsl"

Sprite sprite_at(uint i) {
    uvec4 a = from[2 * i], b = from[2 * i + 1];
    return sprite_of(Particle(uintBitsToFloat(a.xyz), a.w, uintBitsToFloat(b.xyz), b.w), i);
}

void mark(ivec2 pixel) {
    uvec2 size = uvec2(look.size);
    atomicOr(sums[4 * size.x * size.y + block_of(uvec2(pixel), size.x)], SUMMED);
}

/// In parts of 1/16384: at most 64 for each particle, less than 262144 in all.
void add(ivec2 pixel, vec4 light) {
    uvec4 words = uvec4(clamp(light * 16384.0 + 0.5, 0.0, 1048576.0));
    uint first = 4 * (uint(pixel.y) * uint(look.size.x) + uint(pixel.x));
    for (int c = 0; c < 4; c++)
        if (words[c] > 0) atomicAdd(sums[first + c], words[c]);
}

#if DISC
struct Disc {
    vec3 place; // middle and radius, pixels
    vec3 reach; // distance, softness, rim
    vec4 light;
};
/// Larger discs are drawn by the whole workgroup.
const int LARGE = 64;
shared Disc large[256];
shared uint larges;

/// The first, and the number along each side.
ivec4 box_of(vec3 place) {
    ivec2 low = ivec2(clamp(floor(place.xy - place.z), vec2(0.0), look.size));
    ivec2 high = ivec2(clamp(ceil(place.xy + place.z), vec2(0.0), look.size));
    return ivec4(low, max(high - low, ivec2(0)));
}

void add_disc(Disc d, ivec2 pixel) {
    vec2 at = (vec2(pixel) + 0.5 - d.place.xy) / d.place.z;
    float r2 = dot(at, at);
    if (r2 >= 1.0) return;
    float depth = texelFetch(depths, pixel, 0).r;
    add(pixel, d.light * (profile(r2, d.reach.z) * before(depth, d.reach.x, d.reach.y)));
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (gl_LocalInvocationIndex == 0) larges = 0;
    barrier();
    if (i < motion.count) {
        Sprite s = sprite_at(i);
        Disc d = Disc(disc_of(s), vec3(s.distance_, s.soft, s.rim), s.light);
        ivec4 box = box_of(d.place);
        bool is_seen = s.distance_ >= look.near && any(greaterThan(d.light, vec4(0.0)));
        int pixels = is_seen ? box.z * box.w : 0;
        if (pixels > 0)
            for (int y = box.y / BLOCK.y; y <= (box.y + box.w - 1) / BLOCK.y; y++)
                for (int x = box.x / BLOCK.x; x <= (box.x + box.z - 1) / BLOCK.x; x++) mark(BLOCK * ivec2(x, y));
        if (pixels > LARGE) large[atomicAdd(larges, 1u)] = d;
        else
            for (int k = 0; k < pixels; k++) add_disc(d, box.xy + ivec2(k % box.z, k / box.z));
    }
    barrier();
    for (uint n = 0; n < larges; n++) {
        Disc d = large[n];
        ivec4 box = box_of(d.place);
        for (int k = int(gl_LocalInvocationIndex); k < box.z * box.w; k += 256) add_disc(d, box.xy + ivec2(k % box.z, k / box.z));
    }
}
#else
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= motion.count) return;
    Sprite s = sprite_at(i);
    if (s.distance_ < look.near) return;
    vec2 at = (0.5 + 0.5 * s.clip.xy / s.clip.w) * look.size - 0.5;
    if (!(all(greaterThan(at, vec2(-1.0))) && all(lessThan(at, look.size)))) return;
    vec4 whole = s.light * min(s.diameter * s.diameter * share(s.rim), 16.0);
    vec2 low = floor(at), part = at - low;
    for (int k = 0; k < 4; k++) {
        ivec2 pixel = ivec2(low) + ivec2(k & 1, k >> 1);
        if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(look.size)))) continue;
        float weight = ((k & 1) == 0 ? 1.0 - part.x : part.x) * (k < 2 ? 1.0 - part.y : part.y);
        weight *= before(texelFetch(depths, pixel, 0).r, s.distance_, s.soft);
        mark(pixel);
        add(pixel, whole * weight);
    }
}
#endif
