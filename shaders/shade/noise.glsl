//! Value noise on a lattice, by integer hashing: the same on every device. Every octave fades where a pixel holds too much of it.
#ifndef SHADE_NOISE
#define SHADE_NOISE
#include "include/whole.glsl"

uint scrambled(uint h) {
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ h >> 15;
}

uint cell_hash(ivec3 cell) {
    uvec3 c = uvec3(cell) * uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);
    return scrambled(c.x ^ c.y ^ c.z);
}

float part_of(uint h) { return float(h >> 8) * (1.0 / 16777216.0); }

vec3 parts_of(uint h) { return vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u) * (1.0 / 1023.0); }

float corner(uint h) {
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    // Quicker than a conversion.
    return uintBitsToFloat((h ^ h >> 13) & 0xFFFFu | 0x3F800000u) * 256.0 - 257.0;
}

/// -1..1, up to 2^22 cells from the middle.
float noise(vec3 p) {
    vec3 low = floor(p), f = p - low;
    uvec3 a = uvec3(whole(low)) * uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);
    uvec3 b = a + uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);
    f = f * f * (3.0 - 2.0 * f);
    vec4 near = vec4(corner(a.x ^ a.y ^ a.z), corner(b.x ^ a.y ^ a.z), corner(a.x ^ b.y ^ a.z), corner(b.x ^ b.y ^ a.z));
    vec4 far = vec4(corner(a.x ^ a.y ^ b.z), corner(b.x ^ a.y ^ b.z), corner(a.x ^ b.y ^ b.z), corner(b.x ^ b.y ^ b.z));
    vec4 between = mix(near, far, f.z);
    vec2 line = mix(between.xy, between.zw, f.y);
    return mix(line.x, line.y, f.x);
}

/// Of a pattern of period 1: all below a quarter, nothing from a half on.
float kept(float footprint) { return clamp(2.0 - 4.0 * footprint, 0.0, 1.0); }

vec3 next_octave(vec3 p) { return p.zxy * 2.03 + vec3(17.3, 5.7, 11.9); }

float fbm(vec3 p, float footprint, uint octaves) {
    float sum = 0.0, strength = 0.6;
    for (uint i = 0; i < octaves; i++) {
        sum += strength * kept(footprint) * noise(p);
        p = next_octave(p);
        footprint *= 2.03;
        strength *= 0.5;
    }
    return sum;
}

#endif
