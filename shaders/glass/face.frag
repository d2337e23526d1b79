#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! The flat face: no outline, no bevel, one look. Only for rectangles that lie wholly on the face.
#include "glass/inside.glsl"

/// Whether the face magnifies. A constant: see TARGET_IS_SRGB.
layout(constant_id = 6) const uint MAGNIFIES = 0;
layout(location = 0) out vec4 color;

void main() {
    vec2 frag = gl_FragCoord.xy;
    // The pull is the same for all lenses whose faces touch this pixel: none, unless the face magnifies.
    vec2 base = frag;
    if (MAGNIFIES != 0) {
        base += edge(frag).pull;
    }
    float bright = brightness(frag);
    vec3 seen = tone(look(base, 0.0) * glass.body, bright) * adapted_gain(bright);
    seen = glowing(legible(seen, base), frag);
    color = written(dither(encoded_from_linear(clamp(seen, 0.0, 1.0)), frag));
}
