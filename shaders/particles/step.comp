#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/state.glsl"

//! One step of motes, spray and fireflies; or, with BEGIN, their first state. Up to 2^24 particles.
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint KIND = 0;
layout(constant_id = 1) const uint BEGIN = 0;
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 2, scalar) writeonly buffer To { uvec4 to[]; };
layout(binding = 3, scalar) readonly buffer Flow { uint flow[]; };

/// At most 1 along each axis: a table of 64^3, repeated, not interpolated.
vec3 flow_at(vec3 position) {
    vec3 cell = floor(position * motion.cells);
    uvec3 at = uvec3(ivec3(cell)) & 63u;
    int word = int(flow[(at.z * 64 + at.y) * 64 + at.x]);
    return vec3(word << 22 >> 22, word << 12 >> 22, word << 2 >> 22) / 511.0;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= motion.count) return;
    uint kind = kind_of(KIND, i);
    Particle p;
    if (BEGIN == 1) {
        p = born(kind, hashed(i ^ motion.step_number * 0x9E3779B9u), true);
    } else {
        uvec4 a = from[2 * i], b = from[2 * i + 1];
        p = Particle(uintBitsToFloat(a.xyz), a.w, uintBitsToFloat(b.xyz), b.w);
        vec3 v = p.velocity, x = p.position;
        if (kind == SPRAY) {
            v += (vec3(0.0, -9.81 * motion.metre, 0.0) - 0.12 * v) * motion.dt;
        } else {
            vec3 wind = flow_at(x) * motion.metre;
            vec3 wanted = kind == FIREFLIES ? 0.55 * wind : 0.11 * wind - vec3(0.0, 0.004 * motion.metre, 0.0);
            v += (wanted - v) * min(1.5 * motion.dt, 1.0);
        }
        x += v * motion.dt;
        p.velocity = v;
        p.position = x;
        uint age = (p.life & 0xFFFFu) + (motion.life_step * (192u + (p.seed & 127u)) >> 8);
        bool ends = kind == SPRAY ? x.y < motion.fountain.y && v.y < 0.0
                                  : age > 0xFFFFu || any(lessThan(x, motion.low)) || any(greaterThan(x, motion.high));
        p.life = p.life & 0xFFFF0000u | min(age, 0xFFFFu);
        if (ends) p = born(kind, p.seed ^ motion.step_number, false);
    }
    to[2 * i] = uvec4(floatBitsToUint(p.position), p.seed);
    to[2 * i + 1] = uvec4(floatBitsToUint(p.velocity), p.life);
}
