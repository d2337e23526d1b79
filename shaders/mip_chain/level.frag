#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! One level from the stored one above it, as a draw, for formats that compute shaders cannot write; any size.
#include "mip_chain/taps.glsl"
#include "include/whole.glsl"

layout(binding = 0) uniform sampler2D above;
layout(location = 0) out vec4 texel;
layout(constant_id = 2) const uint ODD_COLUMNS = 1;
layout(constant_id = 3) const uint ODD_ROWS = 1;
const int COLUMNS = TAPS - 1 + int(ODD_COLUMNS), ROWS = TAPS - 1 + int(ODD_ROWS);

void main() {
    ivec2 at = whole(gl_FragCoord.xy - 0.5), size = textureSize(above, 0);
    Taps x = taps(at.x, size.x), y = taps(at.y, size.y);
    float wx[5] = float[](x.w0, x.w1, x.w2, x.w3, x.w4), wy[5] = float[](y.w0, y.w1, y.w2, y.w3, y.w4);
    texel = vec4(0.0);
    for (int j = 0; j < ROWS; ++j) {
        for (int i = 0; i < COLUMNS; ++i) {
            ivec2 from = clamp(ivec2(x.first + i, y.first + j), ivec2(0), size - 1);
            texel += wx[i] * wy[j] * texelFetch(above, from, 0);
        }
    }
}
