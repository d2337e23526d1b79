//! Culling tests of meshlet instances: frustum, normal cone, occlusion. Every test is conservative: in doubt the instance is drawn.
#include "meshlets/geometry.glsl"
#include "meshlets/cull_result.glsl"

layout(binding = 7, scalar) buffer Fates { uint fates[]; };
/// Least depth of 2x2 texels below; level 1 has half the pixels, rounded up. Nearer is larger.
layout(binding = 8, scalar) readonly buffer Pyramid { float pyramid[]; };

const uint TEST_FRUSTUM = 1;
const uint TEST_CONE = 2;
const uint TEST_OCCLUSION = 4;

const uint PHASE_SELECT = 0;
const uint PHASE_FIRST = 1;
const uint PHASE_SECOND = 2;

layout(push_constant, scalar) uniform CullPush {
    uint first;
    uint count;
    uint slot;
    uint phase;
    uint tests;
    uint mask;
} push;

vec4 sphere_of(Instance i, Meshlet m) {
    vec3 x = i.world_from_mesh[0], y = i.world_from_mesh[1], z = i.world_from_mesh[2];
    float slack = 1e-3 * i.scale * i.scale;
    // Sheared axes stretch a sphere by up to the root of their number.
    bool square = abs(dot(x, y)) <= slack && abs(dot(y, z)) <= slack && abs(dot(z, x)) <= slack;
    float stretch = i.scale * (square ? 1.001 : 1.7341);
    return vec4(world_of(i.world_from_mesh, m.center), m.radius * stretch);
}

bool is_out_of_frustum(vec4 sphere) {
    float far = 1e-5 * (abs(sphere.x) + abs(sphere.y) + abs(sphere.z));
    for (uint i = 0; i < 5; i++) {
        if (dot(planes[i].xyz, sphere.xyz) + planes[i].w < -sphere.w - far - 1e-5 * abs(planes[i].w)) return true;
    }
    return false;
}

/// A cone of normals does not survive an uneven scale.
bool faces_away(Instance i, Meshlet m, vec4 sphere) {
    if (m.cone_cutoff >= 1.0) return false;
    vec3 x = i.world_from_mesh[0], y = i.world_from_mesh[1], z = i.world_from_mesh[2];
    float even = i.scale * i.scale, slack = 1e-3 * even;
    bool is_uniform = abs(dot(x, x) - even) <= slack && abs(dot(y, y) - even) <= slack && abs(dot(z, z) - even) <= slack &&
        abs(dot(x, y)) <= slack && abs(dot(y, z)) <= slack && abs(dot(z, x)) <= slack;
    if (!is_uniform) return false;
    vec3 axis = normalize(x * m.cone_axis.x + y * m.cone_axis.y + z * m.cone_axis.z);
    vec3 from_eye = sphere.xyz - at;
    // Keeps triangles seen edge-on, which the rasterizer may round to either side.
    return dot(from_eye, axis) >= (m.cone_cutoff + 4e-3) * length(from_eye) + sphere.w;
}

/// Mara and McGuire, "2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere", 2013.
bool is_hidden(vec4 sphere) {
    vec3 from_eye = sphere.xyz - at;
    vec3 c = vec3(dot(right, from_eye), dot(down, from_eye), dot(ahead, from_eye));
    float r = sphere.w + 1e-6 * (abs(sphere.x) + abs(sphere.y) + abs(sphere.z));
    if (c.z - r <= near * 1.01) return false;
    vec2 t = sqrt(c.xy * c.xy + (c.z - r) * (c.z + r));
    vec2 scale = vec2(scale_x, scale_y);
    vec2 low = (t * c.xy - r * c.z) / (t * c.z + r * c.xy) * scale, high = (t * c.xy + r * c.z) / (t * c.z - r * c.xy) * scale;
    vec2 last = vec2(size) - 1.0;
    uvec2 from = uvec2(clamp((low * 0.5 + 0.5) * vec2(size) - shift - 1.0, vec2(0.0), last));
    uvec2 to = uvec2(clamp((high * 0.5 + 0.5) * vec2(size) - shift + 1.0, vec2(0.0), last));
    uint level = 1;
    while (any(greaterThan((to >> level) - (from >> level), uvec2(2)))) level++;
    from >>= level;
    to >>= level;
    uint width = (size.x + (1u << level) - 1) >> level;
    float farthest = 1.0;
    for (uint y = from.y; y <= to.y; y++)
        for (uint x = from.x; x <= to.x; x++) farthest = min(farthest, pyramid[level_first[level] + y * width + x]);
    return near / (c.z - r) * 1.0005 < farthest;
}

bool is_drawn(uint index, out uint fate, out uint count) {
    uint before = fates[index];
    MeshletInstance p = meshlet_instances[index];
    count = meshlets[p.meshlet].triangles;
    fate = before;
    if (push.phase == PHASE_SELECT) return (push.mask >> before & 1u) == 1;
    if (push.phase == PHASE_SECOND && before != PENDING && before != SEEN) return false;
    Instance i = instances[p.instance];
    Meshlet m = meshlets[p.meshlet];
    vec4 sphere = sphere_of(i, m);
    if (push.phase == PHASE_FIRST) {
        fate = SEEN;
        if ((push.tests & TEST_OCCLUSION) != 0 && before != SEEN) fate = PENDING;
        if ((push.tests & TEST_CONE) != 0 && faces_away(i, m, sphere)) fate = FACES_AWAY;
        if ((push.tests & TEST_FRUSTUM) != 0 && is_out_of_frustum(sphere)) fate = OUT_OF_FRUSTUM;
        fates[index] = fate;
        return fate == SEEN;
    }
    bool hidden = is_hidden(sphere);
    if (before == SEEN) {
        if (hidden) fates[index] = DRAWN_UNSEEN;
        return false;
    }
    fate = hidden ? OCCLUDED : SEEN;
    fates[index] = fate;
    return fate == SEEN;
}
