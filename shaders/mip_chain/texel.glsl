//! Texel of the chain in registers, in shared memory and in the image. The includer defines KIND: 0 rgba16f, 1 rgba8, 2 r32f, 3 four
//! bytes in one integer (sRGB and blue-first formats seen as r32ui).
#ifndef MIP_CHAIN_TEXEL
#define MIP_CHAIN_TEXEL
#include "include/srgb.glsl"

#if KIND == 0
#define FORMAT rgba16f
#define IMAGE image2D
#elif KIND == 1
#define FORMAT rgba8
#define IMAGE image2D
#elif KIND == 2
#define FORMAT r32f
#define IMAGE image2D
#else
#define FORMAT r32ui
#define IMAGE uimage2D
layout(constant_id = 0) const uint ENCODING = 0; // bit 0: the sRGB curve, bit 1: blue first
#endif

#if KIND == 2
#define VALUE float
#define PACKED float
VALUE value_of(vec4 texel) { return texel.r; }
PACKED packed_of(VALUE value) { return value; }
VALUE unpacked(PACKED bits) { return bits; }
vec4 stored_of(VALUE value) { return vec4(value, 0.0, 0.0, 1.0); }
#else
#define VALUE vec4
// 11 bits of fraction are enough for 8-bit and half-float levels.
#define PACKED uvec2
#if KIND == 3
// An H200 decodes sRGB to within one step of linear light only.
VALUE value_of(vec4 texel) {
    return (ENCODING & 1u) != 0u ? vec4(linear_from_encoded(texel.rgb), texel.a) : texel;
}
#else
VALUE value_of(vec4 texel) { return texel; }
#endif
PACKED packed_of(VALUE value) { return uvec2(packHalf2x16(value.xy), packHalf2x16(value.zw)); }
VALUE unpacked(PACKED bits) { return vec4(unpackHalf2x16(bits.x), unpackHalf2x16(bits.y)); }
#if KIND == 3
uvec4 stored_of(VALUE value) {
    if ((ENCODING & 1u) != 0u) value.rgb = encoded_from_linear(clamp(value.rgb, 0.0, 1.0));
    if ((ENCODING & 2u) != 0u) value = value.bgra;
    return uvec4(packUnorm4x8(value), 0u, 0u, 0u);
}
#else
vec4 stored_of(VALUE value) { return value; }
#endif
#endif

#endif
