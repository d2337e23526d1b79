#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One step of a chain by several linear reads around the middle of each pixel. Any size.
// variant: f32 TEXELS=0
// variant: f16 TEXELS=1
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
/// 0: the 13 reads of Jimenez (2014), 1: the 5 of dual Kawase (Bjorge 2015), 2: a copy.
layout(constant_id = 0) const uint READS = 0;
layout(binding = 0) uniform sampler2D above; // linear
layout(binding = 1, FORMAT) uniform writeonly image2D result;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
    if (any(greaterThanEqual(at, size))) return;
    if (READS == 2) {
        imageStore(result, at, stored(texelFetch(above, at, 0)));
        return;
    }
    vec2 middle = (vec2(at) + 0.5) / vec2(size), pixel = 1.0 / vec2(textureSize(above, 0));
    vec4 near = vec4(0.0);
    for (int i = 0; i < 4; ++i) near += textureLod(above, middle + pixel * vec2(i % 2 * 2 - 1, i / 2 * 2 - 1), 0.0);
    vec4 sum;
    if (READS == 0) {
        vec4 far = vec4(0.0);
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                float weight = float((2 - abs(x)) * (2 - abs(y))) / 16.0;
                far += weight * textureLod(above, middle + 2.0 * pixel * vec2(x, y), 0.0);
            }
        }
        sum = 0.125 * near + 0.5 * far;
    } else {
        sum = 0.5 * textureLod(above, middle, 0.0) + 0.125 * near;
    }
    imageStore(result, at, stored(sum));
}
