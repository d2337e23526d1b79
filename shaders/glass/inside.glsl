//! Light that leaves the glass at one pixel; the same lines as oracle/lens.rs.
#ifndef GLASS_INSIDE
#define GLASS_INSIDE
#include "glass/shape.glsl"
#include "glass/light.glsl"
#include "glass/below.glsl"
#include "glass/display.glsl"

const float AROUND_LOD = 4.0;
const float AROUND_REACH = 0.75;

bool colours_part(Surface sf) {
    return TAPS != 1 && split(sf.s, sf.h) >= max(LEAST_SPLIT, 0.5 * glass.frost);
}

vec3 refracted(vec2 base, vec2 n, Surface sf) {
    float deep = depth(sf.h);
    float extra = footprint_sigma(footprint(sf));
    // One loop for both cases: a software driver leaves it after one round where no lane of it has parted colours.
    bool parted = colours_part(sf);
    uint taps = parted ? TAPS : 1;
    vec3 sum = vec3(0.0);
    vec3 weight = vec3(0.0);
    for (uint i = 0; i < taps; ++i) {
        float j = parted ? spectrum_place(i, TAPS) : 0.0;
        vec3 w = parted ? spectrum(j) : vec3(1.0);
        sum += w * look(base - n * (travel(sf.s, glass.eta + j * glass.spread) * deep), extra);
        weight += w;
    }
    return sum / weight;
}

vec3 inside(vec2 frag, Edge e) {
    float tilt = length(e.n);
    Surface sf = surface(e.d, e.bevel, tilt);
    vec2 n = e.n / max(tilt, 1e-3);
    vec3 seen = refracted(frag + e.pull, n, sf);
    vec3 outer = sample_around(frag + n * (AROUND_REACH * e.bevel), AROUND_LOD);
    float facing = dot(n, glass.axis);
    float rim = band(e.d, glass.rim_width);
    return light_bevel(tone(seen), outer, sf, facing, rim);
}

/// Light that shadow and contour leave outside the glass, `d` px from it.
float light_left(vec2 frag, float d) {
    return left_outside(edge(frag - vec2(0.0, glass.shadow_drop)).d, d);
}

#endif
