//! A listed meshlet instance for a whole workgroup: fetched by a lane each.
#include "meshlets/draw_list.glsl"

struct Slot { uint x, y, z, count; };
layout(binding = 9, scalar) readonly buffer Work { uint tallies[8]; Slot slots[]; };
layout(binding = 10, scalar) readonly buffer Listed { uint listed[]; };

shared uint head[LISTED_WORDS];
shared float turn[12];

mat4x3 load_listed(uint place) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < LISTED_WORDS) head[lane] = listed[LISTED_WORDS * place + lane];
    barrier();
    uint instance = head[LISTED_INSTANCE];
    if (lane < 12) turn[lane] = instances[instance].world_from_mesh[lane / 3][lane % 3];
    barrier();
    return mat4x3(turn[0], turn[1], turn[2], turn[3], turn[4], turn[5], turn[6], turn[7], turn[8], turn[9], turn[10], turn[11]);
}

vec4 clip_at(mat4x3 m, uint first, uint corner) { return clip_of(m, position_of(meshlet_vertex_at(first + (corner & 0xFFu)))); }
