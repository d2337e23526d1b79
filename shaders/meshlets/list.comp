#version 460
#extension GL_GOOGLE_include_directive : require
// variant: words TEXELS=0
// variant: texels TEXELS=1
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"
#include "meshlets/draw_list.glsl"

//! List of the triangles of the listed meshlet instances that may cover a pixel, with their corners: a workgroup for each instance, and
//! one atomic on memory. The rasterizer would discard every triangle that is left out.
//!
//! Few triangles are kept, so that corners are found once more for these, densely, rather than kept for all. What all lanes need is
//! fetched by a lane each and read from shared memory, outside of any branch: software drivers read and write lane by lane, but once
//! for all lanes where that is sure to be the same.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint CULL_BACK = 1;
/// 0: every triangle is listed.
layout(constant_id = 1) const uint CULL_TRIANGLES = 1;
/// 0: there are as many workgroups as instances.
layout(constant_id = 2) const uint LOOPS = 1;

struct Slot { uint x, y, z, count; };
struct Draw { uint vertices, instances, first_vertex, first_instance; };
layout(binding = 9, scalar) readonly buffer Work { uint tallies[8]; Slot slots[]; };
layout(binding = 10, scalar) readonly buffer Listed { uint listed[]; };
layout(binding = 11, scalar) buffer Draws { Draw draws[]; };
layout(binding = 12, scalar) writeonly buffer List { uint list[]; };
/// Three for each triangle, in clip space.
layout(binding = 13, scalar) writeonly buffer Corners { vec4 clips[]; };
layout(push_constant, scalar) uniform ListPush { uint slot; } push;

shared uint head[LISTED_WORDS];
shared float turn[12];
/// Corners of the triangles that are kept, 8 bits each, and their numbers from bit 24 on.
shared uint kept[MESHLET_TRIANGLES];
shared uint found, base;

/// A bound on how far the rasterizer's fixed-point positions are from ours, pixels. Its own step is 1/256.
const float ROUNDS = 1.0 / 128.0;
/// Triangles further out than this part of the picture are always listed: there the bound does not hold.
const float MARGIN = 0.125;

float cross_of(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

/// Bound on the rounding of the cross product of two sides, each between two rounded points.
float slack_of(vec2 a, vec2 b) { return 4.0 * ROUNDS * (abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y)) + 8.0 * ROUNDS * ROUNDS; }

/// Whether `p` may be in the triangle or on its edge, however its corners are rounded; `turns` is 1 or -1 as its area's sign.
bool may_hold(vec2 p, vec2 a, vec2 b, vec2 c, float turns) {
    vec2 ab = b - a, bc = c - b, ca = a - c, pa = p - a, pb = p - b, pc = p - c;
    return turns * cross_of(ab, pa) >= -slack_of(ab, pa) && turns * cross_of(bc, pb) >= -slack_of(bc, pb) &&
        turns * cross_of(ca, pc) >= -slack_of(ca, pc);
}

bool may_be_seen(vec4 p, vec4 q, vec4 r) {
    if (CULL_TRIANGLES == 0) return true;
    vec2 whole = vec2(size), most = (0.5 + MARGIN) * whole;
    // From the picture's middle, pixels; y points down.
    vec2 a = p.xy / p.w * 0.5 * whole, b = q.xy / q.w * 0.5 * whole, c = r.xy / r.w * 0.5 * whole;
    vec2 low = min(a, min(b, c)), high = max(a, max(b, c));
    bool is_plain = min(p.w, min(q.w, r.w)) > near * 1.0001 && all(greaterThan(low, -most)) && all(lessThan(high, most));
    // Counter-clockwise in the world is clockwise here.
    float area = cross_of(b - a, c - a), slack = slack_of(b - a, c - a);
    bool turned = CULL_BACK == 1 && area > slack;
    // First and last pixel whose centre is between.
    vec2 from = max(ceil(low - ROUNDS + 0.5 * whole - 0.5), vec2(0.0)), to = min(floor(high + ROUNDS + 0.5 * whole - 0.5), whole - 1.0);
    bool between = all(lessThanEqual(from, to));
    // Four such pixels at most are tested one by one.
    vec2 first = from + 0.5 - 0.5 * whole, last = to + 0.5 - 0.5 * whole;
    float turns = area > 0.0 ? 1.0 : -1.0;
    bool held = any(greaterThan(to - from, vec2(1.0))) || abs(area) <= slack || may_hold(first, a, b, c, turns) ||
        may_hold(last, a, b, c, turns) || may_hold(vec2(first.x, last.y), a, b, c, turns) || may_hold(vec2(last.x, first.y), a, b, c, turns);
    return !is_plain || !turned && between && held;
}

/// `corner`'s lowest 8 bits count from vertex `first` of the meshlets on.
vec4 corner_at(mat4x3 m, uint first, uint corner) { return clip_of(m, position_of(meshlet_vertex_at(first + (corner & 0xFFu)))); }

void list_triangles(uint place) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < LISTED_WORDS) head[lane] = listed[LISTED_WORDS * place + lane];
    if (lane == 0) found = 0;
    barrier();
    uint instance = head[LISTED_INSTANCE];
    if (lane < 12) turn[lane] = instances[instance].world_from_mesh[lane / 3][lane % 3];
    barrier();
    mat4x3 m = mat4x3(turn[0], turn[1], turn[2], turn[3], turn[4], turn[5], turn[6], turn[7], turn[8], turn[9], turn[10], turn[11]);
    uint index = head[LISTED_INDEX], count = head[LISTED_COUNTS] >> 8;
    uint first_vertex = head[LISTED_FIRST_VERTEX], first_triangle = head[LISTED_FIRST_TRIANGLE];
    for (uint part = 0; part < 2; part++) {
        // Lanes beyond the last triangle take that one again.
        uint t = lane + 64 * part, word = triangle_at(first_triangle + min(t, count - 1));
        bool seen = may_be_seen(corner_at(m, first_vertex, word), corner_at(m, first_vertex, word >> 8),
            corner_at(m, first_vertex, word >> 16));
        if (t < count && seen) kept[atomicAdd(found, 1)] = word & 0xFFFFFFu | t << 24;
    }
    barrier();
    uint vertices = 3 * found;
    if (lane == 0 && vertices > 0) base = atomicAdd(draws[push.slot].vertices, vertices);
    barrier();
    uint first = base;
    for (uint i = lane; i < vertices; i += 64) {
        uint k = kept[i / 3], which = i % 3;
        clips[first + i] = corner_at(m, first_vertex, k >> 8 * which);
        if (which == 0) list[(first + i) / 3] = visibility_of(index, k >> 24);
    }
}

void main() {
    if (LOOPS == 0) {
        list_triangles(gl_WorkGroupID.x);
    } else {
        for (uint i = gl_WorkGroupID.x; i < slots[push.slot].count; i += gl_NumWorkGroups.x) {
            list_triangles(i);
            // All is read before the next instance's takes its place.
            barrier();
        }
    }
}
