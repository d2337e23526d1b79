#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "particles/state.glsl"

//! One step of bodies that attract each other, all pairs: a tile of bodies at a time through shared memory. Up to 2^18 bodies.
layout(constant_id = 0) const uint TILE = 256; // a power of two from 4 on
layout(local_size_x = 256, local_size_x_id = 0) in;
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 2, scalar) writeonly buffer To { uvec4 to[]; };
shared vec4 tile[TILE]; // position and mass

vec3 pull(vec3 x, vec4 body) {
    vec3 d = body.xyz - x;
    float inverse = inversesqrt(dot(d, d) + motion.softening);
    return d * (body.w * inverse * inverse * inverse);
}

void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    bool is_there = i < motion.count;
    // No invocation may return before a barrier: missing bodies have zero mass.
    uvec4 a = is_there ? from[2 * i] : uvec4(0), b = is_there ? from[2 * i + 1] : uvec4(0);
    vec3 x = uintBitsToFloat(a.xyz), v = uintBitsToFloat(b.xyz), sum = vec3(0.0);
    for (uint first = 0; first < motion.count; first += TILE) {
        uint j = first + lane;
        tile[lane] = j < motion.count ? uintBitsToFloat(from[2 * j]) : vec4(0.0);
        barrier(); // the tile is whole
        for (uint k = 0; k < TILE; k += 4) {
            sum += pull(x, tile[k]);
            sum += pull(x, tile[k + 1]);
            sum += pull(x, tile[k + 2]);
            sum += pull(x, tile[k + 3]);
        }
        barrier(); // all have read it
    }
    if (!is_there) return;
    v += sum * motion.dt;
    x += v * motion.dt;
    to[2 * i] = uvec4(floatBitsToUint(x), a.w);
    to[2 * i + 1] = uvec4(floatBitsToUint(v), b.w);
}
