#version 460
#extension GL_GOOGLE_include_directive : require
// variant: one ONE_GLASS
// variant: several SEVERAL_GLASSES
#include "include/prelude.glsl"
//! The lens as one dispatch over the tiles that it touches, each with the code of its part. Several: bodies of different glass.
#define TILE_IS_UNIFORM
#include "glass/regions.glsl"
#include "glass/blocks.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 9) const uint FACE_FROSTED = 0;
/// 0: a list of tiles; 1: blocks of tiles, whose parts the bins have.
layout(constant_id = 12) const uint BINNED = 0;

/// Column and row in 12 bits each, and the part, as in src/techniques/glass/lens/tiles.rs; or blocks.
layout(scalar, binding = 4) readonly buffer Tiles {
    uint tile[];
} tiles;
layout(binding = 5, r32ui) uniform writeonly uimage2D picture;

const uint ROW = 1024;

void main() {
    uint index = gl_WorkGroupID.x + gl_WorkGroupID.y * ROW;
    uint part;
    if (BINNED == 0) {
        if (index >= tiles.tile.length()) {
            return;
        }
        uint tile = tiles.tile[index];
        tile_of_group = uvec2(tile & 0xFFF, tile >> 12 & 0xFFF);
        part = tile >> 24;
    } else {
        uint block = index / (BLOCK * BLOCK);
        if (2 * block >= tiles.tile.length()) {
            return;
        }
#ifdef SEVERAL_GLASSES
        glass_of_tile = tiles.tile[2 * block + 1];
#endif
        uint within = index % (BLOCK * BLOCK);
        uvec2 of_grid = first_tile(tiles.tile[2 * block]) + uvec2(within % BLOCK, within / BLOCK);
        if (any(greaterThanEqual(of_grid, glass.grid))) {
            return;
        }
        tile_of_group = glass.corner + of_grid;
        part = bins.word[word_of(of_grid)] & 0xFFu;
        if (part == NOTHING) {
            return;
        }
    }
    uint quarter = gl_WorkGroupID.z;
    uvec2 within = uvec2(quarter & 1, quarter >> 1) * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy;
    ivec2 at = ivec2(tile_of_group * TILE + within);
    if (any(greaterThanEqual(at, imageSize(picture)))) {
        return;
    }
    vec2 frag = vec2(at) + 0.5;
    vec3 value;
    bool is_touched = true;
    if (part == FACE) {
        value = face(FACE_FROSTED, frag);
    } else if (part == SHADOW) {
        is_touched = shadow(frag, value);
    } else {
        is_touched = bevel(part == EDGE, frag, value);
    }
    if (is_touched) {
        imageStore(picture, at, texel_of(value));
    }
}
