//! Shade for legible light text on glass: only where the picture is too bright, and no more than needed. CPU reference:
//! src/techniques/glass/lab/reference/text_contrast.rs.
#ifndef GLASS_TEXT_CONTRAST
#define GLASS_TEXT_CONTRAST
#include "glass/glass.glsl"
#ifndef STANDALONE

/// A constant: see TARGET_IS_SRGB.
layout(constant_id = 8) const uint LEGIBLE = 0;
/// At the corners of cells; unused if LEGIBLE is 0.
layout(binding = 7) uniform sampler2D shades;

/// Pixels: about a letter.
const float CELL = 8.0;
const vec3 SHADE = vec3(0.010, 0.012, 0.017);

float shade_needed(vec2 at) {
    return textureLod(shades, (at - glass.shade_first) * glass.shade_scale, 0.0).r;
}

vec3 legible(vec3 c, vec2 at) {
    return LEGIBLE == 0 ? c : mix(c, SHADE, shade_needed(at));
}

#endif

#endif
