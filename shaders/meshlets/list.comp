#version 460
#extension GL_GOOGLE_include_directive : require
// variant: words TEXELS=0
// variant: texels TEXELS=1
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"
#include "meshlets/listed.glsl"

//! List of the triangles that may cover a pixel, with their corners: a workgroup for each listed meshlet instance, and
//! one atomic on memory. The rasterizer would discard every triangle that is left out.
//!
//! Few triangles are kept, so their corners are computed again, densely. Shared values are fetched by a lane each and
//! read from shared memory, outside of branches: software drivers read lane by lane, but once for all lanes where the
//! address is uniform.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint CULL_BACK = 1;
layout(constant_id = 1) const uint CULL_TRIANGLES = 1;
layout(constant_id = 2) const uint LOOPS = 1;

struct Draw { uint vertices, instances, first_vertex, first_instance; };
layout(binding = 11, scalar) buffer Draws { Draw draws[]; };
layout(binding = 12, scalar) writeonly buffer List { uint list[]; };
layout(binding = 13, scalar) writeonly buffer Corners { vec4 clips[]; };
layout(push_constant, scalar) uniform ListPush { uint slot; } push;

shared uint kept[MESHLET_TRIANGLES];
shared uint found, base;

/// Pixels between the rasterizer's positions and these. Its own step is 1/256.
const float ROUNDS = 1.0 / 128.0;
/// Further out the bound does not hold: triangles are always listed.
const float MARGIN = 0.125;

float cross_of(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

/// For the cross product of two sides between rounded points.
float slack_of(vec2 a, vec2 b) { return 4.0 * ROUNDS * (abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y)) + 8.0 * ROUNDS * ROUNDS; }

/// For any rounding of the corners; `turns`: sign of the area.
bool may_hold(vec2 p, vec2 a, vec2 b, vec2 c, float turns) {
    vec2 ab = b - a, bc = c - b, ca = a - c, pa = p - a, pb = p - b, pc = p - c;
    return turns * cross_of(ab, pa) >= -slack_of(ab, pa) && turns * cross_of(bc, pb) >= -slack_of(bc, pb) &&
        turns * cross_of(ca, pc) >= -slack_of(ca, pc);
}

bool may_be_seen(vec4 p, vec4 q, vec4 r) {
    if (CULL_TRIANGLES == 0) return true;
    vec2 whole = vec2(size), most = (0.5 + MARGIN) * whole;
    vec2 a = p.xy / p.w * 0.5 * whole, b = q.xy / q.w * 0.5 * whole, c = r.xy / r.w * 0.5 * whole;
    vec2 low = min(a, min(b, c)), high = max(a, max(b, c));
    bool is_plain = min(p.w, min(q.w, r.w)) > near * 1.0001 && all(greaterThan(low, -most)) && all(lessThan(high, most));
    float area = cross_of(b - a, c - a), slack = slack_of(b - a, c - a);
    bool turned = CULL_BACK == 1 && area > slack;
    vec2 from = max(ceil(low - ROUNDS + 0.5 * whole - 0.5), vec2(0.0)), to = min(floor(high + ROUNDS + 0.5 * whole - 0.5), whole - 1.0);
    bool between = all(lessThanEqual(from, to));
    vec2 first = from + 0.5 - 0.5 * whole, last = to + 0.5 - 0.5 * whole;
    float turns = area > 0.0 ? 1.0 : -1.0;
    bool held = any(greaterThan(to - from, vec2(1.0))) || abs(area) <= slack || may_hold(first, a, b, c, turns) ||
        may_hold(last, a, b, c, turns) || may_hold(vec2(first.x, last.y), a, b, c, turns) || may_hold(vec2(last.x, first.y), a, b, c, turns);
    return !is_plain || !turned && between && held;
}

void list_triangles(uint place) {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0) found = 0;
    mat4x3 m = load_listed(place);
    uint index = head[LISTED_INDEX], count = head[LISTED_COUNTS] >> 8;
    uint first_vertex = head[LISTED_FIRST_VERTEX], first_triangle = head[LISTED_FIRST_TRIANGLE];
    for (uint part = 0; part < 2; part++) {
        uint t = lane + 64 * part, word = triangle_at(first_triangle + min(t, count - 1));
        bool seen = may_be_seen(clip_at(m, first_vertex, word), clip_at(m, first_vertex, word >> 8),
            clip_at(m, first_vertex, word >> 16));
        if (t < count && seen) kept[atomicAdd(found, 1)] = word & 0xFFFFFFu | t << 24;
    }
    barrier();
    uint vertices = 3 * found;
    if (lane == 0 && vertices > 0) base = atomicAdd(draws[push.slot].vertices, vertices);
    barrier();
    uint first = base;
    for (uint i = lane; i < vertices; i += 64) {
        uint k = kept[i / 3], which = i % 3;
        clips[first + i] = clip_at(m, first_vertex, k >> 8 * which);
        if (which == 0) list[(first + i) / 3] = visibility_of(index, k >> 24);
    }
}

void main() {
    if (LOOPS == 0) {
        list_triangles(gl_WorkGroupID.x);
    } else {
        for (uint i = gl_WorkGroupID.x; i < slots[push.slot].count; i += gl_NumWorkGroups.x) {
            list_triangles(i);
            barrier();
        }
    }
}
