//! Optics: the point of the picture below the glass that a vertical view ray meets. CPU reference: src/techniques/glass/reference/optics.rs.
#ifndef GLASS_OPTICS
#define GLASS_OPTICS
#include "glass/surface.glsl"

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

Sight sight(float d, float bevel, float tilt) {
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
