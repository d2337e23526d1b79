//! Textures in one buffer, filtered in software: bilinear in two levels, the same bits on every device. Up to 20 levels.
//! `texture_at(index)`, `texel_at(index)` and `value_of(texture, bits)` must be defined before: they give layout, texel and value.
#ifndef INCLUDE_TEXTURE
#define INCLUDE_TEXTURE
#include "include/material.glsl"
#include "include/whole.glsl"

// Squares of a power of two that repeat.
#ifndef TILED
#define TILED false
#endif

/// At most one off the result of `folded`.
int wrapped(int i, int n, uint how) {
    if (TILED) return i & n - 1;
    int repeated = i < 0 ? i + n : i >= n ? i - n : i;
    int period = i >= 2 * n ? i - 2 * n : i < 0 ? -1 - i : i;
    int mirrored = period >= n ? 2 * n - 1 - period : period;
    return clamp(how == 0 ? repeated : how == 1 ? mirrored : i, 0, n - 1);
}

/// 0..1, mirrored 0..2.
float folded(float x, uint how) { return TILED || how == 0 ? x - floor(x) : how == 1 ? x - 2.0 * floor(0.5 * x) : clamp(x, -1.0, 2.0); }

/// In two levels, several along the longer axis of a pixel's footprint.
struct Looks {
    float count;
    vec2 along;
    uint near; // first texel of the finer level, relative to the texture's first
    ivec2 near_size;
    bool is_last; // there is no coarser level
    float between;
    float sharp; // 1: the nearest texel alone
};

/// Bits of a texture's wrap: nearest filtering for magnification, for minification, nearest level.
const uint MAGNIFIED_NEAREST = 16, MINIFIED_NEAREST = 32, LEVEL_NEAREST = 64;

/// Derivatives of the texture coordinates.
Looks looks_at(Texture t, vec2 right, vec2 down, uint taps) {
    vec2 full = vec2(t.width, t.height);
    float across = dot(right * full, right * full), along = dot(down * full, down * full);
    float most = sqrt(max(across, along)), least = max(sqrt(min(across, along)), 1e-6);
    Looks looks;
    looks.count = clamp(ceil(most / least), 1.0, float(taps));
    looks.along = across > along ? right : down;
    float level = clamp(log2(max(most / looks.count, 1.0)), 0.0, float(t.levels - 1));
    looks.sharp = (t.wrap & (most <= looks.count ? MAGNIFIED_NEAREST : MINIFIED_NEAREST)) != 0 ? 1.0 : 0.0;
    level = (t.wrap & LEVEL_NEAREST) != 0 ? floor(level + 0.5) : level;
    uint low = min(uint(whole(floor(level))), t.levels - 1);
    looks.between = level - float(low);
    looks.near = 0;
    looks.near_size = ivec2(t.width, t.height);
    if (TILED) {
        // Each level has a quarter of the texels of the one before.
        looks.near_size = ivec2(t.width >> low);
        looks.near = (t.width * t.width - uint(looks.near_size.x * looks.near_size.x)) / 3 * 4;
    } else {
        for (uint i = 0; i < low; i++) {
            looks.near += uint(looks.near_size.x) * uint(looks.near_size.y);
            looks.near_size = max(looks.near_size >> 1, ivec2(1));
        }
    }
    looks.is_last = low + 1 >= t.levels;
    return looks;
}

/// Two of a row, then two of the next; and the point's position between them.
struct Four {
    uvec4 at;
    vec2 part;
};

Four four_around(vec2 uv, uint first, ivec2 size, uint wrap, float sharp) {
    uint how_x = wrap & 3u, how_y = wrap >> 2 & 3u;
    vec2 at = vec2(folded(uv.x, how_x), folded(uv.y, how_y)) * vec2(size) - 0.5, low = floor(at);
    ivec2 p = whole(low);
    uvec2 columns = uvec2(wrapped(p.x, size.x, how_x), wrapped(p.x + 1, size.x, how_x));
    uvec2 rows = first + uvec2(wrapped(p.y, size.y, how_y), wrapped(p.y + 1, size.y, how_y)) * uint(size.x);
    vec2 part = at - low;
    return Four(uvec4(rows.x + columns, rows.y + columns), mix(part, step(0.5, part), sharp));
}

Four near_of(Looks looks, vec2 uv, uint wrap) { return four_around(uv, looks.near, looks.near_size, wrap, looks.sharp); }

/// Kept for all lookups, these would take registers.
Four far_of(Looks looks, vec2 uv, uint wrap) {
    uint first = looks.near + (looks.is_last ? 0u : uint(looks.near_size.x) * uint(looks.near_size.y));
    ivec2 size = looks.is_last ? looks.near_size : max(looks.near_size >> 1, ivec2(1));
    return four_around(uv, first, size, wrap, looks.sharp);
}

vec4 bilinear(Texture t, Four four) {
    vec4 above = mix(value_of(t, texel_at(t.first + four.at.x)), value_of(t, texel_at(t.first + four.at.y)), four.part.x);
    vec4 below = mix(value_of(t, texel_at(t.first + four.at.z)), value_of(t, texel_at(t.first + four.at.w)), four.part.x);
    return mix(above, below, four.part.y);
}

vec2 place_of(Looks looks, vec2 uv, float i) { return uv + looks.along * ((i + 0.5) / looks.count - 0.5); }

vec4 sampled(uint index, vec2 uv, vec2 right, vec2 down, uint taps) {
    Texture t = texture_at(index);
    Looks looks = looks_at(t, right, down, taps);
    vec4 sum = vec4(0.0);
    for (float i = 0.0; i < looks.count; i += 1.0) {
        vec2 at = place_of(looks, uv, i);
        Four near = near_of(looks, at, t.wrap), far = far_of(looks, at, t.wrap);
        sum += mix(bilinear(t, near), bilinear(t, far), looks.between);
    }
    return sum / looks.count;
}

#endif
