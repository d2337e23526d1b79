//! Accumulation of one pixel: this frame's contribution, and the history that remains.
#ifndef ANTIALIAS_GATHER
#define ANTIALIAS_GATHER
#include "include/whole.glsl"
#ifdef SAME
#include "antialias/around.glsl"
#else
#include "antialias/frame.glsl"
layout(binding = 0) uniform sampler2D averages; // nearest; this and the next ones as packed_around makes them
layout(binding = 1) uniform sampler2D between;  // the same, linear
layout(binding = 2) uniform usampler2D ranges;  // nearest
layout(binding = 8) uniform usampler2D motions; // nearest

Around around_from(ivec2 at) {
    uvec4 range = texelFetch(ranges, at, 0), motion = texelFetch(motions, at, 0);
    vec2 across = unpackHalf2x16(range.y);
    return Around(texelFetch(averages, at, 0).rgb, vec3(unpackHalf2x16(range.x), across.x), vec3(across.y, unpackHalf2x16(range.z)),
        uintBitsToFloat(motion.xy), unpackHalf2x16(motion.z), unpackHalf2x16(motion.w), range.w);
}
#endif
layout(binding = 3) uniform sampler2D history;   // linear; the last channel counts samples
layout(binding = 4) uniform usampler2D surfaces; // nearest: surfaces of the history
layout(constant_id = 1) const uint SHARP = 1;    // the history is read by Catmull and Rom's filter, else by the sampler's

struct Gathered {
    vec3 color;     // compressed, YCoCg: with the history
    float samples;  // that it is the mean of
    float before;   // samples of the history that counted
    vec2 motion;    // pixels of the picture, from the frame before to this one
    float rejected; // 1: the history shows something else
    float clamped;  // how far the history was moved to look like this frame
    uvec2 surface;  // as surface_of packs it
};

vec4 history_at(vec2 place) {
    vec4 c = textureLod(history, place / frame.whole, 0.0);
    return vec4(averaged(c.rgb), c.a);
}

const float FLAT = 0.006;

/// Catmull and Rom's filter by five bilinear samples (Jimenez, "Filmic SMAA", 2016). `room`: how far the history may be
/// from the colours around. Software drivers skip a texture read that no lane needs.
vec4 sharp_history_at(vec2 place, float room) {
    vec2 low = floor(place - 0.5) + 0.5, f = place - low;
    vec2 w0 = f * (f * (1.0 - 0.5 * f) - 0.5), w3 = f * f * (0.5 * f - 0.5);
    vec2 w2 = f * (f * (2.0 - 1.5 * f) + 0.5), w12 = 1.0 - w0 - w3;
    vec2 middle = low + w2 / w12;
    bool is_flat = room < FLAT;
    vec4 c = history_at(is_flat ? place : middle);
    if (is_flat) return c;
    vec3 sum = w12.x * w12.y * c.rgb;
    sum += w0.x * w12.y * history_at(vec2(low.x - 1.0, middle.y)).rgb;
    sum += w3.x * w12.y * history_at(vec2(low.x + 2.0, middle.y)).rgb;
    sum += w12.x * w0.y * history_at(vec2(middle.x, low.y - 1.0)).rgb;
    sum += w12.x * w3.y * history_at(vec2(middle.x, low.y + 2.0)).rgb;
    vec2 outer = w0 + w3;
    return vec4(sum / (1.0 - outer.x * outer.y), c.a);
}

Gathered gathered(ivec2 at) {
    vec2 middle = vec2(at) + 0.5;
#ifdef SAME
    ivec2 nearest = at;
    Around a = around(at);
#else
    // In pixels of the light.
    vec2 place = middle * frame.size / frame.whole - frame.shift;
    ivec2 nearest = whole(floor(clamp(place, vec2(0.0), frame.size - 1.0)));
    Around a = around_from(nearest);
#endif

    Gathered r;
    vec2 from = middle + 0.5 * a.motion * frame.whole;
    r.motion = middle - from;
    r.surface = surface_of(a);
    uvec2 before = texelFetch(surfaces, whole(floor(clamp(from * (frame.kept / frame.whole), vec2(0.0), frame.kept - 1.0))), 0).rg;
    bool is_inside = all(greaterThan(from, vec2(0.0))) && all(lessThan(from, frame.whole));
    // At an edge the surface changes with the sample's place, and so does the edge: one of both must be the same.
    vec2 depths = unpackHalf2x16(before.x);
    uint differ = before.y ^ a.meshlets;
    bool is_same = differ >> MESHLET_BITS == 0u || (differ & (1u << MESHLET_BITS) - 1u) == 0u ||
        is_near(depths.x, a.expected.x) || is_near(depths.y, a.expected.y);
    r.rejected = is_inside && is_same ? 0.0 : frame.moves * (is_inside ? frame.reject : 1.0);

    vec3 spread = a.deviation * frame.reach;
    vec4 old = SHARP != 0 ? sharp_history_at(from, max(spread.x, max(spread.y, spread.z))) : history_at(from);
    // Also where the history was never written.
    r.before = old.a > 0.0 ? min(old.a, frame.most) * (1.0 - r.rejected) : 0.0;
    // While nothing moves, surfaces that this frame has missed exist.
    vec3 room = spread + frame.rests * 1e4;
    vec3 kept = r.before > 0.0 ? clamp(old.rgb, a.mean - room, a.mean + room) : a.own;
    r.clamped = r.before > 0.0 ? abs(kept.x - old.x) : 0.0;
#ifdef SAME
    r.samples = r.before + 1.0;
    r.color = (r.before * kept + a.own) / r.samples;
#else
    // The weight grows with the sample's nearness; below one sample its neighbourhood is used.
    vec2 off = (vec2(nearest) + 0.5 - place) * frame.whole / frame.size;
    float part = max(1.0 - dot(off, off), 0.0);
    part *= part;
    float rest = max(1.0 - r.before - part, 0.0);
    vec3 around = vec3(0.0);
    if (rest > 0.0) around = textureLod(between, place / frame.size, 0.0).rgb;
    r.color = (r.before * kept + part * a.own + rest * around) / (r.before + part + rest);
    r.samples = r.before + part + 0.1 * rest;
#endif
    return r;
}

vec4 resolved_of(Gathered g) { return vec4(clamp(expanded(max(rgb_of(g.color), 0.0)), 0.0, 2000.0), g.samples); }

#endif
