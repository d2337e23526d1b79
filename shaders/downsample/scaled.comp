#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One axis of a filter whose kernel is scaled by the ratio; weights beyond the border are dropped. Sides up to 16384.
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"
#include "downsample/axis.glsl"
#include "downsample/kernel.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
/// 0: across, 1: down.
layout(constant_id = 1) const uint AXIS = 0;
layout(constant_id = 2) const int REACH = 2;
layout(binding = 0) uniform sampler2D above;
layout(binding = 1, FORMAT) uniform writeonly image2D result;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
    if (any(greaterThanEqual(at, size))) return;
    ivec2 source = textureSize(above, 0);
    int n = AXIS == 0 ? source.x : source.y, made = AXIS == 0 ? size.x : size.y, i = AXIS == 0 ? at.x : at.y;
    int middle = (2 * i + 1) * n, reach = 2 * REACH * n;
    int first = max(middle - reach, 0) / (2 * made), end = min((middle + reach) / (2 * made) + 1, n);
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int k = first; k < end; ++k) {
        float weight = kernel(float(apart(k, i, n, made)) / float(2 * n));
        sum += weight * texelFetch(above, AXIS == 0 ? ivec2(k, at.y) : ivec2(at.x, k), 0);
        total += weight;
    }
    imageStore(result, at, stored(sum / total));
}
