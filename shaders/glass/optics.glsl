//! The optics: where a vertical view ray meets the picture below the glass; the same lines as
//! src/techniques/glass/oracle/optics.rs, where Snell's law and its derivatives are checked.
#ifndef GLASS_OPTICS
#define GLASS_OPTICS
#include "glass/surface.glsl"

const float LEAST_SPLIT = 0.25;
const float FOOTPRINT = 0.45;

float travel(float s, float eta) {
    float r = sqrt(eta * eta + s * s * (eta * eta - 1.0));
    return s * (r - 1.0) / (s * s + r);
}

float depth(float h) {
    return glass.height * h + glass.gap;
}

float split(float s, float h) {
    float eta = glass.eta;
    float r = sqrt(eta * eta + s * s * (eta * eta - 1.0));
    float w = 1.0 + s * s;
    float q = s * s + r;
    return 2.0 * glass.spread * s * w * w * eta / (r * q * q) * depth(h);
}

float footprint(Surface surface) {
    float s = surface.s;
    float eta = glass.eta;
    float e = eta * eta - 1.0;
    float r = sqrt(eta * eta + s * s * e);
    float q = s * s + r;
    float rate = s * e / r;
    float travel = s * (r - 1.0) / q;
    float steeper = ((r - 1.0 + s * rate) * q - s * (r - 1.0) * (2.0 * s + rate)) / (q * q);
    return abs(1.0 + steeper * surface.bend * depth(surface.h) + travel * s);
}

float footprint_sigma(float j) {
    return FOOTPRINT * max(j - 1.0, 0.0);
}

vec3 spectrum(float j) {
    return max(1.0 - abs(j - vec3(-0.5, 0.0, 0.5)) / 0.75, 0.0);
}

float spectrum_place(uint i, uint taps) {
    return 2.0 * float(i) / float(taps - 1) - 1.0;
}

float fresnel(float s, float eta) {
    float f0 = (eta - 1.0) / (eta + 1.0);
    float c = 1.0 - inversesqrt(1.0 + s * s);
    float c2 = c * c;
    return (1.0 - f0 * f0) * c2 * c2 * c;
}

#endif
