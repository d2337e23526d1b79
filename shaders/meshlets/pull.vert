#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "meshlets/geometry.glsl"

// Three vertices for each listed triangle, found by their number.
layout(binding = 12, scalar) readonly buffer List { uint list[]; };
layout(location = 0) flat out uint id;
invariant gl_Position;

void main() {
    id = list[gl_VertexIndex / 3];
    Placed p = placed[placed_of(id)];
    Meshlet m = meshlets[p.meshlet];
    uint corner = corners_of(triangles[m.first_triangle + triangle_of(id)])[gl_VertexIndex % 3];
    vec3 position = vertices[meshlet_vertices[m.first_vertex + corner]].position;
    gl_Position = clip_of(instances[p.instance].world_from_mesh, position);
}
