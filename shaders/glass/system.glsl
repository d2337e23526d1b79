//! The system's glass: what its body does to the picture, in encoded values, and its two highlights. Figures and sources: docs/glass.md. CPU
//! reference: src/techniques/glass/reference/system.rs.
#ifndef GLASS_SYSTEM
#define GLASS_SYSTEM
#include "glass/light.glsl"
#include "include/srgb.glsl"

/// Brightness of the highlights, as a multiple of the display's white.
const float GLINT = 1.6;
/// Highlight away from the light, as a part of the one towards it.
const float SECOND = 0.8;

/// Linear light that follows a line in encoded values.
vec3 on_line(vec3 line, vec3 c) {
    vec3 b = encoded_from_linear(clamp(c, vec3(0.0), vec3(1.0)));
    float y = dot(b, LUMA);
    return linear_from_encoded(clamp(line.x * y + line.y + line.z * (b - y), vec3(0.0), vec3(1.0)));
}

/// Linear light through the body; `bright` is 1 over a bright picture and 0 over a dark one.
vec3 through_body(vec3 c, float bright) {
    return on_line(mix(glass.body_dark, glass.body_light, bright), c);
}

/// How far the body opens at the edge: the luma, which would look like a shadow inside, less than the colours.
const vec3 OPENS = vec3(0.25, 0.25, 0.9);

/// The same at distance `d` of the outline, where the body may open: the displaced picture shows there.
vec3 through_bevel(vec3 c, float bright, float d, float bevel) {
    float u = 1.0 - clamp(-d / bevel, 0.0, 1.0);
    vec3 line = mix(glass.body_dark, glass.body_light, bright);
    return on_line(mix(line, vec3(1.0, 0.0, 1.0), glass.body_opens * OPENS * u * u * u * u), c);
}

/// With the highlights. `facing`: cosine between the outline's direction and the light; `rim`: coverage of the rim.
vec3 with_highlights(vec3 c, float facing, float rim) {
    float lobe = facing * facing * facing;
    lobe *= lobe * (facing > 0.0 ? 1.0 : SECOND);
    return mix(c, GLINT * glass.light_color, min(glass.rim * rim * lobe, 1.0));
}

#endif
