//! Refraction: light that reaches the eye through the glass at one pixel. CPU reference: src/techniques/glass/reference/lens.rs.
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

vec3 refracted_background(vec2 base, vec2 n, Sight seen, Row row, float bright) {
    vec3 sum = vec3(0.0);
    vec3 weight = vec3(0.0);
    for (uint i = 0u; i < row.count; ++i) {
        float x = row.count == 1u ? 0.0 : row_place(i, row);
        vec3 w = row_weight(x, row);
        sum += w * look_under(FROSTED, base - n * (seen.offset + x), row.extra, bright);
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
        float side = brightness(frag);
        vec3 body = through_bevel(refracted_background(frag + e.pull, n, seen, row, side), side, e.d, e.bevel);
        body = glowing(legible(body, frag + e.pull), frag);
        return with_highlights(body, dot(n, glass.axis), band(e.d, glass.rim_width));
    }
    vec3 below = refracted_background(frag + e.pull, n, seen, row, 0.0) * absorbed(seen.surface.h);
    vec3 outer = sample_around(frag + n * (AROUND_REACH * e.bevel), AROUND_LOD);
    float facing = dot(n, glass.axis);
    float width = rim_width(facing);
    float rim = band(e.d, width);
    float bright = brightness(frag);
    vec3 seen_below = glowing(legible(tone(below, bright) * adapted_gain(bright), frag + e.pull), frag);
    float companion = companion_of(e.d, width, rim);
    return light_bevel(seen_below, outer, seen.surface, facing, rim, companion, adapted_lean(bright));
}

/// Light that shadow and contour leave outside the glass, `d` px from it.
float light_left(vec2 frag, float d) {
    return left_outside(edge(frag - vec2(0.0, glass.shadow_drop)).d, d);
}

#endif
