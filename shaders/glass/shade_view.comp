#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of the shade that text needs: green where none, by way of yellow to red where all of it.
#include "glass/refraction.glsl"

layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 5, rgba8) uniform writeonly image2D picture;

vec3 ramp(float part) {
    const vec3 stops[3] = vec3[](vec3(38, 115, 77), vec3(230, 191, 64), vec3(217, 51, 51));
    float t = 2.0 * clamp(part, 0.0, 1.0);
    return (t < 1.0 ? mix(stops[0], stops[1], t) : mix(stops[1], stops[2], t - 1.0)) / 255.0;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(picture)))) {
        return;
    }
    vec2 frag = vec2(at) + 0.5;
    Edge e = edge(frag);
    vec3 c = coverage(e.d) * ramp(shade_needed(frag + e.pull));
    imageStore(picture, at, vec4(clamp(c, 0.0, 1.0), 1.0));
}
