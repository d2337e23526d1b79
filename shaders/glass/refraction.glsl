//! Refraction: light that reaches the eye through the glass at one pixel. CPU reference: src/techniques/glass/lab/reference/lens.rs.
#ifndef GLASS_REFRACTION
#define GLASS_REFRACTION
#include "glass/shape.glsl"
#include "glass/light.glsl"
#include "glass/luminance_adaptation.glsl"
#include "glass/sample_background.glsl"
#include "glass/system.glsl"
#include "glass/text_contrast.glsl"
#include "glass/display.glsl"

const float AROUND_LOD = 4.0;
const float AROUND_REACH = 0.75;

/// Where the body of the system's glass opens by `open`.
vec3 look_through_edge(vec2 place, Row row, float bright, float open) {
    vec3 look = look_under(FROSTED, place, row.extra, bright);
    if (glass.body_opens == 0.0) {
        return look;
    }
    float frost = EDGE_FROST * glass.frost_light;
    return mix(look, sample_chain(place, lod_from_sigma(frost * frost + row.extra * row.extra)), EDGE_CLEAR * open);
}

vec3 refracted_background(vec2 base, vec2 n, Sight seen, Row row, float bright, float open) {
    vec3 sum = vec3(0.0);
    vec3 weight = vec3(0.0);
    for (uint i = 0u; i < row.count; ++i) {
        float x = row.count == 1u ? 0.0 : row_place(i, row);
        vec3 w = row_weight(x, row);
        vec2 place = base - n * (seen.offset + x);
        sum += w * (OPTICS == 0u ? look_under(FROSTED, place, row.extra, bright) : look_through_edge(place, row, bright, open));
        weight += w;
    }
    return sum / weight;
}

vec3 refracted_light(vec2 frag, Edge e) {
    float tilt = length(e.n);
    Sight seen = sight(e.d, e.bevel, tilt);
    vec2 n = e.n / max(tilt, 1e-3);
    Row row = row_of(seen, 1.0 - seen.offset * e.curl);
    if (OPTICS != 0u) {
        float side = brightness_at(frag, e);
        float open = opening(e.d, e.bevel);
        vec3 below = refracted_background(frag + e.pull, n, seen, row, side, open);
        vec3 around = glass.body_opens == 0.0 ? below : sample_chain(frag + e.pull, AROUND_EDGE_LOD);
        vec3 body = glowing(legible(through_bevel(below, around, side, open), frag + e.pull), frag);
        return with_highlights(body, n, band(e.d, glass.rim_width));
    }
    vec3 below = refracted_background(frag + e.pull, n, seen, row, 0.0, 0.0) * absorbed(seen.surface.h);
    vec3 outer = sample_around(frag + n * (AROUND_REACH * e.bevel), AROUND_LOD);
    float facing = dot(n, glass.axis);
    float width = rim_width(facing);
    float rim = band(e.d, width);
    float bright = brightness_at(frag, e);
    vec3 seen_below = glowing(legible(tone(below, bright) * adapted_gain(bright), frag + e.pull), frag);
    float companion = companion_of(e.d, width, rim);
    return light_bevel(seen_below, outer, seen.surface, facing, rim, companion, adapted_lean(bright));
}

/// `d` px from the glass.
float light_left(vec2 frag, float d) {
    return left_outside(dropped_edge(frag).d, d);
}

#endif
