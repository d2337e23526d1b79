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
#include "meshlets/listed.glsl"
#include "meshlets/cover.glsl"
#include "meshlets/pixels.glsl"
#include "meshlets/tiled.glsl"

//! Rasterizer of the listed meshlet instances, a workgroup for each: a lane for each small triangle, 32 lanes for each
//! of the next size; larger triangles, and those that cross the near plane, go to tiles.comp.
layout(local_size_x = 128) in;
layout(constant_id = 1) const uint LOOPS = 1;

const uint LANES = 32;

shared ivec2 corners_at[MESHLET_VERTICES];
shared float depths_at[MESHLET_VERTICES];
shared uint for_lanes[MESHLET_TRIANGLES];
shared uint lanes_found;

/// At most NARROW pixels each way. `shape`: pixels drawn at once; `first`: the lane's place in them.
void fill(uint word, ivec4 bounds, ivec2 first, ivec2 shape, uint id) {
    uvec3 k = corners_of(word);
    ivec2 a = corners_at[k.x], b = corners_at[k.z], c = corners_at[k.y];
    ivec2 ab = b - a, ac = c - a;
    Slope slope = slope_of(vec2(ab), vec2(ac), float(ab.x * ac.y - ab.y * ac.x), vec3(depths_at[k.x], depths_at[k.z], depths_at[k.y]));
    ivec2 edge_ab = edge_of(a, b), edge_bc = edge_of(b, c), edge_ca = edge_of(c, a), start = (bounds.xy + first) * GRID + GRID / 2;
    ivec2 from_a = start - a, from_b = start - b, from_c = start - c;
    ivec3 edges = ivec3(edge_ab.x * from_a.x + edge_ab.y * from_a.y + bias_of(edge_ab), edge_bc.x * from_b.x + edge_bc.y * from_b.y + bias_of(edge_bc),
        edge_ca.x * from_c.x + edge_ca.y * from_c.y + bias_of(edge_ca));
    ivec3 by_column = ivec3(edge_ab.x, edge_bc.x, edge_ca.x) * (GRID * shape.x), by_row = ivec3(edge_ab.y, edge_bc.y, edge_ca.y) * (GRID * shape.y);
    for (int y = bounds.y + first.y; y <= bounds.w; y += shape.y, edges += by_row) {
        ivec3 here = edges;
        for (int x = bounds.x + first.x; x <= bounds.z; x += shape.x, here += by_column) {
            if ((here.x | here.y | here.z) >= 0) plot(ivec2(x, y), depth_at(slope, ivec2(x, y) * GRID + GRID / 2 - a), id);
        }
    }
}

void hand_on(uint id, ivec4 bounds) {
    ivec2 many = ((bounds.zw - bounds.xy) >> TILE_BITS) + 1;
    uint parts = clamp(uint(many.x * many.y + 1) / 2, 1u, 256u), more = 0;
    if (parts > 1) {
        more = atomicAdd(tile_slots[push.tile_slot].more, parts - 1);
        bool fits = more + parts - 1 <= push.most_more;
        for (uint part = 1; part < parts && more + part - 1 < push.most_more; part++)
            tiles[push.first_more + more + part - 1] = fits ? uvec2(id, part | parts << 16) : uvec2(0);
        if (!fits) parts = 1;
    }
    uint sure = atomicAdd(tile_slots[push.tile_slot].sure, 1);
    tiles[sure] = uvec2(id, parts << 16);
    // Workgroups loop over the rest.
    atomicMax(tile_slots[push.tile_slot].x, min(sure + min(more, push.most_more) + parts, 65535u));
}

void rasterize(uint place) {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0) lanes_found = 0;
    mat4x3 m = load_listed(place);
    uint index = head[LISTED_INDEX], counts = head[LISTED_COUNTS], count = counts >> 8;
    uint first_vertex = head[LISTED_FIRST_VERTEX], first_triangle = head[LISTED_FIRST_TRIANGLE];
    if (lane < (counts & 0xFFu)) {
        vec4 clip = clip_at(m, first_vertex, lane);
        corners_at[lane] = on_grid(clip);
        precise float depth = clip.z * (1.0 / clip.w);
        depths_at[lane] = depth;
    }
    barrier();
    ivec4 bounds;
    if (lane < count) {
        uint word = triangle_at(first_triangle + lane) & 0xFFFFFFu;
        uvec3 k = corners_of(word);
        ivec2 a = corners_at[k.x], b = corners_at[k.y], c = corners_at[k.z];
        uint way = way_of(a, b, c, bounds);
        if (a.x == OFF_GRID || b.x == OFF_GRID || c.x == OFF_GRID) {
            vec3 free_a = in_picture(clip_at(m, first_vertex, k.x)), free_b = in_picture(clip_at(m, first_vertex, k.y));
            vec3 free_c = in_picture(clip_at(m, first_vertex, k.z));
            bounds = free_bounds(free_a, free_b, free_c);
            bool is_seen = dot(free_a, normal_of(free_a, free_c, free_b)) > 0.0 && all(lessThanEqual(bounds.xy, bounds.zw));
            if (!is_seen) way = WAY_NONE;
        } else if (is_turned(a, b, c)) {
            way = WAY_NONE;
        }
        if (way == WAY_LANES) for_lanes[atomicAdd(lanes_found, 1)] = word | lane << 24;
        if (way == WAY_TILES) hand_on(visibility_of(index, lane), bounds);
        if (way == WAY_LANE) fill(word, bounds, ivec2(0), ivec2(1), visibility_of(index, lane));
    }
    barrier();
    for (uint i = lane / LANES; i < lanes_found; i += gl_WorkGroupSize.x / LANES) {
        uint word = for_lanes[i];
        uvec3 k = corners_of(word);
        way_of(corners_at[k.x], corners_at[k.y], corners_at[k.z], bounds);
        fill(word, bounds, ivec2(lane % 8, lane / 8 % 4), ivec2(8, 4), visibility_of(index, word >> 24));
    }
}

void main() {
    if (LOOPS == 0) {
        rasterize(gl_WorkGroupID.x);
    } else {
        for (uint i = gl_WorkGroupID.x; i < slots[push.slot].count; i += gl_NumWorkGroups.x) {
            rasterize(i);
            barrier();
        }
    }
}
