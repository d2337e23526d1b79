#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"
//! View of the picture with the tiles of the workgroups over it; the texels that a tile reads beyond itself are tinted.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D chain; // level 0, linear light
layout(binding = 1, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform Push {
    ivec2 side;   // pixels of a tile
    ivec2 before; // pixels that it reads before and after itself
    ivec2 after;
} push;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    vec3 color = encoded_from_linear(texelFetch(chain, at, 0).rgb);
    ivec2 tile = at / push.side, inside = at - tile * push.side;
    if (((tile.x ^ tile.y) & 1) != 0) color = mix(color, vec3(0.2, 0.45, 1.0), 0.25);
    bvec2 twice = bvec2(false);
    for (int axis = 0; axis < 2; ++axis) {
        bool first = tile[axis] > 0 && inside[axis] < push.after[axis];
        bool last = (tile[axis] + 1) * push.side[axis] < size[axis] && inside[axis] >= push.side[axis] - push.before[axis];
        twice[axis] = first || last;
    }
    if (any(twice)) color = mix(color, vec3(1.0, 0.35, 0.1), all(twice) ? 0.6 : 0.4);
    if (any(equal(inside, ivec2(0)))) color = vec3(1.0);
    imageStore(picture, at, vec4(color, 1.0));
}
