#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Exact area mean of each result pixel, any ratio, one pixel after the other. Sides up to 16384; a result pixel covers
//! at most 65535 pixels (old software drivers end loops there).
#include "downsample/axis.glsl"
#include "downsample/push.glsl"
#include "downsample/drawn.glsl"

layout(binding = 0) uniform sampler2D above;
layout(location = 0) out vec4 texel;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), size = push.size, n = textureSize(above, 0);
    ivec2 x = covered(at.x, n.x, size.x), y = covered(at.y, n.y, size.y);
    vec4 sum = vec4(0.0);
    for (int v = y.x; v < y.y; ++v) {
        vec4 row = vec4(0.0);
        for (int u = x.x; u < x.y; ++u) row += share_of(u, at.x, n.x, size.x) * texelFetch(above, ivec2(u, v), 0);
        sum += share_of(v, at.y, n.y, size.y) * row;
    }
    texel = drawn(sum);
}
