#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! The lens as one dispatch over the tiles that it touches, each with the code of its part.
#include "glass/regions.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 9) const uint FACE_FROSTED = 0;

/// Column and row in 12 bits each, and the part, as in src/techniques/glass/lens/tiles.rs.
layout(scalar, binding = 4) readonly buffer Tiles {
    uint tile[];
} tiles;
layout(binding = 5, r32ui) uniform writeonly uimage2D picture;

const uint TILE = 16;
const uint ROW = 1024;

void main() {
    uint index = gl_WorkGroupID.x + gl_WorkGroupID.y * ROW;
    if (index >= tiles.tile.length()) {
        return;
    }
    uint tile = tiles.tile[index];
    uint quarter = gl_WorkGroupID.z;
    uvec2 within = uvec2(quarter & 1, quarter >> 1) * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy;
    ivec2 at = ivec2(uvec2(tile & 0xFFF, tile >> 12 & 0xFFF) * TILE + within);
    if (any(greaterThanEqual(at, imageSize(picture)))) {
        return;
    }
    vec2 frag = vec2(at) + 0.5;
    uint part = tile >> 24;
    vec3 value;
    bool is_touched = true;
    if (part == 0) {
        value = face(FACE_FROSTED, frag);
    } else if (part == 3) {
        is_touched = shadow(frag, value);
    } else {
        is_touched = bevel(part == 2, frag, value);
    }
    if (is_touched) {
        imageStore(picture, at, texel_of(value));
    }
}
