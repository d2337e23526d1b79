#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Guided filter (He, Sun, Tang 2010) with the picture as its own guide, whose parts are means over boxes of `radius`:
//! a line a * value + b for each box. Sides below 2^16; boxes 255 pixels wide at most.
// variant: lines APPLY=0
// variant: filtered APPLY=1
layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2D below; // display values; nearest
layout(binding = 1, scalar) readonly buffer Table { uint table[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
#if APPLY
layout(binding = 4, rgba8) uniform writeonly image2D picture;
#else
layout(binding = 4, scalar) writeonly buffer Lines { uint lines[]; };
#endif
layout(push_constant, scalar) uniform GuidePush {
    uvec2 full;
    uint pitch;
    uint plane;
    uint radius;
    uint lines_pitch;
    uint lines_plane;
    float epsilon; // variance, of values 0..1, that counts as an edge
} push;
#include "summed_area/lookup.glsl"

void main() {
    uvec2 at = gl_GlobalInvocationID.xy, low, high;
    if (any(greaterThanEqual(at, push.full))) return;
    box_around(at, push.radius, push.full, low, high);
#if APPLY
    Layout how = Layout(push.full, push.pitch, push.plane, 2, 1.0 / 65535.0);
    vec3 value = texelFetch(below, ivec2(at), 0).rgb;
    uvec3 c = uvec3(value * 255.0 + 0.5);
    float luma = float((54 * c.r + 183 * c.g + 19 * c.b + 128) / 256) / 255.0;
    float filtered = box_mean(how, 0, low, high) * luma + box_mean(how, 1, low, high);
    imageStore(picture, ivec2(at), vec4(filtered + (value - luma), 1.0));
#else
    Layout how = Layout(push.full, push.pitch, push.plane, 2, 1.0 / 255.0);
    Layout squares = how;
    squares.scale *= how.scale;
    float mean = box_mean(how, 0, low, high), variance = max(box_mean(squares, 1, low, high) - mean * mean, 0.0);
    float slope = variance / (variance + push.epsilon);
    uint place = at.y * push.lines_pitch + at.x;
    lines[place] = uint(slope * 65535.0 + 0.5);
    lines[place + push.lines_plane] = uint(mean * (1.0 - slope) * 65535.0 + 0.5);
#endif
}
