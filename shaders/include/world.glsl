//! World in buffers, in the layout of src/scene/world/mod.rs: vertices, meshlets, instances, materials, the camera.
//! At most 2^25 - 2 meshlet instances.
#ifndef INCLUDE_WORLD
#define INCLUDE_WORLD

#include "include/visibility_id.glsl"

const uint MESHLET_VERTICES = 64;
const uint MESHLET_TRIANGLES = 124;

struct Vertex {
    vec3 position;
    uint normal;
    vec2 uv;
    /// With `alpha_of` for cut-out or blended materials. Lowest bit: the bitangent is cross(tangent, normal), else the
    /// opposite.
    uint tangent;
    /// 8 bits each: linear red, green, blue, and sky visibility in the highest byte.
    uint color;
};

struct Meshlet {
    vec3 center;
    float radius;
    /// Faces away from every eye with dot(center - eye, cone_axis) >= cone_cutoff * distance + radius.
    vec3 cone_axis;
    float cone_cutoff;
    uint first_vertex;
    uint first_triangle;
    uint vertices;
    uint triangles;
};

struct Instance {
    mat4x3 world_from_mesh;
    uint material;
    float scale;
};

struct MeshletInstance {
    uint instance;
    uint meshlet;
};

struct Camera {
    mat4 clip_from_world;
    mat4 world_from_clip;
    vec3 eye;
    /// Depth is near / (distance along the view): 1 at the near plane, 0 at infinity.
    float near;
    vec2 size;
    vec2 texel;
};

vec3 unit_from_octahedral(uint bits) {
    vec2 f = unpackSnorm2x16(bits);
    vec3 n = vec3(f, 1.0 - abs(f.x) - abs(f.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

uint octahedral_from_unit(vec3 d) {
    d /= abs(d.x) + abs(d.y) + abs(d.z);
    vec2 f = d.xy;
    if (d.z < 0.0) f = (1.0 - abs(d.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(d.xy, vec2(0.0)));
    return packSnorm2x16(f);
}

float alpha_of(uint tangent) { return float(tangent >> 1 & 7u | (tangent >> 16 & 31u) << 3) / 255.0; }

/// 8 bits each, indices of the meshlet's vertices.
uvec3 corners_of(uint triangle) { return uvec3(triangle, triangle >> 8, triangle >> 16) & 0xFFu; }

#endif
