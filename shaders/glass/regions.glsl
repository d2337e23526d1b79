//! One pixel of each part of the glass as a display value, shared by the draws and the dispatch.
#ifndef GLASS_REGIONS
#define GLASS_REGIONS
#include "glass/refraction.glsl"

#ifndef STANDALONE
/// A constant: see TARGET_IS_SRGB.
layout(constant_id = 6) const uint MAGNIFIES = 0;
#endif

vec3 finished(vec3 c, vec2 frag) {
    return dither(encoded_from_linear(clamp(c, vec3(0.0), vec3(1.0))), frag);
}

/// A whole tile on the face, out of reach of the rim's light: one sample.
vec3 face(uint kind, vec2 frag) {
    // All lenses whose faces touch this pixel have one pull.
    vec2 base = frag;
    float bright;
    if (MAGNIFIES != 0u) {
        Edge e = edge(frag);
        base += e.pull;
        bright = brightness_at(frag, e);
    } else {
        bright = brightness(frag);
    }
    vec3 seen;
    if (OPTICS != 0u) {
        seen = through_body(look_under(kind, base, 0.0, bright), bright);
    } else {
        seen = tone(look_at(kind, base, 0.0) * glass.body, bright) * adapted_gain(bright);
    }
    return finished(glowing(legible(seen, base), frag), frag);
}

/// `on_edge`: the outline may run through the tile. False where the pixel stays.
bool bevel(bool on_edge, vec2 frag, out vec3 value) {
    Edge e = edge(frag);
    float cover = on_edge ? coverage(e.d) : 1.0;
    vec3 c = cover > 0.0 ? refracted_light(frag, e) : vec3(0.0);
    bool is_touched = true;
    if (cover < 1.0) {
        float left = light_left(frag, e.d);
        is_touched = cover > 0.0 || left < 1.0;
        c = mix(sample_around(frag, 0.0) * left, c, cover);
    }
    value = finished(c, frag);
    return is_touched;
}

/// Neither glass nor contour touches the tile; false where the pixel stays.
bool shadow(vec2 frag, out vec3 value) {
    float left = light_left(frag, 100.0);
    value = finished(sample_around(frag, 0.0) * left, frag);
    return left < 1.0;
}

#endif
