// Textures in one buffer, filtered here: bilinear in two levels, the same bits on every device. Up to 20 levels. Before this is included,
// `texture_at(index)`, `texel_at(index)` and `value_of(texture, bits)` say where they are and what a texel is.
#ifndef INCLUDE_TEXTURE
#define INCLUDE_TEXTURE
#include "include/material.glsl"

/// Column or row `i` of `n`, as the border wants it; at most one off what `folded` gives.
int wrapped(int i, int n, uint how) {
    int repeated = i < 0 ? i + n : i >= n ? i - n : i;
    int period = i >= 2 * n ? i - 2 * n : i < 0 ? -1 - i : i;
    int mirrored = period >= n ? 2 * n - 1 - period : period;
    return clamp(how == 0 ? repeated : how == 1 ? mirrored : i, 0, n - 1);
}

/// The same place in the first period: 0..1, mirrored 0..2.
float folded(float x, uint how) { return how == 0 ? x - floor(x) : how == 1 ? x - 2.0 * floor(0.5 * x) : clamp(x, -1.0, 2.0); }

vec4 texel(Texture t, uint first, ivec2 size, ivec2 at) {
    ivec2 p = ivec2(wrapped(at.x, size.x, t.wrap & 3u), wrapped(at.y, size.y, t.wrap >> 2 & 3u));
    return value_of(t, texel_at(first + uint(p.y) * uint(size.x) + uint(p.x)));
}

vec4 bilinear(Texture t, uint first, ivec2 size, vec2 uv) {
    uv = vec2(folded(uv.x, t.wrap & 3u), folded(uv.y, t.wrap >> 2 & 3u));
    vec2 at = uv * vec2(size) - 0.5, low = floor(at), f = at - low;
    ivec2 p = ivec2(low);
    vec4 above = mix(texel(t, first, size, p), texel(t, first, size, p + ivec2(1, 0)), f.x);
    vec4 below = mix(texel(t, first, size, p + ivec2(0, 1)), texel(t, first, size, p + ivec2(1, 1)), f.x);
    return mix(above, below, f.y);
}

/// Texture `index` at `uv`, where a pixel goes `right` and `down` in it; up to `taps` looks along the longer way.
vec4 sampled(uint index, vec2 uv, vec2 right, vec2 down, uint taps) {
    Texture t = texture_at(index);
    vec2 full = vec2(t.width, t.height);
    float across = dot(right * full, right * full), along = dot(down * full, down * full);
    vec2 longer = across > along ? right : down;
    float most = sqrt(max(across, along)), least = max(sqrt(min(across, along)), 1e-6);
    float looks = clamp(ceil(most / least), 1.0, float(taps));
    float level = clamp(log2(max(most / looks, 1.0)), 0.0, float(t.levels - 1));
    uint low = min(uint(level), t.levels - 1), first = t.first;
    ivec2 size = ivec2(t.width, t.height);
    for (uint i = 0; i < low; i++) {
        first += uint(size.x) * uint(size.y);
        size = max(size >> 1, ivec2(1));
    }
    uint next_first = first;
    ivec2 next_size = size;
    if (low + 1 < t.levels) {
        next_first += uint(size.x) * uint(size.y);
        next_size = max(size >> 1, ivec2(1));
    }
    vec4 sum = vec4(0.0);
    for (float i = 0.0; i < looks; i += 1.0) {
        vec2 at = uv + longer * ((i + 0.5) / looks - 0.5);
        sum += mix(bilinear(t, first, size, at), bilinear(t, next_first, next_size, at), level - float(low));
    }
    return sum / looks;
}

#endif
