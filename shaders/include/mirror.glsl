//! Mirror buffer between techniques: by pixel, the weight and the normal of a mirror to be traced.
#ifndef INCLUDE_MIRROR
#define INCLUDE_MIRROR
#include "include/world.glsl"

/// A shared exponent, 9 bits each: powers of two are exact.
uint packed_rgb9e5(vec3 c) {
    c = clamp(c, 0.0, 65408.0);
    float most = max(c.r, max(c.g, c.b));
    int exponent = max(int(floatBitsToUint(most) >> 23) - 127, -16) + 16;
    float unit = uintBitsToFloat(uint(exponent - 24 + 127) << 23);
    if (floor(most / unit + 0.5) > 511.0) {
        exponent++;
        unit *= 2.0;
    }
    uvec3 n = uvec3(floor(c / unit + 0.5));
    return n.r | n.g << 9 | n.b << 18 | uint(exponent) << 27;
}

vec3 unpacked_rgb9e5(uint bits) {
    float unit = uintBitsToFloat((bits >> 27) + 103u << 23);
    return vec3(bits & 511u, bits >> 9 & 511u, bits >> 18 & 511u) * unit;
}

/// Below 1/512 of the light a reflection is invisible.
bool is_worth_tracing(vec3 weight) { return max(weight.r, max(weight.g, weight.b)) >= 1.0 / 512.0; }

uvec2 packed_mirror(vec3 weight, vec3 normal) {
    return is_worth_tracing(weight) ? uvec2(packed_rgb9e5(weight), octahedral_from_unit(normal)) : uvec2(0);
}

#endif
