//! Marks of a motif, and which ink the pixels below them allow.
#ifndef GLASS_INK
#define GLASS_INK

struct Mark {
    /// Pixels of the target.
    vec2 low;
    vec2 high;
    /// Encoded.
    vec3 color;
    float alpha;
    /// Of a box: of its corners, and of the line along its outline, 0 for a filled one. Nothing is drawn above `top`.
    float radius;
    float width;
    float top;
    uint piece;
    /// Bits: the ink is voted; it is a box; it is a veil.
    uint kind;
    /// Of a mask: its first byte, its columns and rows.
    uint first;
    uvec2 extent;
};

const uint VOTED = 1;
const uint BOX = 2;
const uint VEIL = 4;

/// Of a piece.
struct Ink {
    /// 0 dark to 1 light, as it is drawn.
    float light;
    float side;
    /// Part of the time before the next turn.
    float opposed;
    /// Contrast of light and of dark ink on the worst hundredth of the pixels.
    float of_light;
    float of_dark;
    float pixels;
};

/// Luminances of the inks.
const float LIGHT = 1.0;
const float DARK = 0.005;
/// Encoded.
const vec3 LIGHT_INK = vec3(1.0);
const vec3 DARK_INK = vec3(0.0625, 0.0625, 0.0745);

#endif
