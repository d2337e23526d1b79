#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/look.glsl"

//! Tallies for the views: the number of particles in each pixel, and the sum of one of their figures. Up to 2^24 particles.
layout(local_size_x = 256) in;
layout(constant_id = 1) const uint FIGURE = 0; // 0 none, 1 age, 2 speed, 3 tile
layout(constant_id = 2) const uint TILE = 256;
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 7, scalar) buffer Tallies { uvec2 tallies[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= motion.count) return;
    uvec4 a = from[2 * i], b = from[2 * i + 1];
    vec4 clip = look.clip_from_world * vec4(uintBitsToFloat(a.xyz), 1.0);
    vec2 at = (0.5 + 0.5 * clip.xy / clip.w) * look.size;
    if (clip.w < look.near || any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, look.size))) return;
    for (int k = 0; k < 9; k++) {
        ivec2 pixel = ivec2(at) + ivec2(k % 3, k / 3) - 1;
        if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(look.size)))) continue;
        uint place = uint(pixel.y) * uint(look.size.x) + uint(pixel.x);
        if (FIGURE == 3) {
            atomicMax(tallies[place].x, 1u);
            atomicMax(tallies[place].y, i / TILE);
            continue;
        }
        atomicAdd(tallies[place].x, 1u);
        float speed = length(uintBitsToFloat(b.xyz)) / motion.metre;
        if (FIGURE == 1) atomicAdd(tallies[place].y, (b.w & 0xFFFFu) >> 8);
        if (FIGURE == 2) atomicAdd(tallies[place].y, uint(min(speed, 8.0) * 256.0));
    }
}
