//! The picture below the glass without a mip chain, for copied shaders of one pass: levels are summed from pixels. Before
//! it are declared `size`, width and height in pixels, and `picture_size()` and `picture_at(uv, lod)`, the picture's stored values.
#ifndef GLASS_STANDALONE_BACKGROUND
#define GLASS_STANDALONE_BACKGROUND
#include "include/srgb.glsl"

/// Scaled to cover `size`, mirrored beyond the border.
vec2 picture_uv(vec2 point) {
    vec2 period = 2.0 * size;
    vec2 folded = point - period * floor(point / period);
    vec2 within = min(folded, period - folded);
    vec2 full = picture_size();
    float scale = max(size.x / full.x, size.y / full.y);
    return (within - 0.5 * size) / (scale * full) + 0.5;
}

/// Display values.
vec3 shown_at(vec2 point) {
    vec3 stored = picture_at(picture_uv(point), 0.0);
    return PICTURE_IS_LINEAR ? encoded_from_linear(stored) : stored;
}

/// `lod` counts from the picture's own level; a texture without mip levels has that alone.
vec3 light_at(vec2 point, float lod) {
    vec3 stored = picture_at(picture_uv(point), lod);
    return PICTURE_IS_LINEAR ? stored : linear_from_encoded(stored);
}

/// The tent (1 3 3 1)/8 from level to level gives a box of n pixels, a power of two, three times.
float texel_weight(float x, float n) {
    float away = abs(x);
    float left = 1.5 * n - 1.5 - away;
    float inner = 0.75 * n * n + 0.25 - away * away;
    float outer = left > -1.0 ? 0.5 * (left + 1.0) * (left + 2.0) : 0.0;
    return (away <= 0.5 * n ? inner : outer) / (n * n * n);
}

/// Up to level 4 of all pixels, or of places that are LEVEL_STEP apart.
vec3 chain_level(vec2 point, float level) {
    float n = exp2(level);
    float stride = max(n / 16.0, clamp(0.25 * n, 1.0, LEVEL_STEP));
    float taps = ceil((4.0 * n - 2.0) / stride);
    vec2 texel = floor(point / n - 0.5);
    vec2 part = point / n - 0.5 - texel;
    vec2 near = (texel + 0.5) * n;
    vec2 first = near - 1.5 * n + 1.0 + 0.5 * stride;
    vec3 sum = vec3(0.0);
    float weight = 0.0;
    for (float y = 0.0; y < taps; y += 1.0) {
        float at_y = first.y + stride * y - near.y;
        float down = mix(texel_weight(at_y, n), texel_weight(at_y - n, n), part.y);
        for (float x = 0.0; x < taps; x += 1.0) {
            float at_x = first.x + stride * x - near.x;
            float w = down * mix(texel_weight(at_x, n), texel_weight(at_x - n, n), part.x);
            sum += w * light_at(near + vec2(at_x, at_y), log2(stride));
            weight += w;
        }
    }
    return sum / weight;
}

vec3 sample_chain(vec2 point, float lod) {
    float low = floor(lod);
    vec3 fine = chain_level(point, low);
    if (lod - low < 0.002) {
        return fine;
    }
    return mix(fine, chain_level(point, low + 1.0), lod - low);
}

vec3 sample_around(vec2 point, float lod) {
    return sample_chain(point, lod);
}

/// Cut at three sigma.
vec3 gaussian(vec2 point, float sigma) {
    float stride = 6.0 * sigma / FROST_TAPS;
    vec3 sum = vec3(0.0);
    float weight = 0.0;
    for (float y = 0.5; y < FROST_TAPS; y += 1.0) {
        for (float x = 0.5; x < FROST_TAPS; x += 1.0) {
            vec2 away = (vec2(x, y) - 0.5 * FROST_TAPS) * stride;
            float w = exp(-0.5 * dot(away, away) / (sigma * sigma));
            sum += w * light_at(point + away, log2(max(stride, 1.0)));
            weight += w;
        }
    }
    return sum / weight;
}

const uint FROSTED = 0u;

/// A Gaussian for frosted glass, a mip level for clear glass.
vec3 look_under(uint kind, vec2 point, float extra, float bright) {
    float frost = OPTICS == 2u ? mix(glass.frost, glass.frost_light, bright) : glass.frost;
    float variance = frost * frost + extra * extra;
    if (IS_FROSTED) {
        return gaussian(point, sqrt(variance));
    }
    return sample_chain(point, lod_from_sigma(variance));
}

vec3 look_at(uint kind, vec2 point, float extra) {
    return look_under(kind, point, extra, 0.0);
}

#endif
