#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/frame.glsl"

//! resolve.comp for a static frame in which only the sample positions differ, and light and picture have the same size:
//! each pixel's history is its own. The mean is kept in floats: the error of half floats would grow with each sample.
//! Pictures up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D light;   // nearest
layout(binding = 3) uniform sampler2D history; // linear; the last channel counts samples
layout(binding = 6, rgba16f) uniform writeonly image2D resolved;
layout(binding = 10, rgba32f) uniform image2D mean; // compressed, YCoCg; the last channel counts samples

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(resolved)))) return;
    vec4 before = texelFetch(history, at, 0);
    vec4 old = mix(imageLoad(mean, at), vec4(averaged(before.rgb), min(before.a, frame.most)), frame.begins);
    float added = 1.0 - frame.repeats, samples = old.a + added;
    vec3 color = old.rgb + added * (averaged(texelFetch(light, at, 0).rgb) - old.rgb) / samples;
    imageStore(mean, at, vec4(color, samples));
    imageStore(resolved, at, vec4(clamp(expanded(max(rgb_of(color), 0.0)), 0.0, 2000.0), samples));
}
