//! Projection of the world's triangles: all paths take every position from here, so that they agree in every bit.
#include "include/world.glsl"

#if TEXELS
// Software drivers read a storage buffer lane by lane, and gather texels for all lanes at once.
layout(binding = 0) uniform usamplerBuffer vertices_texels;         // two of four words each
layout(binding = 1) uniform usamplerBuffer meshlet_vertices_texels; // a word
layout(binding = 2) uniform usamplerBuffer triangles_texels;        // a word
vec3 position_of(uint vertex) { return uintBitsToFloat(texelFetch(vertices_texels, int(2 * vertex)).xyz); }
uint meshlet_vertex_at(uint i) { return texelFetch(meshlet_vertices_texels, int(i)).r; }
uint triangle_at(uint i) { return texelFetch(triangles_texels, int(i)).r; }
#else
layout(binding = 0, scalar) readonly buffer Vertices { Vertex vertices[]; };
layout(binding = 1, scalar) readonly buffer MeshletVertices { uint meshlet_vertices[]; };
layout(binding = 2, scalar) readonly buffer Triangles { uint triangles[]; };
vec3 position_of(uint vertex) { return vertices[vertex].position; }
uint meshlet_vertex_at(uint i) { return meshlet_vertices[i]; }
uint triangle_at(uint i) { return triangles[i]; }
#endif
layout(binding = 3, scalar) readonly buffer Meshlets { Meshlet meshlets[]; };
layout(binding = 4, scalar) readonly buffer Instances { Instance instances[]; };
layout(binding = 5, scalar) readonly buffer MeshletInstances { MeshletInstance meshlet_instances[]; };
/// No branch may depend on this block alone: lavapipe would compile the shader again for each value.
layout(binding = 6, scalar) uniform Eye {
    mat4 clip_from_world;
    /// Left, right, top, bottom, near: inside is dot(plane, vec4(point, 1)) >= 0; normals of length 1.
    vec4 planes[5];
    vec3 right;
    float scale_x;
    vec3 down;
    float scale_y;
    vec3 ahead;
    float near;
    vec3 at;
    uint levels;
    uint level_first[16];
    uvec2 size;
    vec2 shift;
};

/// `precise` must hold for every product and sum.
vec3 world_of(mat4x3 m, vec3 p) {
    precise vec3 world = m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3];
    return world;
}

vec4 clip_of(mat4x3 m, vec3 p) {
    precise vec3 world = world_of(m, p);
    precise vec4 clip = clip_from_world[0] * world.x + clip_from_world[1] * world.y + clip_from_world[2] * world.z + clip_from_world[3];
    return clip;
}
