#version 460
#extension GL_GOOGLE_include_directive : require
// variant: plain
// variant: lenses SPAN_LENSES
#include "include/prelude.glsl"
//! Rectangles of whole pixels: six vertices for each, from a list in pixels (left, top, right, bottom).
#include "glass/push.glsl"
#ifdef SPAN_LENSES
#define VERTEX
#include "glass/span_lenses.glsl"
#include "glass/lens.glsl"

layout(scalar, binding = 9) readonly buffer Lenses {
    Lens lens[];
} lenses;
#endif

struct Span {
    uvec4 rectangle;
    /// Places in the list of lenses.
    uvec2 lens;
};

layout(scalar, binding = 4) readonly buffer Spans {
    Span span[];
} spans;

void main() {
    Span span = spans.span[push.first + gl_InstanceIndex];
    const uint corner[6] = uint[](0, 1, 2, 2, 1, 3);
    uint c = corner[gl_VertexIndex];
    vec2 p = vec2((c & 1) != 0 ? span.rectangle.z : span.rectangle.x, (c & 2) != 0 ? span.rectangle.w : span.rectangle.y);
    gl_Position = vec4(p / push.size * 2.0 - 1.0, 0.0, 1.0);
#ifdef SPAN_LENSES
    for (uint i = 0u; i < 2u; ++i) {
        Lens lens = lenses.lens[span.lens[i]];
        place_of_lens[i] = vec4(lens.center, lens.core);
        frame_of_lens[i] = vec4(lens.unit_from_window[0], lens.unit_from_window[1]);
        rest_of_lens[i] = vec4(lens.exponent, lens.bevel, lens.bright, float(lens.container));
    }
#endif
}
