//! Display values as the bytes of a picture. Rounding here instead of in the driver makes drawn pictures and those stored by compute
//! shaders equal bit for bit. Values are clamped to 0..1.
#ifndef INCLUDE_EIGHT_BITS
#define INCLUDE_EIGHT_BITS

layout(constant_id = 10) const uint BLUE_FIRST = 0;

/// Without contraction, which would round some halves to the other side.
vec3 steps_of(vec3 encoded) {
    precise vec3 steps = floor(clamp(encoded, 0.0, 1.0) * 255.0 + 0.5);
    return steps;
}

uvec4 texel_of(vec3 encoded) {
    uvec3 bytes = uvec3(steps_of(encoded));
    bytes = BLUE_FIRST != 0 ? bytes.bgr : bytes;
    return uvec4(bytes.r | bytes.g << 8 | bytes.b << 16 | 0xFF000000u, 0u, 0u, 0u);
}

#endif
