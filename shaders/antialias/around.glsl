//! Neighbourhood of a sample.
#ifndef ANTIALIAS_AROUND
#define ANTIALIAS_AROUND
#include "antialias/frame.glsl"
#include "include/world.glsl"
#include "include/whole.glsl"

layout(binding = 0) uniform sampler2D light; // nearest
layout(binding = 1) uniform usampler2D ids;  // nearest
layout(binding = 2) uniform sampler2D depth; // nearest

Around around(ivec2 at) {
    ivec2 last = whole(frame.size) - 1;
    Around r;
    float front = -1.0;
    ivec2 offset = ivec2(0);
    vec3 sum = vec3(0.0), squares = vec3(0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            ivec2 p = clamp(at + ivec2(x, y), ivec2(0), last);
            vec3 c = averaged(texelFetch(light, p, 0).rgb);
            sum += c;
            squares += c * c;
            if (x == 0 && y == 0) r.own = c;
            if ((x == 0) == (y == 0)) {
                float d = texelFetch(depth, p, 0).r;
                if (d > front) {
                    front = d;
                    offset = p - at;
                }
            }
        }
    }
    r.mean = sum / 9.0;
    r.deviation = sqrt(max(squares / 9.0 - r.mean * r.mean, 0.0));
    r.depths = vec2(front, texelFetch(depth, at, 0).r);
    vec2 own_seen = (vec2(at) + 0.5 + frame.shift) / frame.size * 2.0 - 1.0;
    vec2 seen = (vec2(at + offset) + 0.5 + frame.shift) / frame.size * 2.0 - 1.0;
    vec4 clip = frame.before_from_now * vec4(seen, r.depths.x, 1.0), own_clip = frame.before_from_now * vec4(own_seen, r.depths.y, 1.0);
    r.motion = clip.w > 0.0 ? frame.moves * (clip.xy / clip.w - seen) : vec2(4.0);
    r.expected = vec2(clip.z, own_clip.z) / max(vec2(clip.w, own_clip.w), 1e-20);
    uvec2 meshlets = uvec2(texelFetch(ids, at + offset, 0).r, texelFetch(ids, at, 0).r) >> TRIANGLE_BITS;
    r.meshlets = bitfieldInsert(meshlets.x, meshlets.y, int(MESHLET_BITS), int(MESHLET_BITS)) & (1u << 2 * MESHLET_BITS) - 1u;
    return r;
}

struct Packed {
    vec4 average;
    uvec4 range;
    uvec4 motion;
};

Packed packed_around(ivec2 at) {
    Around a = around(at);
    return Packed(vec4(a.own, 1.0),
        uvec4(packHalf2x16(a.mean.xy), packHalf2x16(vec2(a.mean.z, a.deviation.x)), packHalf2x16(a.deviation.yz), a.meshlets),
        uvec4(floatBitsToUint(a.motion), packHalf2x16(a.depths), packHalf2x16(a.expected)));
}

#endif
