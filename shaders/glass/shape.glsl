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
    /// Of the picture below, 0 to 1.
    float bright;
};

#ifndef STANDALONE
#ifndef BINS_ACCESS
#define BINS_ACCESS readonly
#endif
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
    return Edge(d, ahead, lens.bevel, (lens.center - point) * (1.0 - 1.0 / glass.magnify), curl, lens.bright);
}

Edge lens_edge(Lens lens, vec2 point) {
#ifndef STANDALONE
    // Depends on the pixel: a branch by uniforms is compiled again in every frame by lavapipe.
    bool is_box = LETTERS == 0 || min(lens.field.y, MAX_FIELD_SIDE + uint(abs(point.x))) == 0;
    if (!is_box) {
        return letters_edge(lens, point);
    }
#endif
    return box_edge(lens, point);
}

/// Outlines side by side do not bulge: where their gradients align they reach for each other less.
Edge melt_edges(Edge a, Edge b) {
    float aligned = max(dot(a.n, b.n) / max(length(a.n) * length(b.n), 1e-6), 0.0);
    float melt = glass.melt * (1.0 - aligned * aligned);
    bool a_is_near = a.d <= b.d;
    float near_d = min(a.d, b.d);
    float h = max(melt - abs(a.d - b.d), 0.0) / max(melt, 1e-6);
    float w = a_is_near ? 0.5 * h : 1.0 - 0.5 * h;
    return Edge(near_d - h * h * melt * 0.25, mix(a.n, b.n, w), mix(a.bevel, b.bevel, w), mix(a.pull, b.pull, w),
        mix(a.curl, b.curl, w), mix(a.bright, b.bright, w));
}

Edge nearer(Edge a, Edge b) {
    bool a_is_near = a.d <= b.d;
    return Edge(min(a.d, b.d), a_is_near ? a.n : b.n, a_is_near ? a.bevel : b.bevel, a_is_near ? a.pull : b.pull,
        a_is_near ? a.curl : b.curl, a_is_near ? a.bright : b.bright);
}

/// Of the lenses of one container so far, which are one after the other, and of the nearest container before it.
struct Fold {
    Edge inner;
    Edge outer;
    uint container;
};

const uint NO_CONTAINER = 0xFFFFFFFFu;

Fold no_lens() {
    Edge far = Edge(1e9, vec2(0.0), 1.0, vec2(0.0), 0.0, 0.5);
    return Fold(far, far, NO_CONTAINER);
}

Fold folded(Fold fold, Lens lens, Edge own) {
    if (lens.container == fold.container) {
        return Fold(melt_edges(fold.inner, own), fold.outer, fold.container);
    }
    return Fold(own, nearer(fold.outer, fold.inner), lens.container);
}

#ifndef STANDALONE
/// Where the lenses come from. A constant: software drivers run a loop's body once even where it ends at once.
layout(constant_id = 4) const uint LENSES = 1;
const uint OF_BODY = 0;
const uint OF_TILE = 1;
const uint ONE_OF_SPAN = 2;
const uint TWO_OF_SPAN = 3;
#ifdef SPAN_LENSES
#include "glass/span_lenses.glsl"

/// Without words.
Lens lens_of_span(uint i) {
    vec4 place = place_of_lens[i];
    vec4 rest = rest_of_lens[i];
    mat2 unit_from_window = mat2(frame_of_lens[i].xy, frame_of_lens[i].zw);
    return Lens(place.xy, unit_from_window, place.zw, rest.x, rest.y, uvec3(0), 1.0, 0.0, rest.z, uint(rest.w), vec2(0.0));
}

Edge edge_of_span(vec2 point) {
    Lens first = lens_of_span(0u);
    Edge own = box_edge(first, point);
    if (LENSES == ONE_OF_SPAN) {
        return own;
    }
    Lens second = lens_of_span(1u);
    Edge other = box_edge(second, point);
    if (first.container == second.container) {
        return melt_edges(own, other);
    }
    return nearer(own, other);
}
#endif

layout(scalar, binding = 9) readonly buffer Lenses {
    Lens lens[];
} lenses;
/// For each tile of a grid: its part, the words of the mask that are not 0, and the mask of its lenses.
layout(scalar, binding = 10) BINS_ACCESS buffer Bins {
    uint word[];
} bins;

const uint TILE = 16;

/// First word of the mask, the first that counts and the one after the last.
struct Cell {
    uint mask;
    uint low;
    uint high;
};

#ifdef TILE_IS_UNIFORM
uvec2 tile_of_group;

uvec2 tile_of(vec2 point) {
    return tile_of_group;
}
#else
uvec2 tile_of(vec2 point) {
    return uvec2(max(point, vec2(0.0))) / TILE;
}
#endif

/// Outside of the grid that of its nearest tile.
Cell cell_of(vec2 point) {
    if (LENSES != OF_TILE) {
        return Cell(0u, 0u, 0u);
    }
    uvec2 within = clamp(tile_of(point), glass.corner, glass.corner + glass.grid - 1u) - glass.corner;
    uint at = glass.bins + (within.y * glass.grid.x + within.x) * glass.stride;
    uint head = bins.word[at];
    return Cell(at + 1u, head >> 8 & 0xFFu, head >> 16);
}

Edge edge_of(Cell cell, vec2 point) {
    if (LENSES == OF_BODY) {
        return lens_edge(glass.lens, point);
    }
#ifdef SPAN_LENSES
    if (LENSES != OF_TILE) {
        return edge_of_span(point);
    }
#endif
    Fold fold = no_lens();
    for (uint at = cell.low; at < cell.high; ++at) {
        uint bits = bins.word[cell.mask + at];
        while (bits != 0u) {
            Lens lens = lenses.lens[glass.first + 32u * at + uint(findLSB(bits))];
            bits &= bits - 1u;
            fold = folded(fold, lens, lens_edge(lens, point));
        }
    }
    return nearer(fold.outer, fold.inner);
}

Edge edge(vec2 point) {
    return edge_of(cell_of(point), point);
}

/// Of the outline that casts the shadow.
Edge dropped_edge(vec2 point) {
    return edge_of(cell_of(point), point - vec2(0.0, glass.shadow_drop));
}
#else
Edge edge(vec2 point) {
    Fold fold = no_lens();
    for (uint i = 0u; i < glass.count; ++i) {
        Lens lens = lens_at(i);
        fold = folded(fold, lens, lens_edge(lens, point));
    }
    return nearer(fold.outer, fold.inner);
}

Edge dropped_edge(vec2 point) {
    return edge(point - vec2(0.0, glass.shadow_drop));
}
#endif

float coverage(float d) {
    return clamp(0.5 - d, 0.0, 1.0);
}

float band(float d, float width) {
    return clamp(min(0.5 - d, width) - max(-d - 0.5, 0.0), 0.0, 1.0);
}

#endif
