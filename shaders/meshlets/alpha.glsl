//! Alpha coverage of a surface in a pixel, from its visibility value alone, so that all paths agree, whatever they interpolate.
#include "include/material.glsl"
#include "meshlets/geometry.glsl"

layout(binding = 14, scalar) readonly buffer Materials { Material materials[]; };
layout(binding = 15, scalar) readonly buffer Textures { Texture textures[]; };
layout(binding = 16, scalar) readonly buffer Texels { uint texels[]; };
layout(binding = 17, scalar) readonly buffer SecondUvs { vec2 second_uvs[]; };
layout(constant_id = 3) const uint BY_SUN = 0;

Texture texture_at(uint i) { return textures[i]; }
uint texel_at(uint i) { return texels[i]; }
vec4 value_of(Texture t, uint bits) { return unpackUnorm4x8(bits); }
#include "include/texture.glsl"

const uint TAPS = 4;

/// Of the second and third corner. `place`: pixels from the corner; `origin`: first corner relative to the eye.
vec2 weights_at(vec2 place, vec3 origin, vec3 side1, vec3 side2) {
    vec2 clip = (place + shift) / vec2(size) * 2.0 - 1.0;
    vec3 aside = right * (clip.x / scale_x) + down * (clip.y / scale_y), ray = ahead;
    if (BY_SUN == 1) origin -= aside;
    else ray += aside;
    float facing = dot(ray, cross(side1, side2));
    return vec2(dot(ray, cross(side2, origin)), dot(ray, cross(origin, side1))) / (abs(facing) < 1e-30 ? 1e-30 : facing);
}

/// And the least visible alpha.
vec2 alpha_and_least(uint id, vec2 place) {
    MeshletInstance p = meshlet_instances[meshlet_instance_of(id)];
    uint first = meshlets[p.meshlet].first_vertex, material = instances[p.instance].material, flags = materials[material].flags;
    uvec3 corners = corners_of(triangles[meshlets[p.meshlet].first_triangle + triangle_of(id)]);
    uvec3 at_corner = uvec3(meshlet_vertices[first + corners.x], meshlet_vertices[first + corners.y], meshlet_vertices[first + corners.z]);
    mat4x3 m = instances[p.instance].world_from_mesh;
    mat3 turn = mat3(m[0], m[1], m[2]);
    vec3 p0 = vertices[at_corner.x].position;
    vec3 side1 = turn * (vertices[at_corner.y].position - p0), side2 = turn * (vertices[at_corner.z].position - p0);
    vec3 origin = turn * p0 + (m[3] - at);
    vec2 here = weights_at(place, origin, side1, side2);
    vec2 to_right = weights_at(place + vec2(1.0, 0.0), origin, side1, side2) - here;
    vec2 to_down = weights_at(place + vec2(0.0, 1.0), origin, side1, side2) - here;
    here = clamp(here, 0.0, 1.0);
    here /= max(here.x + here.y, 1.0);
    vec3 alphas = vec3(alpha_of(vertices[at_corner.x].tangent), alpha_of(vertices[at_corner.y].tangent), alpha_of(vertices[at_corner.z].tangent));
    float alpha = materials[material].base.a * dot(alphas, vec3(1.0 - here.x - here.y, here));
    uint texture_ = materials[material].textures[0];
    if (texture_ != NO_TEXTURE) {
        bool second = (flags >> SECOND_UV_BIT & 1u) != 0;
        vec2 by[3] = vec2[3](materials[material].uv[0], materials[material].uv[1], materials[material].uv[2]);
        vec2 uv0, uv1, uv2;
        if (second) {
            by = vec2[3](materials[material].uv2[0], materials[material].uv2[1], materials[material].uv2[2]);
            uv0 = second_uvs[at_corner.x];
            uv1 = second_uvs[at_corner.y];
            uv2 = second_uvs[at_corner.z];
        } else {
            uv0 = vertices[at_corner.x].uv;
            uv1 = vertices[at_corner.y].uv;
            uv2 = vertices[at_corner.z].uv;
        }
        mat2 turned = mat2(by[0], by[1]), sides = turned * mat2(uv1 - uv0, uv2 - uv0);
        alpha *= sampled(texture_, turned * uv0 + by[2] + sides * here, sides * to_right, sides * to_down, TAPS).a;
    }
    float least = (flags & COVER_BITS) == COVER_BLEND ? 1.0 / 255.0 : materials[material].cutoff;
    return (flags & WHOLE) != 0 ? vec2(1.0, 0.0) : vec2(alpha, least);
}

bool is_cut_out(uint id, vec2 place) {
    vec2 found = alpha_and_least(id, place);
    return found.x < found.y;
}
