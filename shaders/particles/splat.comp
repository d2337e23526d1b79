#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/look.glsl"

//! Splats of every particle's light into its four nearest pixels, as whole numbers: the sum is the same in any order. Up to 2^24
//! particles.
layout(local_size_x = 256) in;
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 6) uniform sampler2D depths; // nearest
layout(binding = 7, scalar) buffer Sums { uint sums[]; }; // four for each pixel

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= motion.count) return;
    uvec4 a = from[2 * i], b = from[2 * i + 1];
    Sprite s = sprite_of(Particle(uintBitsToFloat(a.xyz), a.w, uintBitsToFloat(b.xyz), b.w), i);
    if (s.distance_ < look.near) return;
    vec2 at = (0.5 + 0.5 * s.clip.xy / s.clip.w) * look.size - 0.5;
    if (!(all(greaterThan(at, vec2(-1.0))) && all(lessThan(at, look.size)))) return;
    // As much as a sprite of this diameter sends.
    vec4 whole = s.light * min(s.diameter * s.diameter * share(s.rim), 16.0);
    vec2 low = floor(at), part = at - low;
    for (int k = 0; k < 4; k++) {
        ivec2 pixel = ivec2(low) + ivec2(k & 1, k >> 1);
        if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(look.size)))) continue;
        float weight = ((k & 1) == 0 ? 1.0 - part.x : part.x) * (k < 2 ? 1.0 - part.y : part.y);
        weight *= before(texelFetch(depths, pixel, 0).r, s.distance_, s.soft);
        uvec4 words = uvec4(clamp(whole * weight * 4096.0, 0.0, 262144.0));
        uint first = 4 * (uint(pixel.y) * uint(look.size.x) + uint(pixel.x));
        for (int c = 0; c < 4; c++)
            if (words[c] > 0) atomicAdd(sums[first + c], words[c]);
    }
}
