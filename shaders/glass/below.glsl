//! The picture below the glass, frosted; the same lines as oracle/blur.rs and `Below` in oracle/lens.rs.
#ifndef GLASS_BELOW
#define GLASS_BELOW
#include "glass/optics.glsl"
#include "glass/push.glsl"

/// How the frost is made: 0 the source's 81 taps, 1 one trilinear tap, 2 pre-blur and a bilinear tap, 3 pre-blur and a
/// B-spline of four. A constant, because software drivers run both sides of a branch.
layout(constant_id = 0) const uint BLUR = 3;
/// 0: no pre-blurred picture is there; 1: it is mixed with the chain; 2: the face reads it alone.
layout(constant_id = 1) const uint FROSTED = 0;

/// The mip chain in linear light, level 0 the full size, mirrored at the border.
layout(binding = 1) uniform sampler2D chain;
/// The chain of what is seen beside the glass; the same, unless a view lies below the glass only.
layout(binding = 3) uniform sampler2D around;
/// The pre-blurred level, mirrored at the border; bound to anything where FROSTED is 0.
layout(binding = 2) uniform sampler2D frosted;

vec3 sample_chain(vec2 point, float lod) {
    return textureLod(chain, point / push.size, lod).rgb;
}

vec3 sample_around(vec2 point, float lod) {
    return textureLod(around, point / push.size, lod).rgb;
}

float lod_from_sigma(float sigma_squared) {
    return 0.5 * log2(max(2.0 * sigma_squared + 0.5, 1.0));
}

vec3 sample_box81(vec2 point, float sigma) {
    float step = sigma * 0.38729833;
    vec3 sum = vec3(0.0);
    for (int y = -4; y <= 4; ++y) {
        for (int x = -4; x <= 4; ++x) {
            sum += sample_chain(point + vec2(x, y) * step, 0.0);
        }
    }
    return sum / 81.0;
}

vec3 sample_spline(vec2 uv) {
    vec2 size = vec2(textureSize(frosted, 0));
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
    return (textureLod(frosted, a, 0.0).rgb * low.x + textureLod(frosted, vec2(b.x, a.y), 0.0).rgb * high.x) * low.y
        + (textureLod(frosted, vec2(a.x, b.y), 0.0).rgb * low.x + textureLod(frosted, b, 0.0).rgb * high.x) * high.y;
}

vec3 sample_frosted(vec2 uv) {
    return BLUR == 3 ? sample_spline(uv) : textureLod(frosted, uv, 0.0).rgb;
}

float frosted_part(float extra) {
    return glass.frosted * (1.0 - smoothstep(0.5, 1.5, extra / max(glass.frost, 1e-3)));
}

vec3 look(vec2 point, float extra) {
    float variance = glass.frost * glass.frost + extra * extra;
    if (BLUR == 0) {
        return sample_box81(point, sqrt(variance));
    }
    vec3 plain = vec3(0.0);
    if (FROSTED != 2) {
        plain = sample_chain(point, lod_from_sigma(variance));
    }
    if (FROSTED == 0) {
        return plain;
    }
    vec3 blurred = sample_frosted(point / push.size);
    return FROSTED == 2 ? blurred : mix(plain, blurred, frosted_part(extra));
}

#endif
