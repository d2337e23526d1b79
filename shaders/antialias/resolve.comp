#version 460
#extension GL_GOOGLE_include_directive : require
// variant: same SAME=1
// variant: larger LARGER=1
#include "include/prelude.glsl"
#include "antialias/gather.glsl"

//! Mean of this frame's samples and of those of earlier frames, reprojected to the current position of their surfaces.
//! SAME: as large as the light; LARGER: the light has fewer pixels. Pictures up to 65535 pixels a side.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 6, rgba16f) uniform writeonly image2D resolved;
layout(binding = 7, rg32ui) uniform writeonly uimage2D kept;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(resolved)))) return;
    Gathered g = gathered(at);
    imageStore(resolved, at, resolved_of(g));
    imageStore(kept, at, uvec4(g.surface, 0, 0));
}
