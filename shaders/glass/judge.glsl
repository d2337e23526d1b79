//! Common code of the two blur comparisons: one blur method at pixel centres, and the true Gaussian.
#ifndef GLASS_JUDGE
#define GLASS_JUDGE
#define GLASS_PUSH

layout(scalar, push_constant) uniform JudgePush {
    vec2 size;
    uvec2 corner;
    uvec2 extent;
    /// Pixels squared; 0: the true Gaussian.
    float variance;
    /// From pixels to uv.
    vec2 frosted_scale;
    vec2 frosted_shift;
} push;

#define FROSTED_PLACE push

#include "glass/sample_background.glsl"
#include "include/srgb.glsl"

layout(binding = 5) uniform sampler2D truth;

vec3 wanted(uvec2 at) {
    return encoded_from_linear(texelFetch(truth, ivec2(at), 0).rgb);
}

vec3 found(uvec2 at) {
    return encoded_from_linear(clamp(blurred_at(vec2(push.corner + at) + 0.5, push.variance), 0.0, 1.0));
}

#endif
