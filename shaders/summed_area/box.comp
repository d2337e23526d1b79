#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// The mean over a box around each pixel, in linear light; between two whole radii their means are mixed. Sides below 2^16.
layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 1, scalar) readonly buffer Table { uint table[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
layout(binding = 4, rgba16f) uniform writeonly image2D result;
layout(push_constant, scalar) uniform BoxPush {
    uvec2 full;
    uint pitch;
    uint plane;
    uint radius;
    float part; // of the box one pixel wider to each side
    float scale;
} push;
#include "summed_area/lookup.glsl"

vec3 mean_around(uvec2 at, uint radius) {
    Layout how = Layout(push.full, push.pitch, push.plane, 4, push.scale);
    uvec2 low, high;
    box_around(at, radius, push.full, low, high);
    return vec3(box_mean(how, 0, low, high), box_mean(how, 1, low, high), box_mean(how, 2, low, high));
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.full))) return;
    vec3 light = mix(mean_around(at, push.radius), mean_around(at, push.radius + 1), push.part);
    imageStore(result, ivec2(at), vec4(light, 1.0));
}
