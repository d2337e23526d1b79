//! Outline: distance and direction to the edge of lenses of any shape that may be rotated and may merge; negative inside, in pixels.
//! Derivation: src/techniques/glass/lens/shape.rs.
#ifndef GLASS_SHAPE
#define GLASS_SHAPE
#include "glass/glass.glsl"

struct Edge {
    float d;
    vec2 n;
    float bevel;
    vec2 pull;
    float curl;
};

#ifndef STANDALONE
#include "glass/text_outline.glsl"

/// A constant, because words need a lot of code.
layout(constant_id = 7) const uint LETTERS = 1;
#endif

Edge box_edge(Lens lens, vec2 point) {
    vec2 p = lens.unit_from_window * (point - lens.center);
    vec2 away = abs(p);
    vec2 past = away - lens.core;
    vec2 u = max(past, vec2(0.0));
    bool is_straight = any(lessThan(away, lens.core));
    float n = lens.exponent;
    float big = max(max(u.x, u.y), 1e-6);
    float ratio = max(min(u.x, u.y) / big, 1e-6);
    float second_power = pow(ratio, n - 2.0);
    float small_power = second_power * ratio;
    float sum = 1.0 + small_power * ratio;
    float root = pow(sum, 1.0 / n);
    float within = max(-max(past.x, past.y), 0.0);
    float joint = max(within - abs(past.x - past.y), 0.0) / max(within, 1e-6);
    float g = big * root - within + 0.25 * joint * joint * within;
    float steep = root / sum;
    float other = within > 0.0 ? 0.5 * joint : steep * small_power;
    float major = within > 0.0 ? 1.0 - 0.5 * joint : steep;
    vec2 along = past.x >= past.y ? vec2(major, other) : vec2(other, major);
    vec2 toward = vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
    vec2 slope = (along * toward) * lens.unit_from_window;
    float slope_length = length(slope) / (within > 0.0 ? length(along) : 1.0);
    vec2 ahead = slope / slope_length;
    float first = (g - 1.0) / slope_length;
    vec2 way = (lens.unit_from_window * ahead) * toward;
    float across = (way.x * u.y - way.y * u.x) / big;
    vec2 side = (lens.unit_from_window * vec2(-ahead.y, ahead.x)) * toward;
    float along_edge = (side.x * u.y - side.y * u.x) / big;
    float strength = is_straight ? 0.0 : (n - 1.0) * steep / sum * second_power * root / slope_length;
    float curve = strength * across * across;
    float curl = strength * along_edge * along_edge / max(g, 0.05);
    float d = first + 0.5 * curve * first * first / (1.0 + curve * abs(first) + first * first / 64.0);
    return Edge(d, ahead, lens.bevel, (lens.center - point) * (1.0 - 1.0 / glass.magnify), curl);
}

Edge lens_edge(Lens lens, vec2 point) {
#ifndef STANDALONE
    // Depends on the pixel, as lens_count.
    bool is_box = LETTERS == 0 || min(lens.field.y, MAX_FIELD_SIDE + uint(abs(point.x))) == 0;
    if (!is_box) {
        return letters_edge(lens, point);
    }
#endif
    return box_edge(lens, point);
}

Edge melt_edges(Edge a, Edge b, float melt) {
    bool a_is_near = a.d <= b.d;
    float near_d = min(a.d, b.d);
    float h = max(melt - abs(a.d - b.d), 0.0) / max(melt, 1e-6);
    float w = a_is_near ? 0.5 * h : 1.0 - 0.5 * h;
    return Edge(near_d - h * h * melt * 0.25, mix(a.n, b.n, w), mix(a.bevel, b.bevel, w), mix(a.pull, b.pull, w),
        mix(a.curl, b.curl, w));
}

#ifndef STANDALONE
/// A constant: software drivers run a loop's body once even where it ends at once.
layout(constant_id = 4) const uint SEVERAL = 1;

/// Depends on the pixel: for a loop whose end is known from uniforms, lavapipe compiles the shader again in every
/// frame.
uint lens_count(vec2 point) {
    return min(glass.count, MAX_LENSES + uint(abs(point.x)));
}
#else
uint lens_count(vec2 point) {
    return glass.count;
}
#endif

Edge edge(vec2 point) {
    Edge e = lens_edge(glass.lens[0u], point);
    for (uint i = 1u; SEVERAL != 0u && i < lens_count(point); ++i) {
        e = melt_edges(e, lens_edge(glass.lens[i], point), glass.melt);
    }
    return e;
}

float coverage(float d) {
    return clamp(0.5 - d, 0.0, 1.0);
}

float band(float d, float width) {
    return clamp(min(0.5 - d, width) - max(-d - 0.5, 0.0), 0.0, 1.0);
}

#endif
