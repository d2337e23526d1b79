//! The picture below the glass for copied shaders with passes before them, which make its mip chain in linear light and its blur.
#ifndef GLASS_STANDALONE_PASSES
#define GLASS_STANDALONE_PASSES
#include "include/srgb.glsl"

layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 1) uniform texture2D chain;
layout(set = 0, binding = 2) uniform texture2D frosted;
layout(set = 0, binding = 3) uniform sampler mirrored;

/// Display values.
vec3 shown_at(vec2 point) {
    return texelFetch(sampler2D(picture, mirrored), ivec2(point), 0).rgb;
}

vec3 sample_chain(vec2 point, float lod) {
    return textureLod(sampler2D(chain, mirrored), point / glass.size, lod).rgb;
}

vec3 sample_around(vec2 point, float lod) {
    return sample_chain(point, lod);
}

/// A cubic B-spline as four bilinear reads.
struct Spline {
    vec2 first;
    vec2 second;
    vec2 low;
    vec2 high;
};

Spline spline_at(vec2 uv, vec2 size) {
    vec2 p = uv * size - 0.5;
    vec2 i = floor(p);
    vec2 f = p - i;
    vec2 f2 = f * f;
    vec2 f3 = f2 * f;
    vec2 w0 = (1.0 - 3.0 * f + 3.0 * f2 - f3) / 6.0;
    vec2 w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0;
    vec2 w3 = f3 / 6.0;
    vec2 low = w0 + w1;
    return Spline((i - 0.5 + w1 / low) / size, (i + 1.5 + w3 / (1.0 - low)) / size, low, 1.0 - low);
}

vec3 frosted_at(vec2 uv) {
    Spline s = spline_at(uv, vec2(textureSize(sampler2D(frosted, mirrored), 0)));
    vec3 a = textureLod(sampler2D(frosted, mirrored), s.first, 0.0).rgb;
    vec3 b = textureLod(sampler2D(frosted, mirrored), vec2(s.second.x, s.first.y), 0.0).rgb;
    vec3 c = textureLod(sampler2D(frosted, mirrored), vec2(s.first.x, s.second.y), 0.0).rgb;
    vec3 d = textureLod(sampler2D(frosted, mirrored), s.second, 0.0).rgb;
    return (a * s.low.x + b * s.high.x) * s.low.y + (c * s.low.x + d * s.high.x) * s.high.y;
}

vec3 chain_spline(vec2 uv, float level) {
    Spline s = spline_at(uv, vec2(textureSize(sampler2D(chain, mirrored), int(level))));
    vec3 a = textureLod(sampler2D(chain, mirrored), s.first, level).rgb;
    vec3 b = textureLod(sampler2D(chain, mirrored), vec2(s.second.x, s.first.y), level).rgb;
    vec3 c = textureLod(sampler2D(chain, mirrored), vec2(s.first.x, s.second.y), level).rgb;
    vec3 d = textureLod(sampler2D(chain, mirrored), s.second, level).rgb;
    return (a * s.low.x + b * s.high.x) * s.low.y + (c * s.low.x + d * s.high.x) * s.high.y;
}

vec3 blurred_chain(vec2 uv, float variance) {
    float top = float(textureQueryLevels(sampler2D(chain, mirrored)) - 1);
    float lod = min(0.5 * log2(max((variance + 0.25) * (12.0 / 7.0), 1.0)), top);
    float low = floor(lod);
    return mix(chain_spline(uv, low), chain_spline(uv, min(low + 1.0, top)), lod - low);
}

const uint FROSTED = 0u;
/// Pixels; wider frost hides what the bevel's own footprint blurs.
const float COVERING = 6.0;

vec3 look_at(uint kind, vec2 point, float extra) {
    vec3 plain = sample_chain(point, lod_from_sigma(glass.frost * glass.frost + extra * extra));
    if (glass.frosted == 0.0) {
        return plain;
    }
    // The blurred picture has no room for what is far beyond the border.
    vec2 period = 2.0 * glass.size;
    vec2 folded = point - period * floor(point / period);
    vec3 blurred = frosted_at(min(folded, period - folded) * glass.frosted_scale + glass.frosted_shift);
    float covered = glass.frost >= COVERING ? 1.0 : 1.0 - smoothstep(0.5, 1.5, extra / max(glass.frost, 1e-3));
    return mix(plain, blurred, glass.frosted * covered);
}

/// `bright`: 1 over a bright picture.
vec3 look_under(uint kind, vec2 point, float extra, float bright) {
    vec3 dark = look_at(kind, point, extra);
    if (OPTICS != 2u) {
        return dark;
    }
    return mix(dark, blurred_chain(point / glass.size, glass.frost_light * glass.frost_light), bright);
}

#endif
