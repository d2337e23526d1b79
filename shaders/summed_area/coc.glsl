//! Circle of confusion of a pixel as a box, in pixels to each side.
#ifndef SUMMED_AREA_COC
#define SUMMED_AREA_COC

layout(constant_id = 40) const uint HAS_DEPTH = 0; // of a world; else a ramp over the flat picture

layout(binding = 0) uniform sampler2D below; // nearest; linear light
layout(binding = 3) uniform sampler2D depth; // near plane over distance, 0 where nothing is seen; nearest

layout(push_constant, scalar) uniform FocusPush {
    uvec2 full;
    uint pitch;
    uint plane;
    float scale;
    float widest; // radius, at the most
    float near;   // distance of the near plane
    float focus;  // distance that is sharp; of a flat picture the sharp row, 0 at the top and 1 at the bottom
    uint lines_pitch;
    uint lines_plane;
    uint radii_pitch;
    uint radii_plane;
} push;

/// A thin lens: 1 / focus less 1 / distance; a flat picture: rows away from the sharp one, half the height for the
/// widest.
float radius_at(uvec2 at) {
    float part;
    if (HAS_DEPTH == 1) {
        vec2 uv = (vec2(at) + 0.5) / vec2(push.full);
        part = abs(1.0 - textureLod(depth, uv, 0.0).r / push.near * push.focus);
    } else {
        part = max(abs((float(at.y) + 0.5) / float(push.full.y) - push.focus) * 2.0 - 0.1, 0.0);
    }
    return min(part, 1.0) * push.widest;
}

#endif
