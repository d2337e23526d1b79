//! The system's glass: what its body does to the picture, in encoded values, and its two highlights. Figures and sources: docs/glass.md. CPU
//! reference: src/techniques/glass/lab/reference/system.rs.
#ifndef GLASS_SYSTEM
#define GLASS_SYSTEM
#include "glass/light.glsl"
#include "include/srgb.glsl"

const float GLINT = 1.6;
const float SECOND = 0.8;
const vec2 LIT_FROM = vec2(-0.70710678, -0.70710678);
/// Of what differs from the brightness around, and of the colours: the whole would look like a shadow inside.
const float EDGE_DETAIL = 0.8;
const float EDGE_COLOURS = 0.3;
const float EDGE_CONTRAST = 0.08;
const float AROUND_EDGE_LOD = 5.0;
/// Part of what shows at the edge that has less frost, and that frost as a part of the widest.
const float EDGE_CLEAR = 0.8;
const float EDGE_FROST = 0.5;

vec3 encoded_within(vec3 c) {
    return encoded_from_linear(clamp(c, vec3(0.0), vec3(1.0)));
}

const float LIGHT_FROM = 0.3;
const float LIGHT_TO = 0.7;

/// A colour above the white of a light body is darkened, not clipped: it would glow.
vec3 on_line(vec3 line, vec3 c) {
    vec3 b = encoded_within(c);
    float y = dot(b, LUMA);
    vec3 shown = line.x * y + line.y + line.z * (b - y);
    float over = max(max(shown.r, max(shown.g, shown.b)) - (line.x + line.y), 0.0);
    float light = clamp((line.y - LIGHT_FROM) / (LIGHT_TO - LIGHT_FROM), 0.0, 1.0);
    return linear_from_encoded(clamp(shown - light * over, vec3(0.0), vec3(1.0)));
}

/// `bright`: 1 over a bright picture, 0 over a dark one.
vec3 through_body(vec3 c, float bright) {
    return on_line(mix(glass.body_dark, glass.body_light, bright), c);
}

/// 1 at the edge, 0 on the face.
float opening(float d, float bevel) {
    return glass.body_opens * (1.0 - clamp(-d / bevel, 0.0, 1.0));
}

/// The displaced picture shows where the body opens. `around`: light around this place.
vec3 through_bevel(vec3 c, vec3 around, float bright, float open) {
    vec3 line = mix(glass.body_dark, glass.body_light, bright);
    float detail = EDGE_DETAIL * open * dot(encoded_within(c) - encoded_within(around), LUMA);
    line += vec3(0.0, detail / (1.0 + abs(detail) / EDGE_CONTRAST), EDGE_COLOURS * open * (1.0 - line.z));
    return on_line(line, c);
}

/// `n`: direction of the outline; `rim`: its coverage.
vec3 with_highlights(vec3 c, vec2 n, float rim) {
    float facing = dot(n, LIT_FROM);
    float lobe = facing * facing * facing;
    lobe *= lobe * (facing > 0.0 ? 1.0 : SECOND);
    return mix(c, vec3(GLINT), min(glass.rim * rim * lobe, 1.0));
}

#endif
