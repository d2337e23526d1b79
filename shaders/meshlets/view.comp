#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"
#include "meshlets/cover.glsl"

//! Views of the meshlets, in the order of src/techniques/meshlets/views.rs.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 13) uniform usampler2D ids;
layout(binding = 14) uniform sampler2D depth;
layout(binding = 15) uniform sampler2D layer;
layout(binding = 16, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform ViewPush {
    uint view;
    uint path;
} push;

const vec3 SKY = vec3(0.055, 0.065, 0.085);

uint id_at(ivec2 at) { return texelFetch(ids, min(at, ivec2(size) - 1), 0).x; }

vec3 colour_of(uint word) {
    word = (word ^ word >> 16) * 0x7FEB352Du;
    word = (word ^ word >> 15) * 0x846CA68Bu;
    word ^= word >> 16;
    vec3 pure = clamp(abs(fract(float(word & 0xFFFFu) / 65536.0 + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return mix(pure, vec3(1.0), 0.25 + 0.25 * float(word >> 16 & 0xFFu) / 255.0) * (0.75 + 0.25 * float(word >> 24) / 255.0);
}

float facing(uint id) {
    MeshletInstance p = meshlet_instances[meshlet_instance_of(id)];
    Meshlet m = meshlets[p.meshlet];
    uvec3 c = corners_of(triangles[m.first_triangle + triangle_of(id)]);
    vec3 at_corner[3];
    for (uint i = 0; i < 3; i++)
        at_corner[i] = world_of(instances[p.instance].world_from_mesh, vertices[meshlet_vertices[m.first_vertex + c[i]]].position);
    vec3 n = cross(at_corner[1] - at_corner[0], at_corner[2] - at_corner[0]), to_eye = at - (at_corner[0] + at_corner[1] + at_corner[2]) / 3.0;
    return abs(dot(n, to_eye)) * inversesqrt(max(dot(n, n) * dot(to_eye, to_eye), 1e-30));
}

float edge(ivec2 at, uint id) {
    uvec2 next = uvec2(id_at(at + ivec2(1, 0)), id_at(at + ivec2(0, 1)));
    if (any(notEqual(next >> TRIANGLE_BITS, uvec2(id >> TRIANGLE_BITS)))) return 0.45;
    return any(notEqual(next, uvec2(id))) ? 0.80 : 1.0;
}

uint drawn_by(uint id) {
    MeshletInstance p = meshlet_instances[meshlet_instance_of(id)];
    Meshlet m = meshlets[p.meshlet];
    uvec3 c = corners_of(triangles[m.first_triangle + triangle_of(id)]);
    ivec2 on[3];
    for (uint i = 0; i < 3; i++)
        on[i] = on_grid(clip_of(instances[p.instance].world_from_mesh, vertices[meshlet_vertices[m.first_vertex + c[i]]].position));
    ivec4 bounds;
    return push.path < 2 ? push.path : 1 + way_of(on[0], on[1], on[2], bounds);
}

vec3 ramp(float t, vec3 stops[4]) {
    float x = clamp(t, 0.0, 1.0) * 3.0;
    uint low = min(uint(x), 2u);
    return mix(stops[low], stops[low + 1], x - float(low));
}

vec3 drawn(ivec2 here, uint id, uint word) {
    return id == 0 ? SKY : colour_of(word) * (0.35 + 0.65 * facing(id)) * edge(here, id);
}

void main() {
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(here), size))) return;
    uint id = id_at(here);
    vec3 colour;
    switch (push.view) {
        case 0: colour = drawn(here, id, meshlet_key(id)); break;
        case 1: colour = drawn(here, id, id); break;
        case 2: {
            float far = log2(1.0 / max(texelFetch(depth, here, 0).x, 1e-9)) - 4.0;
            const vec3 stops[4] = vec3[4](vec3(1.0, 0.95, 0.75), vec3(0.93, 0.55, 0.28), vec3(0.48, 0.22, 0.47), vec3(0.08, 0.09, 0.25));
            colour = id == 0 ? vec3(0.0) : ramp(far / 7.0, stops);
            break;
        }
        case 3: {
            float fragments = texelFetch(layer, here, 0).x;
            const vec3 stops[4] = vec3[4](vec3(0.10, 0.20, 0.55), vec3(0.12, 0.62, 0.42), vec3(0.95, 0.80, 0.25), vec3(0.85, 0.15, 0.12));
            colour = fragments < 0.5 ? vec3(0.0) : ramp(log2(fragments) / 4.0, stops);
            break;
        }
        case 4: {
            vec4 over = texelFetch(layer, here, 0);
            vec3 under = id == 0 ? SKY : vec3(0.10 + 0.28 * facing(id)) * edge(here, id);
            colour = over.rgb + under * (1.0 - min(over.a, 1.0));
            break;
        }
        default: {
            const vec3 paths[5] = vec3[5](vec3(0.55, 0.60, 0.85), vec3(0.60, 0.60, 0.60), vec3(0.20, 0.72, 0.45), vec3(0.95, 0.78, 0.25), vec3(0.90, 0.33, 0.20));
            colour = id == 0 ? SKY : paths[min(drawn_by(id), 4u)] * (0.35 + 0.65 * facing(id)) * edge(here, id);
        }
    }
    imageStore(picture, here, vec4(colour, 1.0));
}
