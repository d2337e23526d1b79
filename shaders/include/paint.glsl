//! Four textures of a material, interleaved by texel as in src/scene/world/packed_texels.rs, and sampled as one. `paint_at(index)` must be
//! defined and gives their texels.
#ifndef INCLUDE_PAINT
#define INCLUDE_PAINT
#include "include/texture.glsl"

/// Missing values are 1, except `bump`, which is undefined.
struct Paint {
    vec4 base;
    vec4 bump_rough; // the normal from 0 to 1, and the roughness
    vec4 glow_metallic;
};

vec3 color_of(uint bits) {
    vec3 root = vec3(bits & 2047u, bits >> 11 & 2047u, bits >> 22) * vec3(1.0 / 2047.0, 1.0 / 2047.0, 1.0 / 1023.0);
    return root * root;
}

Paint paint_of(uvec4 bits) {
    vec4 bump_alpha = unpackUnorm4x8(bits.y);
    vec2 rough_metallic = unpackUnorm4x8(bits.z).xy;
    return Paint(vec4(color_of(bits.x), bump_alpha.w), vec4(bump_alpha.xyz, rough_metallic.x), vec4(color_of(bits.w), rough_metallic.y));
}

void add_texel(inout Paint sum, uint at, float weight) {
    Paint texel = paint_of(paint_at(at));
    sum.base += weight * texel.base;
    sum.bump_rough += weight * texel.bump_rough;
    sum.glow_metallic += weight * texel.glow_metallic;
}

/// One after the other: together they need three times as many registers.
void add_four(inout Paint sum, uint first, Four four, float weight) {
    vec2 above = vec2(1.0 - four.part.x, four.part.x) * (weight * (1.0 - four.part.y));
    vec2 below = vec2(1.0 - four.part.x, four.part.x) * (weight * four.part.y);
    add_texel(sum, first + four.at.x, above.x);
    add_texel(sum, first + four.at.y, above.y);
    add_texel(sum, first + four.at.z, below.x);
    add_texel(sum, first + four.at.w, below.y);
}

Paint painted(uint first, Texture shape, vec2 uv, vec2 right, vec2 down, uint taps) {
    Looks looks = looks_at(shape, right, down, taps);
    Paint sum = Paint(vec4(0.0), vec4(0.0), vec4(0.0));
    for (float i = 0.0; i < looks.count; i += 1.0) {
        vec2 at = place_of(looks, uv, i);
        add_four(sum, first, four_around(at, looks.near, looks.near_size, shape.wrap, looks.sharp), (1.0 - looks.between) / looks.count);
        add_four(sum, first, far_of(looks, at, shape.wrap), looks.between / looks.count);
    }
    return sum;
}

#endif
