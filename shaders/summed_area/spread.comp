#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Filter spreading (Kosloff, Hensley, Barsky 2009): each pixel puts its light, and its weight, at the four corners of
//! its box, by atomics; the table of that is the spread picture. Whole numbers, so that the order does not matter.
//! Sides below 2^16; radii to 127.
layout(local_size_x = 16, local_size_y = 16) in;
#include "summed_area/coc.glsl"
layout(binding = 4, scalar) buffer Lines { uint lines[]; }; // four planes: red, green, blue, weight

/// Boxes of one size that reach a pixel weigh at most that together, and there are 129 sizes: below 2^32.
const float WHOLE = 16777216.0;

void put(ivec2 corner, uvec4 value, bool is_negative) {
    if (any(greaterThanEqual(corner, ivec2(push.full)))) return;
    uint place = uint(corner.y) * push.lines_pitch + uint(corner.x);
    for (uint k = 0; k < 4; ++k) atomicAdd(lines[place + k * push.lines_plane], is_negative ? ~value[k] + 1 : value[k]);
}

void spread(ivec2 at, int radius, vec3 light, float share) {
    float side = float(2 * radius + 1);
    float weight = share * WHOLE / (side * side);
    uvec4 value = uvec4(vec4(light, 1.0) * weight + 0.5);
    ivec2 low = max(at - radius, ivec2(0)), high = at + radius + 1;
    put(low, value, false);
    put(ivec2(high.x, low.y), value, true);
    put(ivec2(low.x, high.y), value, true);
    put(high, value, false);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.full))) return;
    float radius = radius_at(at);
    int whole = int(radius);
    vec3 light = clamp(texelFetch(below, ivec2(at), 0).rgb, 0.0, 1.0);
    spread(ivec2(at), whole, light, 1.0 - (radius - float(whole)));
    if (radius > float(whole)) spread(ivec2(at), whole + 1, light, radius - float(whole));
}
