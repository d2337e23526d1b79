#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "antialias/around.glsl"

// What lies around each sample, where the picture has more pixels than there are samples: found once for all of those. Up to 65535 pixels
// a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 6, rgba16f) uniform writeonly image2D averages;   // own, and depth of that
layout(binding = 7, rgba16f) uniform writeonly image2D means;
layout(binding = 8, rgba16f) uniform writeonly image2D deviations;
layout(binding = 9, rg32ui) uniform writeonly uimage2D fronts; // depth; meshlets << 4 | place among three by three

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(averages)))) return;
    Around a = around(at);
    imageStore(averages, at, vec4(a.own, a.own_depth));
    imageStore(means, at, vec4(a.mean, 1.0));
    imageStore(deviations, at, vec4(a.deviation, 1.0));
    uint place = uint(3 * (a.offset.y + 1) + a.offset.x + 1);
    imageStore(fronts, at, uvec4(floatBitsToUint(a.depth), a.meshlets << 4 | place, 0, 0));
}
