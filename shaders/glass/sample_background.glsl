//! The picture below the glass, frosted. CPU reference: src/techniques/glass/lab/reference/blur.rs and src/techniques/glass/lab/reference/lens.rs.
#ifndef GLASS_SAMPLE_BACKGROUND
#define GLASS_SAMPLE_BACKGROUND
#include "glass/optics.glsl"

float lod_from_sigma(float sigma_squared) {
    return 0.5 * log2(max(2.0 * sigma_squared + 0.5, 1.0));
}

#ifdef STANDALONE
#ifdef ONE_PASS
#include "glass/standalone_background.glsl"
#else
#include "glass/standalone_passes.glsl"
#endif
#else
#include "glass/push.glsl"

/// 0 the source's 81 taps, 1 a trilinear tap, 2 a pre-blurred image and a bilinear tap, 3 with a B-spline of four, 4
/// B-splines on two levels. A constant: software drivers run both sides of a branch.
layout(constant_id = 0) const uint BLUR = 3;
/// 0: no pre-blurred picture; 1: mixed with the chain; 2: the face reads it alone.
layout(constant_id = 1) const uint FROSTED = 0;

/// Linear light, mirrored at the border.
layout(binding = 1) uniform sampler2D chain;
/// Differs where a view is below the glass only.
layout(binding = 3) uniform sampler2D around;
layout(binding = 2) uniform sampler2D frosted;

#ifndef FROSTED_PLACE
#define FROSTED_PLACE glass
#endif

vec2 frosted_uv(vec2 point) {
    return point * FROSTED_PLACE.frosted_scale + FROSTED_PLACE.frosted_shift;
}

vec3 sample_chain(vec2 point, float lod) {
    return textureLod(chain, point / push.size, lod).rgb;
}

vec3 sample_around(vec2 point, float lod) {
    return textureLod(around, point / push.size, lod).rgb;
}

vec3 sample_box81(vec2 point, float sigma) {
    float step = sigma * 0.38729833;
    vec3 sum = vec3(0.0);
    // Unrolled it needs registers that other variants do without.
    [[dont_unroll]] for (int y = -4; y <= 4; ++y) {
        [[dont_unroll]] for (int x = -4; x <= 4; ++x) {
            sum += sample_chain(point + vec2(x, y) * step, 0.0);
        }
    }
    return sum / 81.0;
}

vec3 sample_spline(sampler2D level, float lod, vec2 uv) {
    vec2 size = vec2(textureSize(level, int(lod)));
    vec2 p = uv * size - 0.5;
    vec2 i = floor(p);
    vec2 f = p - i;
    vec2 f2 = f * f;
    vec2 f3 = f2 * f;
    vec2 w0 = (1.0 - 3.0 * f + 3.0 * f2 - f3) / 6.0;
    vec2 w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0;
    vec2 w3 = f3 / 6.0;
    vec2 w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1;
    vec2 high = w2 + w3;
    vec2 a = (i - 0.5 + w1 / low) / size;
    vec2 b = (i + 1.5 + w3 / high) / size;
    return (textureLod(level, a, lod).rgb * low.x + textureLod(level, vec2(b.x, a.y), lod).rgb * high.x) * low.y
        + (textureLod(level, vec2(a.x, b.y), lod).rgb * low.x + textureLod(level, b, lod).rgb * high.x) * high.y;
}

vec3 sample_bicubic(vec2 uv, float variance) {
    float top = float(textureQueryLevels(chain) - 1);
    float lod = min(0.5 * log2(max((variance + 0.25) * (12.0 / 7.0), 1.0)), top);
    float low = floor(lod);
    return mix(sample_spline(chain, low, uv), sample_spline(chain, min(low + 1.0, top), uv), lod - low);
}

vec3 blurred_at(vec2 point, float variance) {
    switch (BLUR) {
        case 0: return sample_box81(point, sqrt(variance));
        case 1: return sample_chain(point, lod_from_sigma(variance));
        case 2: return textureLod(frosted, frosted_uv(point), 0.0).rgb;
        case 3: return sample_spline(frosted, 0.0, frosted_uv(point));
        default: return sample_bicubic(point / push.size, variance);
    }
}

float frosted_part(float extra) {
    float covered = 1.0 - smoothstep(0.5, 1.5, extra / max(glass.frost, 1e-3));
    return glass.frosted * (BLUR == 4 ? 1.0 : covered);
}

vec3 look_at(uint kind, vec2 point, float extra) {
    float variance = glass.frost * glass.frost + extra * extra;
    if (BLUR == 0) {
        return sample_box81(point, sqrt(variance));
    }
    vec3 plain = vec3(0.0);
    if (kind != 2) {
        plain = sample_chain(point, lod_from_sigma(variance));
    }
    if (kind == 0) {
        return plain;
    }
    vec3 blurred = blurred_at(point, variance);
    return kind == 2 ? blurred : mix(plain, blurred, frosted_part(extra));
}

vec3 look_under(uint kind, vec2 point, float extra, float bright) {
    if (OPTICS != 0u) {
        if (BLUR != 0u) {
            // A filter's coordinates are rounded: undisplaced and unblurred, the middle of a pixel is its texel, bit
            // for bit.
            bool is_middle = all(equal(fract(point), vec2(0.5))) && extra == 0.0 && glass.frost <= SHARP_SIGMA;
            if (is_middle && all(greaterThan(point, vec2(0.0))) && all(lessThan(point, push.size))) {
                return texelFetch(chain, ivec2(point), 0).rgb;
            }
        }
    }
    vec3 dark = look_at(kind, point, extra);
    if (OPTICS != 2u) {
        return dark;
    }
    // One level for all pixels: otherwise a draw and a dispatch read different ones on some drivers.
    return mix(dark, sample_bicubic(point / push.size, glass.frost_light * glass.frost_light), bright);
}

#endif
#endif
