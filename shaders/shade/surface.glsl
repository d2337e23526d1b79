//! Surface point of a visibility value: the pixel's ray against the triangle's plane gives perspective-correct barycentric coordinates
//! (also if a corner is behind the eye), and their screen derivatives (after Burns and Hunt, "The Visibility Buffer", 2013; Schied and
//! Dachsbacher, "Deferred Attribute Interpolation for Memory-Efficient Deferred Shading", 2015).
#ifndef SHADE_SURFACE
#define SHADE_SURFACE
#include "include/world.glsl"
#include "include/material.glsl"
#include "shade/scene.glsl"
#include "shade/world.glsl"

struct Surface {
    vec3 position; // in the world
    vec3 view;     // towards the eye
    float distance;
    vec3 face;   // normal of the triangle
    vec3 normal; // interpolated
    float side;  // -1: seen from behind
    vec3 color;
    float sky;
    float footprint; // metres of the surface along a pixel, the longer way
    float bend;      // how far the normal turns within a pixel, squared
    vec3 corner;     // barycentric
    vec2 corner_right, corner_down; // how its second and third number change
    uvec3 vertices;
    uint material;
    uint instance;
};

mat3 turn_of(uint instance) {
    mat4x3 world_from_mesh = instance_at(instance).world_from_mesh;
    return mat3(world_from_mesh[0], world_from_mesh[1], world_from_mesh[2]);
}

vec4 color_of(uvec3 vertices, vec3 corner) {
    vec4 first = unpackUnorm4x8(color_at(vertices.x)), second = unpackUnorm4x8(color_at(vertices.y)), third = unpackUnorm4x8(color_at(vertices.z));
    return corner.x * first + corner.y * second + corner.z * third;
}

/// From one pixel to the next.
Surface surface_on_ray(uint visibility, vec3 eye, vec3 ray, vec3 ray_right, vec3 ray_down) {
    MeshletInstance place = meshlet_instance_at(meshlet_instance_of(visibility));
    Instance instance = instance_at(place.instance);
    uvec2 first = firsts_of(place.meshlet);
    uvec3 corners = corners_of(triangle_at(first.y + triangle_of(visibility)));
    Surface s;
    s.vertices = uvec3(meshlet_vertex_at(first.x + corners.x), meshlet_vertex_at(first.x + corners.y), meshlet_vertex_at(first.x + corners.z));
    Corner v0 = corner_at(s.vertices.x), v1 = corner_at(s.vertices.y), v2 = corner_at(s.vertices.z);
    mat3 turn = mat3(instance.world_from_mesh[0], instance.world_from_mesh[1], instance.world_from_mesh[2]);

    vec3 side1 = turn * (v1.position - v0.position), side2 = turn * (v2.position - v0.position);
    vec3 origin = turn * v0.position + (instance.world_from_mesh[3] - eye);
    vec3 plane = cross(side1, side2), by1 = cross(side2, origin), by2 = cross(origin, side1);
    float facing = dot(ray, plane);
    float inverse = 1.0 / (abs(facing) < 1e-30 ? 1e-30 : facing);
    vec2 b = clamp(vec2(dot(ray, by1), dot(ray, by2)) * inverse, 0.0, 1.0);
    b /= max(b.x + b.y, 1.0);
    vec2 b_right = (vec2(dot(ray_right, by1), dot(ray_right, by2)) - b * dot(ray_right, plane)) * inverse;
    vec2 b_down = (vec2(dot(ray_down, by1), dot(ray_down, by2)) - b * dot(ray_down, plane)) * inverse;

    s.corner = vec3(1.0 - b.x - b.y, b);
    s.corner_right = b_right;
    s.corner_down = b_down;
    vec3 relative = origin + b.x * side1 + b.y * side2;
    s.position = eye + relative;
    s.distance = length(relative);
    s.view = -relative / max(s.distance, 1e-6);
    vec3 right = b_right.x * side1 + b_right.y * side2, down = b_down.x * side1 + b_down.y * side2;
    s.footprint = sqrt(max(dot(right, right), dot(down, down)));
    turn = turn_of(place.instance + AGAIN);
    mat3 upright = mat3(cross(turn[1], turn[2]), cross(turn[2], turn[0]), cross(turn[0], turn[1]));
    vec3 n0 = unit_from_octahedral(v0.normal), n1 = unit_from_octahedral(v1.normal), n2 = unit_from_octahedral(v2.normal);
    s.normal = normalize(upright * (s.corner.x * n0 + s.corner.y * n1 + s.corner.z * n2));
    vec3 bend_right = b_right.x * (n1 - n0) + b_right.y * (n2 - n0), bend_down = b_down.x * (n1 - n0) + b_down.y * (n2 - n0);
    s.bend = min(dot(bend_right, bend_right) + dot(bend_down, bend_down), 1.0);
    s.face = normalize(plane);
    float side = dot(s.face, s.view) < 0.0 ? -1.0 : 1.0;
    s.side = side;
    s.face *= side;
    s.normal *= side;
    // A normal that faces away at a silhouette becomes grazing.
    s.normal = normalize(s.normal + max(0.02 - dot(s.normal, s.view), 0.0) * s.view);
    vec4 color = color_of(s.vertices, s.corner);
    s.color = color.rgb;
    s.sky = color.a;
    s.material = instance.material;
    s.instance = place.instance;
    return s;
}

// Inputs of few kinds are read again: kept, they take a fifth of the registers.

vec3 axis_of(Surface s) { return normalize(turn_of(s.instance - AGAIN)[1]); }

vec3 tangent_of(Surface s, out float handed) {
    mat3 turn = turn_of(s.instance - AGAIN);
    uint bits = vertex_at(s.vertices.x + AGAIN).tangent;
    vec3 tangent = turn * unit_from_octahedral(bits & ~1u);
    if (abs(dot(tangent, s.normal)) > 0.999 * length(tangent)) tangent = abs(s.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    uint second = vertex_at(s.vertices.y + AGAIN).tangent, third = vertex_at(s.vertices.z + AGAIN).tangent;
    tangent = s.corner.x * tangent + turn * (s.corner.y * unit_from_octahedral(second & ~1u) + s.corner.z * unit_from_octahedral(third & ~1u));
    tangent -= s.normal * dot(tangent, s.normal);
    handed = (bits & 1u) != 0 ? -s.side : s.side;
    return tangent * inversesqrt(max(dot(tangent, tangent), 1e-12));
}

vec3 pattern_of(Surface s) {
    vec3 first = corner_at(s.vertices.x + AGAIN).position, second = corner_at(s.vertices.y + AGAIN).position,
         third = corner_at(s.vertices.z + AGAIN).position;
    return (first + s.corner.y * (second - first) + s.corner.z * (third - first)) * scale_at(s.instance + AGAIN);
}

float alpha_at(Surface s) {
    uvec3 tangents = uvec3(vertex_at(s.vertices.x).tangent, vertex_at(s.vertices.y).tangent, vertex_at(s.vertices.z).tangent);
    return dot(s.corner, vec3(alpha_of(tangents.x), alpha_of(tangents.y), alpha_of(tangents.z)));
}

Surface surface_at(uint visibility, vec2 at) {
    return surface_on_ray(visibility, scene.eye, ray_of(at), scene.ray_right * scene.detail, scene.ray_down * scene.detail);
}

#endif
