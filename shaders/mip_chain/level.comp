#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One level from the stored one above it; one invocation a texel, any size.
// variant: rgba16f KIND=0
// rare variant: rgba8 KIND=1
// rare variant: r32f KIND=2
// rare variant: bytes KIND=3
#include "mip_chain/texel.glsl"
#include "mip_chain/taps.glsl"

layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D above;
layout(binding = 1, FORMAT) uniform writeonly IMAGE level;

// 1 where columns (rows) do not pair up. Constants: software drivers index weights in a loop lane by lane.
layout(constant_id = 2) const uint ODD_COLUMNS = 1;
layout(constant_id = 3) const uint ODD_ROWS = 1;
const int COLUMNS = TAPS - 1 + int(ODD_COLUMNS), ROWS = TAPS - 1 + int(ODD_ROWS);

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(above, 0);
    if (any(greaterThanEqual(at, imageSize(level)))) return;
    Taps x = taps(at.x, size.x), y = taps(at.y, size.y);
    float wx[5] = float[](x.w0, x.w1, x.w2, x.w3, x.w4), wy[5] = float[](y.w0, y.w1, y.w2, y.w3, y.w4);
    VALUE sum = VALUE(0.0);
    for (int j = 0; j < ROWS; ++j) {
        for (int i = 0; i < COLUMNS; ++i) {
            ivec2 from = clamp(ivec2(x.first + i, y.first + j), ivec2(0), size - 1);
            sum += wx[i] * wy[j] * value_of(texelFetch(above, from, 0));
        }
    }
    imageStore(level, at, stored_of(sum));
}
