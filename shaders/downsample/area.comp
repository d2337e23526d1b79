#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Exact area mean of each result pixel, any ratio, by a team of invocations for each. Sides up to 16384; a result
//! pixel covers at most 65535 * TEAM pixels (old software drivers end loops there).
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
// rare variant: f16 TEXELS=1
#include "downsample/texels.glsl"
#include "downsample/axis.glsl"

layout(local_size_x = 64) in;
/// 1, 4, 16 or 64.
layout(constant_id = 0) const uint TEAM = 16;
layout(constant_id = 1) const uint ACROSS = 4;
layout(binding = 0) uniform sampler2D above;
layout(binding = 1, FORMAT) uniform writeonly image2D result;

shared vec4 part[64];

void main() {
    uint id = gl_LocalInvocationIndex, lane = id % TEAM;
    ivec2 at = ivec2(gl_WorkGroupID.x * (64 / TEAM) + id / TEAM, gl_WorkGroupID.y), size = imageSize(result);
    bool inside = at.x < size.x;
    vec4 sum = vec4(0.0);
    if (inside) {
        ivec2 n = textureSize(above, 0), x = covered(at.x, n.x, size.x), y = covered(at.y, n.y, size.y);
        for (int v = y.x + int(lane / ACROSS); v < y.y; v += int(TEAM / ACROSS)) {
            vec4 row = vec4(0.0);
            for (int u = x.x + int(lane % ACROSS); u < x.y; u += int(ACROSS)) {
                row += share_of(u, at.x, n.x, size.x) * texelFetch(above, ivec2(u, v), 0);
            }
            sum += share_of(v, at.y, n.y, size.y) * row;
        }
    }
    part[id] = sum;
    barrier();
    for (uint step = TEAM / 2; step > 0; step /= 2) {
        if (lane < step) part[id] += part[id + step];
        barrier();
    }
    if (inside && lane == 0) imageStore(result, at, stored(part[id]));
}
