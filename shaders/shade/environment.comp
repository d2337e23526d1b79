#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/sky_picture.glsl"

//! Sky on an octahedral map of 128x128.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D map;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, ivec2(SHARP)))) return;
    vec3 d = from_map((vec2(at) + 0.5) / SHARP);
    vec3 radiance;
    if (has_sky_picture()) {
        radiance = picture_radiance(d, MAP_SPREAD);
    } else {
        radiance = around_radiance(d);
    }
    imageStore(map, at, vec4(radiance, 1.0));
}
