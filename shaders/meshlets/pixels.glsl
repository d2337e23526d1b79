//! Nearest surface of each pixel, found by compute: depth and visibility value in one number of 64 bits, of which the largest stays. Of
//! equal depths the larger visibility value stays, so the order of work does not matter.
//!
//! WIDE: 64-bit atomics. Else all is drawn twice, by 32-bit atomics: first the depth (STEP 0), then the visibility value of what has
//! that depth (STEP 1).
#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(binding = 13, scalar) buffer Pixels { uint64_t pixels[]; };
#else
/// By pixel: visibility value, depth.
layout(binding = 13, scalar) buffer Pixels { uint pixels[]; };
#endif
layout(constant_id = 0) const uint STEP = 0;

/// With cut-outs the alpha test is skipped behind what is there; else the atomic is quicker than a read, which may be
/// stale but never nearer.
void plot(ivec2 here, float depth, uint id) {
    uint at_pixel = uint(here.y) * size.x + uint(here.x), bits = floatBitsToUint(depth);
#if WIDE
    uint64_t both = uint64_t(bits) << 32 | uint64_t(id);
#if CUT
    if (both <= pixels[at_pixel] || is_cut_out(id, vec2(here) + 0.5)) return;
#endif
    atomicMax(pixels[at_pixel], both);
#else
    uint there = 2 * at_pixel;
#if CUT
    uint known = pixels[there + 1];
    if ((STEP == 0 ? bits <= known : bits != known) || is_cut_out(id, vec2(here) + 0.5)) return;
#endif
    if (STEP == 0) {
        if (bits > atomicMax(pixels[there + 1], bits)) pixels[there] = 0;
    } else if (bits == pixels[there + 1]) {
        atomicMax(pixels[there], id);
    }
#endif
}
