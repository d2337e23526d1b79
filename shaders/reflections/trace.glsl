//! Nearest triangle on a ray through one or two levels of compressed wide nodes (Ylitie, Karras and Laine, "Efficient
//! Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017), laid out by
//! src/techniques/reflections/bvh.rs.
#ifndef REFLECTIONS_TRACE
#define REFLECTIONS_TRACE
#include "include/again.glsl"

struct Placing {
    mat4x3 mesh_from_world;
    uint root;  // of its mesh, in Nodes
    uint first; // visibility value of its first meshlet's first triangle
};

#ifdef HARDWARE
layout(binding = 24) uniform accelerationStructureEXT placed_meshes;
#endif

// Five words of 16 bytes a node; three corners a leaf, and an offset of the visibility value.
#ifdef TEXELS
// Software drivers read a storage buffer lane by lane, and gather texels for all lanes at once.
#ifndef HARDWARE
layout(binding = 24) uniform usamplerBuffer nodes_texels;    // words of 16 bytes
uvec4 node_at(uint i) { return texelFetch(nodes_texels, int(i)); }
#endif
layout(binding = 25) uniform usamplerBuffer leaves_texels;   // the same
layout(binding = 26) uniform usamplerBuffer placings_texels; // seven of two words each

uvec4 leaf_at(uint i) { return texelFetch(leaves_texels, int(i)); }
vec2 placing_words(uint i, int k) { return uintBitsToFloat(texelFetch(placings_texels, int(7 * i) + k).xy); }
Placing placing_at(uint i) {
    vec2 a = placing_words(i, 0), b = placing_words(i, 1), c = placing_words(i, 2), d = placing_words(i, 3), e = placing_words(i, 4),
         f = placing_words(i, 5), g = placing_words(i, 6);
    return Placing(mat4x3(vec3(a, b.x), vec3(b.y, c), vec3(d, e.x), vec3(e.y, f)), floatBitsToUint(g.x), floatBitsToUint(g.y));
}
#else
#ifndef HARDWARE
layout(binding = 24, scalar) readonly buffer Nodes { uvec4 nodes[]; };
uvec4 node_at(uint i) { return nodes[i]; }
#endif
layout(binding = 25, scalar) readonly buffer Leaves { uvec4 leaves[]; };
layout(binding = 26, scalar) readonly buffer Placings { Placing placings[]; };

uvec4 leaf_at(uint i) { return leaves[i]; }
Placing placing_at(uint i) { return placings[i]; }
#endif

layout(constant_id = 4) const uint STACK = 32;   // entries, by how deep the hierarchy is
layout(constant_id = 5) const uint ONE_LOOP = 0; // which form the traversal has
layout(constant_id = 7) const uint FLAT = 0;     // one level, whose leaves are in the world
const float FAR = 1e30;

struct Hit {
    float t;         // lengths of the ray's direction
    uint visibility; // 0: nothing
};

/// As passed to `meet`; only with one level.
uint last_id;

struct Prepared {
    vec3 origin;
    vec3 direction;
    vec3 inverse;
    uint octant; // of children, for the order in which they are visited
    uint axis;   // along which the direction is longest
    vec3 shear;
};

/// The longest axis comes last.
vec3 turned(vec3 v, uint axis) { return axis == 0 ? v.yzx : axis == 1 ? v.zxy : v; }

Prepared prepared(vec3 origin, vec3 direction) {
    Prepared r;
    r.origin = origin;
    r.direction = direction;
    vec3 far_from_zero = mix(direction, mix(vec3(-1e-20), vec3(1e-20), greaterThanEqual(direction, vec3(0.0))), lessThan(abs(direction), vec3(1e-20)));
    r.inverse = 1.0 / far_from_zero;
    uvec3 up = mix(uvec3(0), uvec3(0x04040404u, 0x02020202u, 0x01010101u), greaterThanEqual(direction, vec3(0.0)));
    r.octant = up.x | up.y | up.z;
    vec3 size = abs(direction);
    r.axis = size.x > size.y ? (size.x > size.z ? 0u : 2u) : (size.y > size.z ? 1u : 2u);
    vec3 d = turned(direction, r.axis);
    precise vec3 shear = vec3(d.x / d.z, d.y / d.z, 1.0 / d.z);
    r.shear = shear;
    return r;
}

uint visibility_of(uint id) { return FLAT == 0 || id == 0 ? id : leaf_at(3 * (id - 1)).w; }

bool precedes(uint first, uint second) { return second != 0 && visibility_of(first) < visibility_of(second); }

/// Watertight (Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013), front faces only. Of two hits at
/// the same distance the smaller visibility value wins. `id`: the visibility value, with one level the leaf's number
/// plus 1.
void meet(Prepared r, vec3 v0, vec3 v1, vec3 v2, uint id, inout Hit best) {
    precise vec3 a = turned(v0 - r.origin, r.axis), b = turned(v1 - r.origin, r.axis), c = turned(v2 - r.origin, r.axis);
    precise vec2 p = a.xy - r.shear.xy * a.z, q = b.xy - r.shear.xy * b.z, s = c.xy - r.shear.xy * c.z;
    precise float u = s.x * q.y - s.y * q.x, v = p.x * s.y - p.y * s.x, w = q.x * p.y - q.y * p.x;
    precise float sum = u + v + w;
    precise float t = (u * a.z + v * b.z + w * c.z) * r.shear.z / sum;
    float side = r.shear.z < 0.0 ? -1.0 : 1.0;
    bool inside = min(u * side, min(v * side, w * side)) >= 0.0;
    bool nearer = t < best.t || t == best.t && precedes(id, best.visibility);
    bool is_hit = inside && sum * side > 0.0 && t >= 0.0 && nearer;
    best.t = is_hit ? t : best.t;
    best.visibility = is_hit ? id : best.visibility;
}

#ifdef HARDWARE
Hit traced(vec3 origin, vec3 direction, inout uint visits) {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, placed_meshes, gl_RayFlagsOpaqueEXT | gl_RayFlagsCullBackFacingTrianglesEXT, 0xFF, origin, 0.0, direction, FAR);
    while (rayQueryProceedEXT(query)) {}
    if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT) return Hit(FAR, 0);
    // A structure's triangles are its mesh's leaves in order.
    uint leaf = uint(rayQueryGetIntersectionInstanceCustomIndexEXT(query, true) + rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
    uint first = placing_at(uint(rayQueryGetIntersectionInstanceIdEXT(query, true))).first;
    return Hit(rayQueryGetIntersectionTEXT(query, true), first + leaf_at(3 * leaf).w);
}
#else
float byte_of(uint word, uint at) { return float(word >> 8 * at & 255u); }

/// Inner children in the highest 8 bits, in the order of visits, triangles of leaves in the others.
uint children_met(uint node, Prepared r, float nearest) {
    uvec4 head = node_at(node), middle = node_at(node + 1), xs = node_at(node + 2), ys = node_at(node + 3), zs = node_at(node + 4);
    vec3 unit = uintBitsToFloat((uvec3(head.w, head.w >> 8, head.w >> 16) & 255u) << 23);
    vec3 across = unit * r.inverse, from = (uintBitsToFloat(head.xyz) - r.origin) * r.inverse;
    // From the largest addends.
    vec3 slack = 5e-7 * (abs(from) + 255.0 * abs(across));
    vec3 enter = from - slack, leave = from + slack;
    bvec3 back = lessThan(r.direction, vec3(0.0));
    uint met = 0;
    for (uint half_ = 0; half_ < 2; half_++) {
        uint meta = half_ == 0 ? middle.z : middle.w;
        uint inner = meta & (meta << 1) & 0x10101010u, inner_mask = (inner >> 4) * 0xFFu;
        uint index = (meta ^ (r.octant & inner_mask)) & 0x1F1F1F1Fu, bits = meta >> 5 & 0x07070707u;
        uvec3 low = uvec3(xs[half_], ys[half_], zs[half_]), high = uvec3(xs[half_ + 2], ys[half_ + 2], zs[half_ + 2]);
        uvec3 near_ = mix(low, high, back), far_ = mix(high, low, back);
        for (uint i = 0; i < 4; i++) {
            vec3 first = vec3(byte_of(near_.x, i), byte_of(near_.y, i), byte_of(near_.z, i)) * across + enter;
            vec3 last = vec3(byte_of(far_.x, i), byte_of(far_.y, i), byte_of(far_.z, i)) * across + leave;
            float in_ = max(max(first.x, first.y), max(first.z, 0.0)), out_ = min(min(last.x, last.y), min(last.z, nearest));
            if (in_ <= out_) met |= (bits >> 8 * i & 255u) << (index >> 8 * i & 255u);
        }
    }
    return met;
}

// Arguments of functions are copied in and out.
uvec2 stack[STACK];
uint top;

/// Its children become the group, and its leaves are returned.
uvec2 descend(inout uvec2 group, Prepared r, float nearest) {
    uint bit = findMSB(group.y), slot = (bit - 24u) ^ (r.octant & 255u);
    uint node = 5 * (group.x + bitCount(group.y & ((1u << slot) - 1u) & 255u));
    group.y &= ~(1u << bit);
    if (group.y >= 0x01000000u) stack[min(top++, STACK - 1)] = group;
    uint met = children_met(node, r, nearest);
    uvec2 bases = node_at(node + 1).xy;
    group = uvec2(bases.x, met & 0xFF000000u | node_at(node).w >> 24);
    return uvec2(bases.y, met & 0x00FFFFFFu);
}

uint taken_from(inout uvec2 leaves_) {
    uint bit = findMSB(leaves_.y);
    leaves_.y &= ~(1u << bit);
    return leaves_.x + bit;
}

void meet_all(Prepared r, uvec2 found, uint first, inout Hit best) {
    while (found.y != 0) {
        uint leaf = taken_from(found);
        uvec4 v0 = leaf_at(3 * leaf);
        vec3 v1 = uintBitsToFloat(leaf_at(3 * leaf + 1).xyz), v2 = uintBitsToFloat(leaf_at(3 * leaf + 2).xyz);
        meet(r, uintBitsToFloat(v0.xyz), v1, v2, FLAT == 0 ? first + v0.w : leaf + 1, best);
    }
}

Prepared within(Placing placing, vec3 origin, vec3 direction) {
    precise vec3 from = placing.mesh_from_world * vec4(origin, 1.0), to = mat3(placing.mesh_from_world) * direction;
    return prepared(from, to);
}

bool has_nodes(inout uvec2 group, uint bottom) {
    if (group.y < 0x01000000u && top != bottom) group = stack[--top];
    return group.y >= 0x01000000u;
}

void walk(Prepared r, uint root, uint first, inout Hit best, inout uint visits) {
    uvec2 group = uvec2(root, 0x80000000u);
    uint bottom = top;
    while (has_nodes(group, bottom)) {
        uvec2 found = descend(group, r, best.t);
        visits++;
        meet_all(r, found, first, best);
    }
}

Hit traced_flat(vec3 origin, vec3 direction, inout uint visits) {
    Hit best = Hit(FAR, 0);
    top = 0;
    walk(prepared(origin, direction), 0, 0, best, visits);
    last_id = best.visibility;
    best.visibility = visibility_of(last_id);
    return best;
}

// In registers the ray in the world takes six. With one level none waits: NVIDIA's driver keeps an array that nothing
// reads.
const uint WAITING_RAYS = (1 - FLAT) * gl_WorkGroupSize.x + FLAT;
shared vec3 world_origin[WAITING_RAYS];
shared vec3 world_direction[WAITING_RAYS];

/// GPUs are 16 to 24 % slower with one loop for both levels.
Hit traced_by_level(vec3 origin, vec3 direction, inout uint visits) {
    Hit best = Hit(FAR, 0);
    top = 0;
    uvec2 upper = uvec2(0, 0x80000000u);
    uint own_ray = gl_LocalInvocationIndex;
    world_origin[own_ray] = origin;
    world_direction[own_ray] = direction;
    while (has_nodes(upper, 0)) {
        // Kept during the inner loop, it takes four registers.
        Prepared above = prepared(world_origin[own_ray + AGAIN], world_direction[own_ray + AGAIN]);
        uvec2 meshes = descend(upper, above, best.t);
        visits++;
        while (meshes.y != 0) {
            Placing placing = placing_at(taken_from(meshes));
            // An equal index would join this with the read above.
            Prepared r = within(placing, world_origin[own_ray + 2 * AGAIN], world_direction[own_ray + 2 * AGAIN]);
            walk(r, placing.root, placing.first, best, visits);
        }
    }
    return best;
}

/// For software drivers: half the code compiles in half the time.
Hit traced_by_node(vec3 origin, vec3 direction, inout uint visits) {
    Hit best = Hit(FAR, 0);
    top = 0;
    uint outside = 0, first = 0;
    Prepared above = prepared(origin, direction), r = above;
    uvec2 upper = uvec2(0, 0x80000000u), meshes = uvec2(0), lower = uvec2(0);
    for (;;) {
        bool is_within = has_nodes(lower, outside);
        if (!is_within && meshes.y != 0) {
            Placing placing = placing_at(taken_from(meshes));
            r = within(placing, origin, direction);
            first = placing.first;
            lower = uvec2(placing.root, 0x80000000u);
            outside = top;
            is_within = true;
        }
        if (!is_within) {
            if (!has_nodes(upper, 0)) break;
            r = above;
        }
        uvec2 group = is_within ? lower : upper;
        uvec2 found = descend(group, r, best.t);
        visits++;
        if (is_within) lower = group;
        else {
            upper = group;
            meshes = found;
            outside = top;
            found.y = 0;
        }
        meet_all(r, found, first, best);
    }
    return best;
}

Hit traced(vec3 origin, vec3 direction, inout uint visits) {
    if (FLAT != 0) return traced_flat(origin, direction, visits);
    return ONE_LOOP != 0 ? traced_by_node(origin, direction, visits) : traced_by_level(origin, direction, visits);
}
#endif

#endif
