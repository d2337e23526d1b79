//! Colours and numbers in textures.
#ifndef SHADE_TEXTURE
#define SHADE_TEXTURE
#include "shade/world.glsl"

// Software drivers gather from a uniform block much faster; GPUs do not.
#ifdef GROUPS
#define TABLES uniform
#else
#define TABLES readonly buffer
#endif
layout(binding = 15, scalar) TABLES Tables { vec3 irradiance[9]; float linear_of_byte[256]; };

vec4 value_of(Texture t, uint bits) {
    vec4 value = unpackUnorm4x8(bits);
    if (t.srgb != 0)
        value.rgb = vec3(linear_of_byte[bits & 255u], linear_of_byte[bits >> 8 & 255u], linear_of_byte[bits >> 16 & 255u]);
    return value;
}
#include "include/texture.glsl"

#endif
