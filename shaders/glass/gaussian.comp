#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Reference blur: one direction of a true Gaussian, cut at four sigma, every texel weighed. Any size.

layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D source;
layout(binding = 1, rgba32f) uniform writeonly image2D result;

layout(scalar, push_constant) uniform GaussianPush {
    vec2 corner;
    vec2 step;
    vec2 size;
    float sigma;
    int reach;
} push;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(result)))) {
        return;
    }
    vec2 middle = push.corner + vec2(at) + 0.5;
    vec3 sum = vec3(0.0);
    float weight = 0.0;
    for (int k = -push.reach; k <= push.reach; ++k) {
        float w = exp(-float(k * k) / (2.0 * push.sigma * push.sigma));
        sum += w * textureLod(source, (middle + float(k) * push.step) / push.size, 0.0).rgb;
        weight += w;
    }
    imageStore(result, at, vec4(sum / weight, 1.0));
}
