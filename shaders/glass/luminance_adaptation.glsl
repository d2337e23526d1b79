//! Adaptation of the glass to the brightness of the picture below it: darker with a dark rim over bright pictures, lighter with a light
//! one over dark ones. CPU reference: src/techniques/glass/lab/reference/luminance_adaptation.rs.
#ifndef GLASS_LUMINANCE_ADAPTATION
#define GLASS_LUMINANCE_ADAPTATION
#include "glass/shape.glsl"
#ifdef ONE_PASS
#include "glass/standalone_brightness.glsl"
#endif

const float LIGHTER = 0.10;
const float DARKER = 0.16;
const float LEAN = 0.3;

#ifdef ONE_PASS
/// 0 to 1, blended where lenses melt.
float brightness(vec2 frag) {
    Fold fold = no_lens();
    for (uint i = 0u; i < glass.count; ++i) {
        Lens lens = lens_at(i);
        Edge own = lens_edge(lens, frag);
        own.bright = lens_brightness(i);
        fold = folded(fold, lens, own);
    }
    return nearer(fold.outer, fold.inner).bright;
}

float brightness_at(vec2 frag, Edge e) {
    return brightness(frag);
}
#else
/// 0 to 1, blended where lenses melt.
float brightness(vec2 frag) {
#ifndef STANDALONE
    if (LENSES == OF_BODY) {
        return glass.lens.bright;
    }
#ifdef SPAN_LENSES
    if (LENSES == ONE_OF_SPAN) {
        return rest_of_lens[0].z;
    }
#endif
#endif
    return edge(frag).bright;
}

float brightness_at(vec2 frag, Edge e) {
    return e.bright;
}
#endif

float adapted_gain(float bright) {
    return exp2(glass.adaptive * mix(LIGHTER, -DARKER, bright));
}

float adapted_lean(float bright) {
    return glass.adaptive * LEAN * (2.0 * bright - 1.0);
}

#endif
