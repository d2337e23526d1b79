//! The glass over a picture, one pixel, in a shader of its own: the body of what src/techniques/glass/copy_as writes.
#ifndef GLASS_STANDALONE
#define GLASS_STANDALONE
#include "glass/regions.glsl"

/// Pixels from the outline.
const float EDGE_REACH = 1.5;

/// Counted from the top left; outside glass and shadow the picture's own.
vec3 glass_over(vec2 frag) {
    vec3 value = shown_at(frag);
    Edge e = edge(frag);
    vec3 glassy = vec3(0.0);
    bool is_touched = true;
    if (e.d <= -max(e.bevel, glass.rim_width * (1.0 + RIM_SWELL + COMPANION_WIDTH) + 0.5)) {
        glassy = face(0u, frag);
    } else if (e.d < EDGE_REACH) {
        is_touched = bevel(true, frag, glassy);
    } else {
        is_touched = shadow(frag, glassy);
    }
    if (is_touched) {
        value = glassy;
    }
    return value;
}

#endif
