//! Outline of words: a distance field, read by a cubic B-spline with its slope and curvature. Derivation:
//! src/techniques/glass/text/letters.rs.
#ifndef GLASS_TEXT_OUTLINE
#define GLASS_TEXT_OUTLINE
#include "glass/glass.glsl"

const uint MAX_FIELD_SIDE = 1u << 16;

/// Signed, texels; rows from the top.
layout(scalar, binding = 6) readonly buffer Fields {
    float distance[];
} fields;

/// For a point at `f` between the middle two of four: value, slope, second derivative.
mat3x4 spline(float f) {
    float r = 1.0 - f;
    vec4 value = vec4(r * r * r, 4.0 - 3.0 * f * f * (2.0 - f), 4.0 - 3.0 * r * r * (2.0 - r), f * f * f) / 6.0;
    vec4 slope = vec4(-r * r, f * (3.0 * f - 4.0), r * (4.0 - 3.0 * r), f * f) * 0.5;
    vec4 bend = vec4(r, 3.0 * f - 2.0, 1.0 - 3.0 * f, f);
    return mat3x4(value, slope, bend);
}

Edge letters_edge(Lens lens, vec2 point) {
    vec2 size = vec2(lens.field.yz);
    mat2 texels = lens.unit_from_window * lens.texels_per_px;
    vec2 at = texels * (point - lens.center) + 0.5 * size;
    vec2 known = clamp(at, vec2(2.0), size - 2.0);
    vec2 whole = floor(known - 0.5);
    vec2 part = known - 0.5 - whole;
    mat3x4 across = spline(part.x);
    mat3x4 down = spline(part.y);
    uvec2 low = uvec2(whole) - 1;
    float d = 0.0;
    vec2 slope = vec2(0.0);
    vec3 bend = vec3(0.0);
    for (uint row = 0; row < 4; ++row) {
        uint first = lens.field.x + (low.y + row) * lens.field.y + low.x;
        vec4 here = vec4(fields.distance[first], fields.distance[first + 1], fields.distance[first + 2],
            fields.distance[first + 3]);
        vec3 sums = here * across;
        d += down[0][row] * sums.x;
        slope += vec2(down[0][row] * sums.y, down[1][row] * sums.x);
        bend += vec3(down[0][row] * sums.z, down[1][row] * sums.y, down[2][row] * sums.x);
    }
    vec2 beyond = at - (known - slope * d);
    float away = max(length(beyond), 1e-6);
    bool is_beyond = any(notEqual(at, known));
    d = (is_beyond ? away : d) - lens.weight;
    slope = is_beyond ? beyond / away : slope;
    float steep = length(slope);
    vec2 pulled = slope * texels;
    float scale = steep > 1e-3 ? length(pulled) / steep : sqrt(abs(determinant(texels)));
    float turn = (bend.x * slope.y * slope.y - 2.0 * bend.y * slope.x * slope.y + bend.z * slope.x * slope.x)
        / max(steep * steep * steep, 0.125);
    float curl = is_beyond ? 0.0 : clamp(turn, -0.15, 0.15) * scale;
    return Edge(d / scale, pulled / scale, lens.bevel, (lens.center - point) * (1.0 - 1.0 / glass.magnify), curl, lens.bright);
}

#endif
