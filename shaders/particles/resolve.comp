#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

//! Layer from the sums of the splats. Pictures up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0, scalar) readonly buffer Sums { uvec4 sums[]; };
layout(binding = 1, rgba16f) uniform writeonly image2D layer;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(layer);
    if (any(greaterThanEqual(at, size))) return;
    imageStore(layer, at, min(vec4(sums[at.y * size.x + at.x]) / 4096.0, 60000.0));
}
