#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Views of the glass over the whole window, in the order of src/techniques/glass/views.rs.
#include "glass/refraction.glsl"
#include "glass/source.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 5, rgba8) uniform writeonly image2D picture;

/// Right red, then yellow, green, blue.
vec3 hue(vec2 v) {
    float turn = atan(v.y, v.x) / 6.2831853;
    return clamp(abs(fract(turn + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

/// Blue inside, orange outside, a line each 10 px.
vec3 distance_picture(float d) {
    vec3 c = d < 0.0 ? vec3(0.20, 0.45, 0.85) : vec3(0.90, 0.55, 0.20);
    c *= 0.35 + 0.65 * exp(-abs(d) / 60.0);
    c *= 0.85 + 0.15 * clamp(abs(fract(d / 10.0 + 0.5) - 0.5) * 10.0, 0.0, 1.0);
    return mix(vec3(1.0), c, clamp(abs(d) - 0.5, 0.0, 1.0));
}

const float FIELD = 20.0;

vec2 offset_of(Edge e) {
    float tilt = length(e.n);
    return e.pull - e.n / max(tilt, 1e-3) * sight(e.d, e.bevel, tilt).offset;
}

/// From the field's middle to where the picture is fetched, a quarter as long, with a dot at its begin.
float arrow(vec2 frag) {
    vec2 middle = (floor(frag / FIELD) + 0.5) * FIELD;
    Edge e = edge(middle);
    vec2 o = e.d < 0.0 ? offset_of(e) : vec2(0.0);
    float long_px = min(0.25 * length(o), 0.5 * FIELD);
    if (long_px < 0.5) {
        return 0.0;
    }
    vec2 way = normalize(o);
    vec2 p = frag - middle;
    float along = clamp(dot(p, way), 0.0, long_px);
    float shaft = clamp(1.2 - length(p - way * along), 0.0, 1.0);
    return max(shaft, clamp(2.2 - length(p), 0.0, 1.0));
}

/// 1 green-blue, by way of yellow to red at 10.
vec3 cost(float looks) {
    float t = clamp((looks - 1.0) / 9.0, 0.0, 1.0);
    return t < 0.5 ? mix(vec3(0.10, 0.35, 0.45), vec3(0.90, 0.75, 0.25), 2.0 * t)
        : mix(vec3(0.90, 0.75, 0.25), vec3(0.85, 0.20, 0.20), 2.0 * t - 1.0);
}

/// 0 black, then as the cost of samples, 10 red.
vec3 lenses_of_tile(vec2 frag) {
    if (any(greaterThanEqual(tile_of(frag) - glass.corner, glass.grid))) {
        return vec3(0.0);
    }
    Cell cell = cell_of(frag);
    uint count = 0;
    for (uint at = cell.low; at < cell.high; ++at) {
        count += bitCount(bins.word[cell.mask + at]);
    }
    return count == 0 ? vec3(0.0) : cost(float(count));
}

vec3 offset_view(vec2 frag) {
    Edge e = edge(frag);
    vec2 o = offset_of(e);
    vec3 shown = hue(o) * clamp(length(o) / 72.0, 0.0, 1.0);
    return coverage(e.d) * mix(shown, vec3(1.0), arrow(frag));
}

vec3 shadow_view(vec2 frag) {
    float d = edge(frag).d;
    return vec3(1.0 - light_left(frag, d)) * (1.0 - coverage(d)) * 2.0;
}

vec3 lens_view(uint view, vec2 frag) {
    // A second distance beside the values of the first would take more registers than all other views.
    if (view == 4) {
        return offset_view(frag);
    }
    if (view == 7) {
        return shadow_view(frag);
    }
    Edge e = edge(frag);
    float cover = coverage(e.d);
    float tilt = length(e.n);
    Sight seen = sight(e.d, e.bevel, tilt);
    Surface sf = seen.surface;
    vec2 n = e.n / max(tilt, 1e-3);
    Row row = row_of(seen, 1.0 - seen.offset * e.curl);
    switch (view) {
        case 0: return distance_picture(e.d);
        case 1: return vec3(cover);
        case 2: return cover * (vec3(n * sf.s, 1.0) * inversesqrt(1.0 + sf.s * sf.s) * 0.5 + 0.5);
        case 3: return vec3(cover * sf.h);
        case 5: return cover * mix(vec3(0.1, 0.2, 0.5), vec3(1.0, 0.6, 0.1), clamp((abs(seen.stretch) - 1.0) / 4.0, 0.0, 1.0));
        case 6: return vec3(cover * min(fresnel(sf.s, glass.eta) * glass.mirror, 1.0));
        default: return cover * (e.d <= -e.bevel ? vec3(0.06, 0.20, 0.12) : cost(float(row.count)));
    }
}

vec3 source_view(uint view, vec2 frag) {
    Layers l = layers(frag, push.mouse, push.size);
    switch (view) {
        case 9: return vec3(l.rb1);
        case 10: return vec3(l.rb2);
        case 11: return vec3(l.rb3);
        case 12: return vec3(l.rb1 * 0.5, l.rb2, l.rb3);
        case 13: return vec3(l.transition);
        case 14: return vec3(fract(clamp(pow(max(l.f, 1e-12), 0.125) / 0.3162, 0.0, 2.0) * 4.999));
        default: return vec3(clamp(l.lens, 0.0, 1.0), 0.25);
    }
}

const uint LENSES_OF_TILE = 17;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(picture)))) {
        return;
    }
    vec2 frag = vec2(at) + 0.5;
    vec3 c = push.view == LENSES_OF_TILE ? lenses_of_tile(frag)
        : push.view < 9 ? lens_view(push.view, frag) : source_view(push.view, frag);
    imageStore(picture, at, vec4(clamp(c, 0.0, 1.0), 1.0));
}
