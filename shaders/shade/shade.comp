#version 460
#extension GL_GOOGLE_include_directive : require
// variant: light LIGHT=1
// variant: light_texels LIGHT=1 TEXELS=1
// variant: kind LIGHT=1 GROUPS=1 TEXELS=1
// variant: view VIEW=1
#include "include/prelude.glsl"
#include "shade/matter.glsl"

//! Shading of pixels with geometry: those of the sorted list, 128 entries a workgroup, or blocks of 8x4 pixels, four a
//! workgroup. Both by the same instructions, so the picture is the same bit for bit. Images up to 65535 pixels a side.
layout(local_size_x = 128) in;

layout(binding = 0) uniform usampler2D ids; // nearest
#ifdef VIEW
layout(binding = 17, rgba8) uniform writeonly image2D picture;
layout(binding = 18) uniform sampler2D hdr; // nearest
#else
layout(binding = 17, rgba16f) uniform writeonly image2D hdr;
layout(binding = 23, rg32ui) uniform writeonly uimage2D mirrors; // as include/mirror.glsl packs them, where choices.apart
#include "include/mirror.glsl"
#endif
#include "shade/work.glsl"

#ifdef VIEW
#include "shade/views.glsl"

void main() {
    uvec2 at = gl_WorkGroupID.xy * uvec2(16, 8) + in_block(gl_LocalInvocationIndex);
    uvec2 to = uvec2(imageSize(picture));
    if (any(greaterThanEqual(at, to))) return;
    uvec2 from = min(uvec2((vec2(at) + 0.5) / vec2(to) * vec2(scene.size)), scene.size - 1u);
    uint visibility = texelFetch(ids, ivec2(from), 0).r;
    vec3 radiance = texelFetch(hdr, ivec2(from), 0).rgb;
    vec3 color = vec3(0.0);
    if (choices.view == VIEW_HDR) color = exposure_color(radiance);
    else if (visibility != 0) color = IN_LIGHT != 0 ? light_color(visibility, vec2(from), choices.view) : surface_color(visibility, vec2(from), choices.view);
    imageStore(picture, ivec2(at), vec4(color, 1.0));
}
#else
struct Shaded {
    vec3 radiance;
    Mirror mirror;
};

Shaded shaded(uint visibility, vec2 at) {
    Surface s = surface_at(visibility, at);
    Light light = Light(sun_seen(s.position, s.normal), s.sky);
    vec3 extra = vec3(0.0);
    Matter matter = matter_of(kind_among(s.material), s, light, extra);
    Shaded r;
    vec3 all = lit_apart(s, matter, light, r.mirror) + extra;
    if (choices.apart != 0) {
        float kept = is_worth_tracing(r.mirror.weight) ? 1.0 : 0.0;
        r.mirror.weight *= kept * exp(-scene.haze * s.distance);
        all = max(all - kept * r.mirror.sky, 0.0);
    }
    // Half floats end at 65504; light brighter than the sun's disc is clamped.
    r.radiance = clamp(hazed(all, -s.view, s.distance), 0.0, 2000.0);
    return r;
}

void main() {
    uvec2 at = pixel_of(my_group(), gl_LocalInvocationIndex);
    if (any(greaterThanEqual(at, scene.size))) return;
    uint visibility = texelFetch(ids, ivec2(at), 0).r;
    #ifdef GROUPS
    if (visibility == 0 || kind_of(visibility) != ONLY) return;
#else
    if (visibility == 0) return;
#endif
    uint place = at.x | at.y << 16;
    Shaded s = shaded(visibility, vec2(at));
    at = uvec2(place & 0xFFFFu, place >> 16);
    imageStore(hdr, ivec2(at), vec4(s.radiance, 1.0));
    if (choices.apart != 0) imageStore(mirrors, ivec2(at), uvec4(packed_mirror(s.mirror.weight, s.mirror.normal), 0, 0));
}
#endif
