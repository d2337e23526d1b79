//! Lenses of a span that has at most two, from its vertices: software drivers read a buffer pixel by pixel.
#ifndef GLASS_SPAN_LENSES
#define GLASS_SPAN_LENSES
#ifdef VERTEX
#define WAY out
#else
#define WAY in
#endif
/// Centre and core; columns of `unit_from_window`; exponent, bevel, brightness and container.
layout(location = 0) flat WAY vec4 place_of_lens[2];
layout(location = 2) flat WAY vec4 frame_of_lens[2];
layout(location = 4) flat WAY vec4 rest_of_lens[2];
#endif
