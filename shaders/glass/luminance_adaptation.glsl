//! Adaptation of the glass to the brightness of the picture below it: darker with a dark rim over bright pictures, lighter with a light
//! one over dark ones. CPU reference: src/techniques/glass/lab/reference/luminance_adaptation.rs.
#ifndef GLASS_LUMINANCE_ADAPTATION
#define GLASS_LUMINANCE_ADAPTATION
#include "glass/shape.glsl"
#ifdef STANDALONE
#include "glass/standalone_brightness.glsl"
#else
/// 0 to 1.
float lens_brightness(uint i) {
    return glass.lens[i].bright;
}
#endif

const float LIGHTER = 0.10;
const float DARKER = 0.16;
const float LEAN = 0.3;

/// 0 to 1, blended where lenses are near each other.
float brightness(vec2 frag) {
    if (SEVERAL == 0u) {
        return lens_brightness(0u);
    }
    float sum = 0.0;
    float weight = 1e-30;
    for (uint i = 0u; i < lens_count(frag); ++i) {
        vec2 u = glass.lens[i].unit_from_window * (frag - glass.lens[i].center) / (1.0 + glass.lens[i].core);
        float w = exp2(-8.0 * min(dot(u, u), 12.0));
        sum += w * lens_brightness(i);
        weight += w;
    }
    return sum / weight;
}

float adapted_gain(float bright) {
    return exp2(glass.adaptive * mix(LIGHTER, -DARKER, bright));
}

float adapted_lean(float bright) {
    return glass.adaptive * LEAN * (2.0 * bright - 1.0);
}

#endif
