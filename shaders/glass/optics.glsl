//! Optics: the point of the picture below the glass that a pixel shows, by Snell's law or by a profile of the distance. CPU reference: src/techniques/glass/lab/reference/optics.rs.
#ifndef GLASS_OPTICS
#define GLASS_OPTICS
#include "glass/surface.glsl"

#ifndef STANDALONE
/// 0: Snell's law; 1: the system's displacement; 2: with a frost by brightness. A constant: see TARGET_IS_SRGB.
layout(constant_id = 11) const uint OPTICS = 0;
#endif

const float LEAST_SPLIT = 0.25;
const float FOOTPRINT = 0.45;
const float MIRRORED = 0.36;
const float SHARP_SIGMA = 0.5;
const float COLOUR_SIGMA = 0.153;
const float DENSITY = 1.6;

float travel(float s, float eta) {
    float r = sqrt(eta * eta + s * s * (eta * eta - 1.0));
    return s * (r - 1.0) / (s * s + r);
}

float depth(float h) {
    return glass.height * h + glass.gap;
}

float split(float s, float h) {
    float eta = glass.eta;
    float r = sqrt(eta * eta + s * s * (eta * eta - 1.0));
    float w = 1.0 + s * s;
    float q = s * s + r;
    return 2.0 * glass.spread * s * w * w * eta / (r * q * q) * depth(h);
}

struct Sight {
    Surface surface;
    float offset;
    float stretch;
};

float meets(float z, Surface s) {
    return z + travel(s.s, glass.eta) * depth(s.h);
}

/// Pixels inwards: what a quarter circle lacks to its full height.
float displaced(float d, float bevel, float tilt) {
    float u = 1.0 - clamp(-d / bevel, RIM_DEPTH / bevel, 1.0);
    return glass.displacement * bevel * tilt * (u * u / (1.0 + sqrt(1.0 - u * u)));
}

/// The face is displaced by exactly 0.
Sight displaced_sight(float d, float bevel, float tilt) {
    vec3 inwards = max(RIM_DEPTH + d + vec3(0.5, 0.0, -0.5), vec3(0.0));
    vec3 way = inwards + vec3(displaced(d + 0.5, bevel, tilt), displaced(d, bevel, tilt), displaced(d - 0.5, bevel, tilt));
    float across = max(1.0 + inwards.z - inwards.x, 0.25);
    float stretch = (abs(way.y - way.x + 0.5) + abs(way.z - way.y + 0.5)) / across;
    bool is_mirrored = way.z - way.x + 1.0 < 0.0;
    return Sight(surface(d, bevel, tilt), 0.25 * (way.x + way.z) + 0.5 * way.y, is_mirrored ? -stretch : stretch);
}

Sight sight(float d, float bevel, float tilt) {
    if (OPTICS != 0u) {
        return displaced_sight(d, bevel, tilt);
    }
    float outer_z = max(-d - 0.5, RIM_DEPTH);
    float inner_z = max(0.5 - d, RIM_DEPTH);
    Surface here = surface(d, bevel, tilt);
    float from = meets(outer_z, surface(d + 0.5, bevel, tilt));
    float middle = meets(max(-d, RIM_DEPTH), here);
    float to = meets(inner_z, surface(d - 0.5, bevel, tilt));
    float way = (abs(middle - from) + abs(to - middle)) / max(inner_z - outer_z, 0.25);
    return Sight(here, 0.25 * (from + to) + 0.5 * middle + d, to < from ? -way : way);
}

float footprint_sigma(float j) {
    return max(max(FOOTPRINT * (abs(j) - 1.0), -MIRRORED * j), 0.0);
}

struct Row {
    uint count;
    float reach;
    float width;
    float middle;
    float extra;
};

Row row_of(Sight seen, float across) {
    float hidden = 0.5 * max(glass.frost - SHARP_SIGMA, 0.0);
    float blur = footprint_sigma(seen.stretch);
    float side = footprint_sigma(across);
    float s = split(seen.surface.s, seen.surface.h);
    float parted = sqrt(max(s * s - hidden * hidden, 0.0));
    float middle = 0.25 * parted;
    float colour = COLOUR_SIGMA * parted;
    float width = max(sqrt(7.0 * (max(blur * blur - hidden * hidden, 0.0) + colour * colour)), 1e-3);
    float reach = middle + width;
    float count = min(max(ceil(reach * DENSITY), parted >= LEAST_SPLIT ? 3.0 : 1.0), float(glass.taps));
    float gap = 2.0 * reach / count;
    float extra = count > 1.0 ? sqrt(max(0.5 * gap * gap - 0.5, side * side)) : max(blur, side);
    return Row(uint(count), reach, width, middle, extra);
}

float row_place(uint i, Row row) {
    return row.reach * (float(2u * i + 1u) / float(row.count) - 1.0);
}

vec3 row_weight(float x, Row row) {
    vec3 v = (x - row.middle * vec3(-1.0, 0.0, 1.0)) / row.width;
    vec3 k = max(1.0 - v * v, vec3(0.0));
    return row.count == 1u ? vec3(1.0) : k * k;
}

float fresnel(float s, float eta) {
    float f0 = (eta - 1.0) / (eta + 1.0);
    float c = 1.0 - inversesqrt(1.0 + s * s);
    float c2 = c * c;
    return (1.0 - f0 * f0) * c2 * c2 * c;
}

#endif
