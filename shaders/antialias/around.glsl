// Finds what lies around a sample.
#ifndef ANTIALIAS_AROUND
#define ANTIALIAS_AROUND
#include "antialias/frame.glsl"
#include "include/world.glsl"

layout(binding = 0) uniform sampler2D light; // nearest
layout(binding = 1) uniform usampler2D ids;  // nearest
layout(binding = 2) uniform sampler2D depth; // nearest

Around around(ivec2 at) {
    ivec2 last = ivec2(frame.size) - 1;
    Around r;
    r.depth = -1.0;
    vec3 sum = vec3(0.0), squares = vec3(0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            ivec2 p = clamp(at + ivec2(x, y), ivec2(0), last);
            vec3 c = averaged(texelFetch(light, p, 0).rgb);
            sum += c;
            squares += c * c;
            if (x == 0 && y == 0) r.own = c;
            // Middle and corners: what lies in front takes its edge along.
            if ((x == 0) == (y == 0)) {
                float d = texelFetch(depth, p, 0).r;
                if (d > r.depth) {
                    r.depth = d;
                    r.offset = p - at;
                }
            }
        }
    }
    r.mean = sum / 9.0;
    r.deviation = sqrt(max(squares / 9.0 - r.mean * r.mean, 0.0));
    r.own_depth = texelFetch(depth, at, 0).r;
    uvec2 meshlets = uvec2(texelFetch(ids, at + r.offset, 0).r, texelFetch(ids, at, 0).r) >> TRIANGLE_BITS;
    r.meshlets = bitfieldInsert(meshlets.x, meshlets.y, int(MESHLET_BITS), int(MESHLET_BITS)) & (1u << 2 * MESHLET_BITS) - 1u;
    return r;
}

#endif
