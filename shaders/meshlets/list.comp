#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"

// Lists the triangles of the listed meshlet instances that may cover a pixel, with their corners: a workgroup for each instance, and
// one atomic on memory. What is left out the rasterizer would have left out too.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint CULL_BACK = 1;
/// 0: every triangle is listed.
layout(constant_id = 1) const uint CULL_TRIANGLES = 1;

struct Slot { uint x, y, z, count; };
struct Draw { uint vertices, instances, first_vertex, first_instance; };
layout(binding = 9, scalar) readonly buffer Work { uint tallies[8]; Slot slots[]; };
layout(binding = 10, scalar) readonly buffer Listed { uint listed[]; };
layout(binding = 11, scalar) buffer Draws { Draw draws[]; };
layout(binding = 12, scalar) writeonly buffer List { uint list[]; };
/// Three for each triangle, in clip space.
layout(binding = 13, scalar) writeonly buffer Corners { vec4 clips[]; };
layout(push_constant, scalar) uniform ListPush { uint slot; } push;

shared vec4 clip[MESHLET_VERTICES];
/// x and y in pixels; z is 0 where the vertex is not well before the near plane.
shared vec3 corner[MESHLET_VERTICES];
shared uint found, base;

/// A bound on how far the rasterizer's fixed-point positions are from these, pixels. Its own step is 1/256.
const float ROUNDS = 1.0 / 128.0;
/// Beyond it floats are coarser than that.
const float FAR_OUT = 8192.0;

vec3 pixel_of(vec4 c) {
    vec2 at = (c.xy / c.w * 0.5 + 0.5) * vec2(size);
    return vec3(at, c.w > near * 1.0001 && all(lessThan(abs(at), vec2(FAR_OUT))) ? 1.0 : 0.0);
}

bool may_be_seen(uvec3 c) {
    vec3 p = corner[c.x], q = corner[c.y], r = corner[c.z];
    if (CULL_TRIANGLES == 0 || p.z * q.z * r.z == 0.0) return true;
    vec2 a = q.xy - p.xy, b = r.xy - p.xy;
    // y points down: what is counter-clockwise in the world turns the other way here.
    float turn = a.x * b.y - a.y * b.x;
    float slack = 4.0 * ROUNDS * (abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y)) + 8.0 * ROUNDS * ROUNDS;
    if (CULL_BACK == 1 && turn > slack) return false;
    vec2 low = min(min(p.xy, q.xy), r.xy) - ROUNDS, high = max(max(p.xy, q.xy), r.xy) + ROUNDS;
    // First and last pixel whose centre lies between.
    vec2 from = max(ceil(low - 0.5), vec2(0.0)), to = min(floor(high - 0.5), vec2(size) - 1.0);
    return all(lessThanEqual(from, to));
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    for (uint i = gl_WorkGroupID.x; i < slots[push.slot].count; i += gl_NumWorkGroups.x) {
        uint index = listed[i];
        Placed p = placed[index];
        Meshlet m = meshlets[p.meshlet];
        if (lane == 0) found = 0;
        if (lane < m.vertices) {
            vec3 position = vertices[meshlet_vertices[m.first_vertex + lane]].position;
            clip[lane] = clip_of(instances[p.instance].world_from_mesh, position);
            corner[lane] = pixel_of(clip[lane]);
        }
        barrier();
        uint places[2];
        uvec3 triples[2];
        for (uint part = 0; part < 2; part++) {
            uint t = lane + 64 * part;
            triples[part] = corners_of(triangles[m.first_triangle + min(t, m.triangles - 1)]);
            bool kept = t < m.triangles && may_be_seen(triples[part]);
            places[part] = kept ? atomicAdd(found, 1) : ~0u;
        }
        barrier();
        if (lane == 0 && found > 0) base = atomicAdd(draws[push.slot].vertices, found * 3) / 3;
        barrier();
        for (uint part = 0; part < 2; part++) {
            if (places[part] == ~0u) continue;
            uint place = base + places[part];
            list[place] = visibility_of(index, lane + 64 * part);
            for (uint i = 0; i < 3; i++) clips[3 * place + i] = clip[triples[part][i]];
        }
        // The corners are read before the next instance's take their places.
        barrier();
    }
}
