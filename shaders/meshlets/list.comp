#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"
#include "meshlets/listed.glsl"

// Lists the triangles of the listed meshlet instances that may cover a pixel, with their corners: a workgroup for each instance, and
// one atomic on memory. What is left out the rasterizer would have left out too.
//
// What all lanes need is fetched by a lane each and read from shared memory, outside of any branch: software drivers read and write
// lane by lane, but once for all lanes where that is sure to be the same. Only what is kept is copied, densely.
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
shared vec4 clip[MESHLET_VERTICES];
/// Where vertices fall: x, and y from bit 16 on, in steps of `step_px` from the corner of a margin around the picture.
shared uint corner[MESHLET_VERTICES];
/// Corners of the triangles that are kept, 8 bits each, and their numbers from bit 24 on.
shared uint kept[MESHLET_TRIANGLES];
shared uint found, base;

/// A bound on how far the rasterizer's fixed-point positions are from ours, pixels. Its own step is 1/256.
const float ROUNDS = 1.0 / 128.0;
/// Width of the margin, and steps across picture and margins, in parts of the picture.
const float MARGIN = 0.125, STEPS = 65535.0 / (1.0 + 2.0 * MARGIN);
/// Beyond the margin, or not well before the near plane.
const uint NOWHERE = ~0u;

uint place_of(vec4 c) {
    vec2 at = (c.xy / c.w * 0.5 + (0.5 + MARGIN)) * STEPS;
    bool here = c.w > near * 1.0001 && all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(65534.0)));
    return here ? uint(at.x + 0.5) | uint(at.y + 0.5) << 16 : NOWHERE;
}

bool may_be_seen(uvec3 c) {
    uint p = corner[c.x], q = corner[c.y], r = corner[c.z];
    if (CULL_TRIANGLES == 0 || p == NOWHERE || q == NOWHERE || r == NOWHERE) return true;
    vec2 step_px = vec2(size) / STEPS;
    // The rasterizer's rounding, and ours.
    float rounds = ROUNDS + 0.51 * max(step_px.x, step_px.y);
    vec2 o = vec2(p & 0xFFFFu, p >> 16), a = (vec2(q & 0xFFFFu, q >> 16) - o) * step_px, b = (vec2(r & 0xFFFFu, r >> 16) - o) * step_px;
    // y points down: what is counter-clockwise in the world turns the other way here.
    float area = a.x * b.y - a.y * b.x;
    float slack = 4.0 * rounds * (abs(a.x) + abs(a.y) + abs(b.x) + abs(b.y)) + 8.0 * rounds * rounds;
    bool turned = CULL_BACK == 1 && area > slack;
    o = o * step_px - MARGIN * vec2(size);
    vec2 low = o + min(min(a, b), vec2(0.0)) - rounds, high = o + max(max(a, b), vec2(0.0)) + rounds;
    // First and last pixel whose centre lies between.
    vec2 from = max(ceil(low - 0.5), vec2(0.0)), to = min(floor(high - 0.5), vec2(size) - 1.0);
    return !turned && all(lessThanEqual(from, to));
}

void list_triangles(uint place) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < LISTED_WORDS) head[lane] = listed[LISTED_WORDS * place + lane];
    if (lane == 0) found = 0;
    barrier();
    uint instance = head[LISTED_INSTANCE];
    if (lane < 12) turn[lane] = instances[instance].world_from_mesh[lane / 3][lane % 3];
    barrier();
    mat4x3 m = mat4x3(turn[0], turn[1], turn[2], turn[3], turn[4], turn[5], turn[6], turn[7], turn[8], turn[9], turn[10], turn[11]);
    uint index = head[LISTED_INDEX], counts = head[LISTED_COUNTS], last = (counts & 0xFFu) - 1, count = counts >> 8;
    // Lanes beyond the last vertex take that one again.
    vec4 c = clip_of(m, vertices[meshlet_vertices[head[LISTED_FIRST_VERTEX] + min(lane, last)]].position);
    clip[lane] = c;
    corner[lane] = place_of(c);
    barrier();
    for (uint part = 0; part < 2; part++) {
        uint t = lane + 64 * part, word = triangles[head[LISTED_FIRST_TRIANGLE] + min(t, count - 1)];
        if (t < count && may_be_seen(corners_of(word))) kept[atomicAdd(found, 1)] = word & 0xFFFFFFu | t << 24;
    }
    barrier();
    uint vertices = 3 * found;
    if (lane == 0 && vertices > 0) base = atomicAdd(draws[push.slot].vertices, vertices);
    barrier();
    uint first = base;
    for (uint i = lane; i < vertices; i += 64) {
        uint k = kept[i / 3], which = i % 3;
        clips[first + i] = clip[k >> 8 * which & 0xFFu];
        if (which == 0) list[(first + i) / 3] = visibility_of(index, k >> 24);
    }
}

void main() {
    if (LOOPS == 0) {
        list_triangles(gl_WorkGroupID.x);
    } else {
        for (uint i = gl_WorkGroupID.x; i < slots[push.slot].count; i += gl_NumWorkGroups.x) {
            list_triangles(i);
            // The corners are read before the next instance's take their places.
            barrier();
        }
    }
}
