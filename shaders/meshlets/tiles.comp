#version 460
#extension GL_GOOGLE_include_directive : require
// variant: wide WIDE=1 CUT=0
// variant: wide_cut WIDE=1 CUT=1
// variant: narrow WIDE=0 CUT=0
// variant: narrow_cut WIDE=0 CUT=1
#include "include/prelude.glsl"
#if CUT
#include "meshlets/alpha.glsl"
#else
#include "meshlets/geometry.glsl"
#endif
#include "meshlets/cover.glsl"
#include "meshlets/pixels.glsl"
#include "meshlets/tile.glsl"
#define TILED_ACCESS readonly
#include "meshlets/tiled.glsl"

//! Rasterizer of large triangles tile by tile, a workgroup for each part of one.
layout(local_size_x = 128) in;

void main() {
    uint sure = tile_slots[push.tile_slot].sure, all = sure + min(tile_slots[push.tile_slot].more, push.most_more);
    for (uint i = gl_WorkGroupID.x; i < all; i += gl_NumWorkGroups.x) {
        uvec2 item = tiles[i < sure ? i : push.first_more + i - sure];
        uint id = item.x, parts = item.y >> 16;
        if (id == 0) continue;
        MeshletInstance p = meshlet_instances[meshlet_instance_of(id)];
        mat4x3 m = instances[p.instance].world_from_mesh;
        uint first = meshlets[p.meshlet].first_vertex;
        uvec3 k = corners_of(triangle_at(meshlets[p.meshlet].first_triangle + triangle_of(id)));
        Large t = large_of(clip_of(m, position_of(meshlet_vertex_at(first + k.x))), clip_of(m, position_of(meshlet_vertex_at(first + k.y))),
            clip_of(m, position_of(meshlet_vertex_at(first + k.z))));
        if (!t.is_seen) continue;
        ivec2 many = ((t.bounds.zw - t.bounds.xy) >> TILE_BITS) + 1;
        for (uint n = item.y & 0xFFFFu; n < uint(many.x * many.y); n += parts) {
            ivec2 origin = t.bounds.xy + ivec2(int(n) % many.x, int(n) / many.x) * TILE;
            if (may_reach(t, origin)) draw_tile(t, id, origin);
        }
    }
}
