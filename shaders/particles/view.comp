#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Picture of a view from its tallies. Pictures up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(constant_id = 1) const uint FIGURE = 0; // 0 density, 1 age, 2 speed, 3 tile
layout(binding = 0, scalar) readonly buffer Tallies { uvec2 tallies[]; };
layout(binding = 1, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform Push { uvec2 size; } push; // of the world

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    uvec2 from = uvec2(at) * push.size / uvec2(size);
    uvec2 tally = tallies[from.y * push.size.x + from.x];
    const vec3 stops[5] = vec3[](vec3(26, 51, 140), vec3(31, 158, 107), vec3(242, 204, 64), vec3(217, 38, 31), vec3(255, 240, 240));
    float part = log2(float(max(tally.x, 1u))) / 8.0, mean = float(tally.y) / float(max(tally.x, 1u));
    if (FIGURE == 1) part = mean / 255.0;
    if (FIGURE == 2) part = mean / 256.0 / 4.0;
    float place = clamp(part, 0.0, 1.0) * 4.0, low = min(floor(place), 3.0);
    vec3 rgb = mix(stops[int(low)], stops[int(low) + 1], place - low);
    if (FIGURE == 3) rgb = 127.5 + 127.5 * cos(6.2831853 * (float(tally.y * 5u & 15u) / 16.0 + vec3(0.0, 0.33, 0.67)));
    imageStore(picture, at, vec4(tally.x == 0 ? vec3(0.0) : rgb / 255.0, 1.0));
}
