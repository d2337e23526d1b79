#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mean of the pixels nearest to the middle of each result pixel, at any ratio: 1, 4 or 16. Sides up to 16384.
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"
#include "downsample/axis.glsl"
#include "downsample/kernel.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
/// Pixels along each axis: 1 the nearest, 2 linear, 4 a Catmull-Rom spline (KERNEL 1).
layout(constant_id = 1) const uint TAPS = 1;
layout(binding = 0) uniform sampler2D above;
layout(binding = 1, FORMAT) uniform writeonly image2D result;

struct Line { int first; float weights[4]; };

Line line(int i, int n, int made) {
    Line line;
    int middle = (2 * i + 1) * n;
    if (TAPS == 1) {
        line.first = middle / (2 * made);
        line.weights[0] = 1.0;
        return line;
    }
    // Of the two pixels around it the left one; never left of the first, for made <= n.
    line.first = (middle - made) / (2 * made) - int(TAPS) / 2 + 1;
    float total = 0.0;
    for (int t = 0; t < int(TAPS); ++t) {
        int k = line.first + t;
        float x = float(apart(k, i, n, made)) / float(2 * made);
        float weight = TAPS == 2 ? 1.0 - abs(x) : kernel(x);
        line.weights[t] = k < 0 || k >= n ? 0.0 : weight;
        total += line.weights[t];
    }
    for (int t = 0; t < int(TAPS); ++t) line.weights[t] /= total;
    return line;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
    if (any(greaterThanEqual(at, size))) return;
    ivec2 source = textureSize(above, 0);
    Line x = line(at.x, source.x, size.x), y = line(at.y, source.y, size.y);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < int(TAPS); ++j) {
        for (int i = 0; i < int(TAPS); ++i) {
            ivec2 from = clamp(ivec2(x.first + i, y.first + j), ivec2(0), source - 1);
            sum += x.weights[i] * y.weights[j] * texelFetch(above, from, 0);
        }
    }
    imageStore(result, at, stored(sum));
}
