//! Tone curve from light to display values. CPU reference: src/techniques/shade/lab/reference/tone.rs.
#ifndef SHADE_TONE
#define SHADE_TONE

#include "include/luma.glsl"

/// 16.5 powers of two about middle grey, like Sobotka's AgX: colours are first drawn towards their luminance. Returns
/// encoded values.
vec3 film(vec3 c) {
    const float inset = 0.16, outset = 0.15, low = -10.0, range = 16.5, pivot = 10.0 / 16.5, grey = 0.48, slope = 2.75;
    c = mix(c, vec3(dot(c, LUMA)), inset);
    vec3 x = clamp((log2(max(c, 1e-9) / 0.18) - low) / range, 0.0, 1.0) - pivot;
    const float shoulder = 2.0, toe = 1.8;
    const float top = slope * (1.0 - pivot), bottom = slope * pivot;
    float reach_up = top / pow(pow(top / (1.0 - grey), shoulder) - 1.0, 1.0 / shoulder);
    float reach_down = bottom / pow(pow(bottom / grey, toe) - 1.0, 1.0 / toe);
    vec3 y = slope * x, reach = mix(vec3(reach_up), vec3(reach_down), lessThan(y, vec3(0.0)));
    vec3 power = mix(vec3(shoulder), vec3(toe), lessThan(y, vec3(0.0)));
    vec3 curve = grey + y / pow(1.0 + pow(max(abs(y) / reach, 1e-9), power), 1.0 / power);
    curve = (curve - outset * dot(curve, LUMA)) / (1.0 - outset);
    return clamp(curve, 0.0, 1.0);
}

/// "ACES Filmic Tone Mapping Curve", 2015; linear.
vec3 aces(vec3 c) {
    c *= 0.6;
    return clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}

/// "Photographic Tone Reproduction for Digital Images", 2002, by luminance, white at 4; linear.
vec3 reinhard(vec3 c) {
    float l = dot(c, LUMA);
    return clamp(c * ((1.0 + l / 16.0) / (1.0 + l)), 0.0, 1.0);
}

#endif
