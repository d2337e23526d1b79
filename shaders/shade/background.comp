#version 460
#extension GL_GOOGLE_include_directive : require
// variant: all ALL=1
// variant: groups GROUPS=1
#include "include/prelude.glsl"
#include "shade/sky_picture.glsl"

//! Sky behind all surfaces, with the sun's disc. Images up to 65535 pixels a side.
layout(local_size_x = 128) in;
layout(binding = 0) uniform usampler2D ids; // nearest
layout(binding = 17, rgba16f) uniform writeonly image2D hdr;
#include "shade/groups.glsl"

float starlight(vec3 d) {
    ivec3 cell = ivec3(floor(d * 90.0));
    uint word = cell_hash(cell);
    vec3 way = d - normalize(vec3(cell) + 0.25 + 0.5 * parts_of(word));
    float size = max(0.0007, 0.6 * length(scene.ray_right)), bright = max(part_of(scrambled(word)) - 0.96, 0.0) * 25.0;
    return bright * bright * exp(-dot(way, way) / (size * size)) * smoothstep(0.02, 0.3, d.y);
}

void show_sky(uvec2 at) {
    vec3 d = normalize(ray_of(vec2(at)));
    if (has_sky_picture()) {
        imageStore(hdr, ivec2(at), vec4(clamp(picture_radiance(d, length(scene.ray_right)), 0.0, 2000.0), 1.0));
        return;
    }
    float cosine = dot(d, scene.sun), inside = clamp((cosine - 0.999945) / 0.00005, 0.0, 1.0);
    vec3 disc = scene.sun_light * (60.0 * inside * inside * (3.0 - 2.0 * inside) + 0.35 * exp(min(cosine - 1.0, 0.0) * 900.0));
    vec3 more = disc + scene.stars * starlight(d);
    imageStore(hdr, ivec2(at), vec4(clamp(backdrop(d, more), 0.0, 2000.0), 1.0));
}

bool is_sky(uvec2 at) { return all(lessThan(at, scene.size)) && texelFetch(ids, ivec2(at), 0).r == 0; }

void main() {
    uint lane = gl_LocalInvocationIndex;
#ifdef GROUPS
    uvec2 at = pixel_of_group(my_group(), lane);
    if (is_sky(at)) show_sky(at);
#else
    // Starting a workgroup takes a GPU as long as testing its pixels.
    uint step_ = gl_NumWorkGroups.x * gl_NumWorkGroups.y, rows = (scene.size.y + 7) / 8, sky = 0;
    for (uint group = my_group(), k = 0; group < scene.groups_across * rows; group += step_, k++)
        sky |= uint(is_sky(pixel_of_group(group, lane))) << k;
    // Software drivers skip a branch that no lane takes, but run the body of a loop once.
    if (sky != 0)
        for (; sky != 0; sky &= sky - 1) show_sky(pixel_of_group(my_group() + findLSB(sky) * step_, lane));
#endif
}
