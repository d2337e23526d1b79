//! Common code of the two blur comparisons: one blur method at pixel centres, and the true Gaussian.
#ifndef GLASS_JUDGE
#define GLASS_JUDGE
#define GLASS_PUSH

layout(scalar, push_constant) uniform JudgePush {
    /// Width and height of the picture, pixels.
    vec2 size;
    /// First pixel of the judged part in the picture.
    uvec2 corner;
    /// Width and height of the part.
    uvec2 extent;
    /// Place at which the part is drawn.
    uvec2 place;
    /// Sigma squared, pixels squared; 0 shows the true Gaussian.
    float variance;
    /// Number of the column, for its mark; above 8: no marks.
    uint column;
    /// Takes a point in pixels to its place in what was blurred beforehand: scale, then shift.
    vec2 frosted_scale;
    vec2 frosted_shift;
} push;

#define FROSTED_PLACE push

#include "glass/sample_background.glsl"
#include "include/srgb.glsl"

/// The part's true Gaussian, linear light.
layout(binding = 5) uniform sampler2D truth;

vec3 wanted(uvec2 at) {
    return encoded_from_linear(texelFetch(truth, ivec2(at), 0).rgb);
}

vec3 found(uvec2 at) {
    return encoded_from_linear(clamp(blurred_at(vec2(push.corner + at) + 0.5, push.variance), 0.0, 1.0));
}

#endif
