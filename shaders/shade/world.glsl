//! Buffers of the world: geometry, instances, materials.
#ifndef SHADE_WORLD
#define SHADE_WORLD
#include "include/again.glsl"
#include "include/world.glsl"
#include "include/material.glsl"

layout(constant_id = 0) const uint KINDS = 0x400007FF; // kinds of material that the world has, a bit each, and more; code for others is left out
const bool ALIKE = (KINDS >> 31) != 0;
const bool LAMPS = (KINDS >> 30 & 1u) != 0;
#define TILED ((KINDS >> 29 & 1u) != 0)

struct Corner {
    vec3 position;
    uint normal;
};

#ifdef TEXELS
// Software drivers read a storage buffer lane by lane, and gather texels for all lanes at once.
layout(binding = 5) uniform usamplerBuffer vertices_texels;         // two of four words each
layout(binding = 6) uniform usamplerBuffer meshlet_vertices_texels; // a word
layout(binding = 7) uniform usamplerBuffer triangles_texels;        // a word
layout(binding = 8) uniform usamplerBuffer meshlets_texels;         // three of four words
layout(binding = 9) uniform usamplerBuffer instances_texels;        // seven of two words
layout(binding = 10) uniform usamplerBuffer meshlet_instances_texels; // one of two words
layout(binding = 11) uniform usamplerBuffer materials_texels;       // eleven of four words
layout(binding = 12) uniform usamplerBuffer textures_texels;        // three of two words
layout(binding = 32) uniform usamplerBuffer second_uvs_texels;      // a texel of two words
layout(binding = 13) uniform usamplerBuffer texels_texels;          // a word
layout(binding = 34) uniform usamplerBuffer paint_texels;           // a texel of four words

Vertex vertex_at(uint i) {
    uvec4 a = texelFetch(vertices_texels, int(2 * i)), b = texelFetch(vertices_texels, int(2 * i + 1));
    return Vertex(uintBitsToFloat(a.xyz), a.w, uintBitsToFloat(b.xy), b.z, b.w);
}
Corner corner_at(uint i) {
    uvec4 a = texelFetch(vertices_texels, int(2 * i));
    return Corner(uintBitsToFloat(a.xyz), a.w);
}
float scale_at(uint i) { return uintBitsToFloat(texelFetch(instances_texels, int(7 * i) + 6).y); }
uint color_at(uint i) { return texelFetch(vertices_texels, int(2 * i + 1)).w; }
uint meshlet_vertex_at(uint i) { return texelFetch(meshlet_vertices_texels, int(i)).r; }
uint triangle_at(uint i) { return texelFetch(triangles_texels, int(i)).r; }
uvec2 firsts_of(uint meshlet) { return texelFetch(meshlets_texels, int(3 * meshlet + 2)).xy; }
MeshletInstance meshlet_instance_at(uint i) {
    uvec2 a = texelFetch(meshlet_instances_texels, int(i)).xy;
    return MeshletInstance(a.x, a.y);
}
vec2 instance_words(uint i, int k) { return uintBitsToFloat(texelFetch(instances_texels, int(7 * i) + k).xy); }
Instance instance_at(uint i) {
    vec2 a = instance_words(i, 0), b = instance_words(i, 1), c = instance_words(i, 2), d = instance_words(i, 3),
         e = instance_words(i, 4), f = instance_words(i, 5), g = instance_words(i, 6);
    return Instance(mat4x3(vec3(a, b.x), vec3(b.y, c), vec3(d, e.x), vec3(e.y, f)), floatBitsToUint(g.x), g.y);
}
uint material_of(uint instance) { return texelFetch(instances_texels, int(7 * instance + 6)).x; }
Material material_at(uint i) {
    int at = int(11 * i);
    uvec4 a = texelFetch(materials_texels, at), b = texelFetch(materials_texels, at + 1), c = texelFetch(materials_texels, at + 2),
          d = texelFetch(materials_texels, at + 3), e = texelFetch(materials_texels, at + 4), f = texelFetch(materials_texels, at + 5),
          g = texelFetch(materials_texels, at + 6), h = texelFetch(materials_texels, at + 7), j = texelFetch(materials_texels, at + 8),
          k = texelFetch(materials_texels, at + 9), l = texelFetch(materials_texels, at + 10);
    Material m;
    m.base = uintBitsToFloat(a);
    m.emissive = uintBitsToFloat(b.xyz);
    m.metallic = uintBitsToFloat(b.w);
    m.roughness = uintBitsToFloat(c.x);
    m.normal_scale = uintBitsToFloat(c.y);
    m.kind = c.z;
    m.textures = uint[4](c.w, d.x, d.y, d.z);
    m.uv = vec2[3](uintBitsToFloat(uvec2(d.w, e.x)), uintBitsToFloat(e.yz), uintBitsToFloat(uvec2(e.w, f.x)));
    m.second = uintBitsToFloat(f.yzw);
    m.parameters = uintBitsToFloat(g);
    m.dielectric = uintBitsToFloat(h.xyz);
    m.flags = h.w;
    m.film = uintBitsToFloat(j.xyz);
    m.cutoff = uintBitsToFloat(j.w);
    m.uv2 = vec2[3](uintBitsToFloat(k.xy), uintBitsToFloat(k.zw), uintBitsToFloat(l.xy));
    m.paint = l.z;
    m.spare = 0.0;
    return m;
}
float normal_scale_at(uint i) { return uintBitsToFloat(texelFetch(materials_texels, int(11 * i + 2)).y); }
Slots slots_at(uint i) {
    Material m = material_at(i);
    return Slots(m.textures, m.uv, m.paint);
}
uint kind_at(uint material) { return texelFetch(materials_texels, int(11 * material + 2)).z; }
vec2 second_uv_at(uint vertex) { return uintBitsToFloat(texelFetch(second_uvs_texels, int(vertex)).xy); }
Texture texture_at(uint i) {
    uvec2 a = texelFetch(textures_texels, int(3 * i)).xy, b = texelFetch(textures_texels, int(3 * i + 1)).xy,
          c = texelFetch(textures_texels, int(3 * i + 2)).xy;
    return Texture(a.x, a.y, b.x, b.y, c.x, c.y);
}
uint texel_at(uint i) { return texelFetch(texels_texels, int(i)).r; }
uvec4 paint_at(uint i) { return texelFetch(paint_texels, int(i)); }
#else
layout(binding = 5, scalar) readonly buffer Vertices { Vertex vertices[]; };
layout(binding = 6, scalar) readonly buffer MeshletVertices { uint meshlet_vertices[]; };
layout(binding = 7, scalar) readonly buffer Triangles { uint triangles[]; };
layout(binding = 8, scalar) readonly buffer Meshlets { Meshlet meshlets[]; };
layout(binding = 9, scalar) readonly buffer Instances { Instance instances[]; };
layout(binding = 10, scalar) readonly buffer MeshletInstances { MeshletInstance meshlet_instances[]; };
layout(binding = 11, scalar) readonly buffer Materials { Material materials[]; };
layout(binding = 12, scalar) readonly buffer Textures { Texture textures[]; };
layout(binding = 13, scalar) readonly buffer Texels { uint texels[]; };
layout(binding = 32, scalar) readonly buffer SecondUvs { vec2 second_uvs[]; };
layout(binding = 34, scalar) readonly buffer PaintTexels { uvec4 paint_texels[]; };

Vertex vertex_at(uint i) { return vertices[i]; }
Corner corner_at(uint i) { return Corner(vertices[i].position, vertices[i].normal); }
float scale_at(uint i) { return instances[i].scale; }
uint color_at(uint i) { return vertices[i].color; }
uint meshlet_vertex_at(uint i) { return meshlet_vertices[i]; }
uint triangle_at(uint i) { return triangles[i]; }
uvec2 firsts_of(uint meshlet) { return uvec2(meshlets[meshlet].first_vertex, meshlets[meshlet].first_triangle); }
MeshletInstance meshlet_instance_at(uint i) { return meshlet_instances[i]; }
Instance instance_at(uint i) { return instances[i]; }
uint material_of(uint instance) { return instances[instance].material; }
Material material_at(uint i) { return materials[i]; }
float normal_scale_at(uint i) { return materials[i].normal_scale; }
Slots slots_at(uint i) { return Slots(materials[i].textures, materials[i].uv, materials[i].paint); }
uint kind_at(uint material) { return materials[material].kind; }
vec2 second_uv_at(uint vertex) { return second_uvs[vertex]; }
Texture texture_at(uint i) { return textures[i]; }
uint texel_at(uint i) { return texels[i]; }
uvec4 paint_at(uint i) { return paint_texels[i]; }
#endif

#endif
