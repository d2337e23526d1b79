#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Count of the texels in which two chains differ, in all levels but the first.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D one;
layout(binding = 1) uniform sampler2D other;
layout(binding = 2, scalar) buffer Count { uint count; };

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    for (int level = 1; level < textureQueryLevels(one); ++level) {
        if (any(greaterThanEqual(at, textureSize(one, level)))) return;
        // NaN differs from all: an unwritten texel counts.
        if (texelFetch(one, at, level) != texelFetch(other, at, level)) atomicAdd(count, 1u);
    }
}
