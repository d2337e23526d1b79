//! Texture coordinates on a surface, and their derivatives on screen.
#ifndef SHADE_LOOKUP
#define SHADE_LOOKUP
#include "shade/surface.glsl"

struct Lookup {
    vec2 uv;
    vec2 right;
    vec2 down;
};

Lookup lookup_of(vec2 by[3], vec2 uv, vec2 right, vec2 down) {
    mat2 turn = mat2(by[0], by[1]);
    return Lookup(turn * uv + by[2], turn * right, turn * down);
}

Lookup plain_lookup(Surface s) {
    vec2 uv = vertex_at(s.vertices.x).uv, right = vertex_at(s.vertices.y).uv - uv, down = vertex_at(s.vertices.z).uv - uv;
    return Lookup(uv + s.corner.y * right + s.corner.z * down, s.corner_right.x * right + s.corner_right.y * down,
        s.corner_down.x * right + s.corner_down.y * down);
}

Lookup first_lookup(Surface s, vec2 by[3]) {
    Lookup plain = plain_lookup(s);
    return lookup_of(by, plain.uv, plain.right, plain.down);
}

Lookup second_lookup(Surface s, Material m) {
    vec2 uv = second_uv_at(s.vertices.x);
    mat2 sides = mat2(second_uv_at(s.vertices.y) - uv, second_uv_at(s.vertices.z) - uv);
    return lookup_of(m.uv2, uv + sides * s.corner.yz, sides * s.corner_right, sides * s.corner_down);
}

#endif
