//! The two filters along one axis: the texels of a level that make a texel of the next one, and their weights.
#ifndef MIP_CHAIN_TAPS
#define MIP_CHAIN_TAPS

layout(constant_id = 1) const uint FILTER = 0; // 0 box, 1 tent
const int REACH = int(FILTER); // texels that the tent looks at beyond the box, on each side
const int TAPS = 3 + 2 * REACH;

// Texels `first` .. `first + TAPS - 1` (clamped) for texel `i` of the next level; the level has `n` texels. Box: an
// exact area average, where n = 2k + 1 parts (k-i, k, i+1) / n of three. Tent: the box after a blur by (1 2 1) / 4: 1 3
// 3 1 over 8 where n is even. Both are doubly stochastic, so no light is lost or gained.
struct Taps { int first; float w0, w1, w2, w3, w4; };

float taps_slope(int n) { return (n & 1) != 0 && n != 1 ? 1.0 / float(n) : 0.0; }

Taps taps(int i, int n) {
    float k = float(n >> 1), r = 1.0 / float(n);
    vec3 box = (n & 1) != 0 ? vec3(k, k, 1.0) * r : vec3(0.5, 0.5, 0.0);
    if (n == 1) box = vec3(1.0, 0.0, 0.0);
    float slope = float(i) * taps_slope(n);
    box += vec3(-slope, 0.0, slope);
    if (FILTER == 0u) return Taps(2 * i, box.x, box.y, box.z, 0.0, 0.0);
    if (n == 1) return Taps(0, 1.0, 0.0, 0.0, 0.0, 0.0);
    vec3 q = 0.25 * box;
    return Taps(2 * i - 1, q.x, 2.0 * q.x + q.y, q.x + 2.0 * q.y + q.z, q.y + 2.0 * q.z, q.z);
}

Taps next_taps(Taps t, float slope) {
    if (FILTER == 0u) return Taps(t.first + 2, t.w0 - slope, t.w1, t.w2 + slope, 0.0, 0.0);
    float q = 0.25 * slope;
    return Taps(t.first + 2, t.w0 - q, t.w1 - 2.0 * q, t.w2, t.w3 + 2.0 * q, t.w4 + q);
}

ivec2 texels_below(ivec2 made, int n) {
    return clamp(ivec2(2 * made.x - REACH, 2 * made.y + (n & 1) + REACH), 0, n);
}

#endif
