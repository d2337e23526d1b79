//! Display (sRGB-encoded) values and linear light, IEC 61966-2-1.
#ifndef INCLUDE_SRGB
#define INCLUDE_SRGB

vec3 encoded_from_linear(vec3 c) {
    vec3 curve = 1.055 * pow(max(c, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}

vec3 linear_from_encoded(vec3 c) {
    vec3 curve = pow((max(c, vec3(0.0)) + 0.055) / 1.055, vec3(2.4));
    return mix(curve, c / 12.92, lessThanEqual(c, vec3(0.04045)));
}

#endif
