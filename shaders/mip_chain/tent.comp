#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

// One level from the one above it by the separable tent [1 3 3 1] / 8, clamped at the edge; any size.
//
// Texel x of the result covers the source texels 2x-1 .. 2x+2: two bilinear taps 0.75 texels from its middle on each
// axis weigh them 1 3 3 1. Where the source is odd its texels do not pair up; the taps then keep to the same place of
// the picture, so that no level is shifted against another.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D above; // clamped to the edge, bilinear
layout(binding = 1, rgba16f) uniform writeonly image2D level;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(level);
    if (any(greaterThanEqual(at, size))) return;
    vec2 middle = (vec2(at) + 0.5) / vec2(size);
    vec2 d = 0.75 / vec2(textureSize(above, 0));
    vec4 sum = textureLod(above, middle - d, 0.0) + textureLod(above, middle + vec2(d.x, -d.y), 0.0) +
               textureLod(above, middle + vec2(-d.x, d.y), 0.0) + textureLod(above, middle + d, 0.0);
    imageStore(level, at, 0.25 * sum);
}
