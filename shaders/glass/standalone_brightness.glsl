//! Brightness of the picture below a lens, for shaders that are copied from the program: as luminance_adaptation.comp measures it, in a
//! single frame and therefore without hysteresis.
#ifndef GLASS_STANDALONE_BRIGHTNESS
#define GLASS_STANDALONE_BRIGHTNESS
#include "glass/shape.glsl"
#include "glass/light.glsl"
#include "glass/sample_background.glsl"

const float SPREAD = 0.85;

mat2 inverse_of(mat2 m) {
    return mat2(m[1].y, -m[0].y, -m[1].x, m[0].x) * (1.0 / (m[0].x * m[1].y - m[1].x * m[0].y));
}

/// 1 where the mean is bright, 0 where it is dark.
float lens_brightness(uint i) {
    if (!ADAPTS) {
        return UNMEASURED;
    }
    Lens lens = lens_at(i);
    mat2 window_from_unit = inverse_of(lens.unit_from_window);
    float sum = 0.0;
    for (float y = 0.5; y < 8.0; y += 1.0) {
        for (float x = 0.5; x < 8.0; x += 1.0) {
            vec2 place = (vec2(x, y) / 4.0 - 1.0) * SPREAD * (1.0 + lens.core);
            sum += dot(light_at(lens.center + window_from_unit * place, 4.0), LUMA);
        }
    }
    float turns = OPTICS != 0u ? 0.35 : 0.56;
    return pow(clamp(sum / 64.0, 0.0, 1.0), 1.0 / 2.2) > turns ? 1.0 : 0.0;
}

#endif
