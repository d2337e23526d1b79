//! Filter kernels as functions of distance.
#ifndef DOWNSAMPLE_KERNEL
#define DOWNSAMPLE_KERNEL

layout(constant_id = 0) const uint KERNEL = 0;
const uint CATMULL_ROM = 1, MITCHELL = 2, LANCZOS3 = 3;

/// Mitchell and Netravali (1988), x >= 0.
float cubic(float x, float b, float c) {
    if (x < 1.0) return (((12.0 - 9.0 * b - 6.0 * c) * x - 18.0 + 12.0 * b + 6.0 * c) * x * x + 6.0 - 2.0 * b) / 6.0;
    if (x < 2.0) return (((-b - 6.0 * c) * x + 6.0 * b + 30.0 * c) * x * x - (12.0 * b + 48.0 * c) * x + 8.0 * b + 24.0 * c) / 6.0;
    return 0.0;
}

const float PI = 3.14159265;

/// Of angles up to a quarter turn, where every GPU is accurate.
float sinc(float x) {
    if (abs(x) < 1e-4) return 1.0;
    float turns = round(x), sine = sin(PI * (x - turns));
    return ((int(turns) & 1) == 0 ? sine : -sine) / (PI * x);
}

float kernel(float x) {
    x = abs(x);
    if (KERNEL == CATMULL_ROM) return cubic(x, 0.0, 0.5);
    if (KERNEL == MITCHELL) return cubic(x, 1.0 / 3.0, 1.0 / 3.0);
    return x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0;
}

#endif
