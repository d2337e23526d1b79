#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"
//! Depth of field: each pixel is the mean of its own box (gather), or its light was spread over its box (spread) and is
//! read here. Sides below 2^16; radii to 127.
// variant: gather SPREAD=0
// variant: spread SPREAD=1
layout(local_size_x = 16, local_size_y = 16) in;
#include "summed_area/coc.glsl"
layout(binding = 1, scalar) readonly buffer Table { uint table[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
layout(binding = 4, rgba8) uniform writeonly image2D picture;
layout(binding = 5, scalar) readonly buffer Radii { uint truth[]; }; // the table of radii.comp's planes
#define TRUTH
#include "summed_area/lookup.glsl"

vec3 mean_around(uvec2 at, uint radius) {
    Layout how = Layout(push.full, push.pitch, push.plane, 4, push.scale);
    uvec2 low, high;
    box_around(at, radius, push.full, low, high);
    return vec3(box_mean(how, 0, low, high), box_mean(how, 1, low, high), box_mean(how, 2, low, high));
}

/// Neighbours whose radii differ much would show each other's outlines: the radius is the mean of those around, each by
/// its own size, at most r + r^2 / 4.
float smooth_radius(uvec2 at) {
    float own = radius_at(at);
    if (HAS_DEPTH == 0) return own;
    Layout how = Layout(push.full, push.radii_pitch, push.radii_plane, 2, 1.0);
    uvec2 low, high;
    box_around(at, uint(push.widest) + 1, push.full, low, high);
    float mean = true_mean(how, 0, low, high), square = true_mean(how, 1, low, high);
    return min(push.widest * square / max(mean, 1e-6), own + 0.25 * own * own);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.full))) return;
    vec3 light;
#if SPREAD
    uint place = at.y * push.pitch + at.x;
    float weight = float(table[place + 3 * push.plane]);
    light = vec3(table[place], table[place + push.plane], table[place + 2 * push.plane]) / max(weight, 1.0);
#else
    float radius = smooth_radius(at);
    uint whole = uint(radius);
    light = mix(mean_around(at, whole), mean_around(at, whole + 1), radius - float(whole));
#endif
    imageStore(picture, ivec2(at), vec4(encoded_from_linear(clamp(light, 0.0, 1.0)), 1.0));
}
