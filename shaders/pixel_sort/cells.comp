#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Synthetic ID image: Voronoi cells about one random point in each square of a grid. Sides up to 65535 pixels.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform writeonly uimage2D ids;
layout(push_constant, scalar) uniform Push {
    float side;  // of a square, pixels
    float empty; // part of the cells without an ID
} push;

/// Jarzynski and Olano.
uvec2 random(uvec2 v) {
    v = v * 1664525u + 1013904223u;
    v += v.yx * 1664525u;
    v ^= v >> 16u;
    v += v.yx * 1664525u;
    return v ^ (v >> 16u);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(ids)))) return;
    vec2 here = (vec2(at) + 0.5) / push.side;
    ivec2 middle = ivec2(here);
    float nearest = 1e9;
    ivec2 cell = middle;
    // The own square's point is at most the square root of two away.
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            ivec2 square = middle + ivec2(x, y);
            vec2 d = vec2(square) + vec2(random(uvec2(square + 2)) >> 8) / 16777216.0 - here;
            float far = dot(d, d);
            if (far < nearest) {
                nearest = far;
                cell = square;
            }
        }
    uvec2 name = random(random(uvec2(cell + 2)));
    bool none = float(name.y >> 8) / 16777216.0 < push.empty;
    // Neighbouring cells have neighbouring IDs, as meshlets have.
    imageStore(ids, at, uvec4(none ? 0u : uint(cell.x + 3) + uint(cell.y + 3) * 32768u));
}
