//! Four textures of a material, interleaved by texel as in src/scene/world/packed_texels.rs, and sampled as one. `paint_at(index)` must be
//! defined and gives their texels.
#ifndef INCLUDE_PAINT
#define INCLUDE_PAINT
#include "include/texture.glsl"

/// Texture values of a material. Missing ones are 1, except `bump`, which is undefined then.
struct Paint {
    vec4 base;
    vec4 bump_rough; // the normal from 0 to 1, and the roughness
    vec4 glow_metallic;
};

/// Square roots of a colour.
vec3 color_of(uint bits) {
    vec3 root = vec3(bits & 2047u, bits >> 11 & 2047u, bits >> 22) * vec3(1.0 / 2047.0, 1.0 / 2047.0, 1.0 / 1023.0);
    return root * root;
}

Paint paint_of(uvec4 bits) {
    vec4 bump_alpha = unpackUnorm4x8(bits.y);
    vec2 rough_metallic = unpackUnorm4x8(bits.z).xy;
    return Paint(vec4(color_of(bits.x), bump_alpha.w), vec4(bump_alpha.xyz, rough_metallic.x), vec4(color_of(bits.w), rough_metallic.y));
}

Paint mixed(Paint a, Paint b, float part) {
    return Paint(mix(a.base, b.base, part), mix(a.bump_rough, b.bump_rough, part), mix(a.glow_metallic, b.glow_metallic, part));
}

Paint bilinear_paint(uint first, Four four) {
    Paint above = mixed(paint_of(paint_at(first + four.at.x)), paint_of(paint_at(first + four.at.y)), four.part.x);
    Paint below = mixed(paint_of(paint_at(first + four.at.z)), paint_of(paint_at(first + four.at.w)), four.part.x);
    return mixed(above, below, four.part.y);
}

/// Samples the paint that starts at `first`; `shape` is the layout of all its textures, the rest as for one texture.
Paint painted(uint first, Texture shape, vec2 uv, vec2 right, vec2 down, uint taps) {
    Looks looks = looks_at(shape, right, down, taps);
    Paint sum = Paint(vec4(0.0), vec4(0.0), vec4(0.0));
    for (float i = 0.0; i < looks.count; i += 1.0) {
        vec2 at = place_of(looks, uv, i);
        Four near = four_around(at, looks.near, looks.near_size, shape.wrap, looks.sharp), far = four_around(at, looks.far, looks.far_size, shape.wrap, looks.sharp);
        Paint look = mixed(bilinear_paint(first, near), bilinear_paint(first, far), looks.between);
        sum = Paint(sum.base + look.base, sum.bump_rough + look.bump_rough, sum.glow_metallic + look.glow_metallic);
    }
    return Paint(sum.base / looks.count, sum.bump_rough / looks.count, sum.glow_metallic / looks.count);
}

#endif
