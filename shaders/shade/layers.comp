#version 460
#extension GL_GOOGLE_include_directive : require
// variant: words LAYERS=1
// variant: texels LAYERS=1 TEXELS=1
#include "include/prelude.glsl"
#include "shade/layered.glsl"

//! Composition of one transparent layer: its own light weighted by its alpha, the rest and the transmitted part of the
//! light behind. One dispatch a layer over a list of blocks: software drivers run branches that are not taken, and the
//! older ones lose lanes in a loop around all this.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 2) const uint LAYER = 0; // 0 is the nearest
layout(binding = 0) uniform usampler2D layer; // nearest; visibility values, 0 for none
layout(binding = 17, rgba16f) uniform image2D hdr;
layout(binding = 19, scalar) readonly buffer Groups { uint groups[]; };
layout(binding = 21, scalar) readonly buffer Calls { uint calls[]; };

vec3 laid_over(vec3 behind, uint visibility, vec2 at) {
    Surface s = surface_at(visibility, at);
    Material m = material_at(s.material);
    Light light;
    light.open = sun_seen(s.position, s.normal);
    light.sky = s.sky;
    vec3 extra = vec3(0.0);
    Matter matter = layered_matter(s, m, light, extra);
    vec3 own = hazed(lit(s, matter, light) + extra, -s.view, s.distance);
    vec3 air = hazed(vec3(0.0), -s.view, s.distance);
    return mix(behind, own + matter.through * max(behind - air, 0.0), matter.alpha);
}

void main() {
    uint place = gl_WorkGroupID.y * 32768 + gl_WorkGroupID.x;
    if (place >= calls[4 * LAYER + 3]) return;
    uvec2 blocks = (scene.size + 7) / 8;
    uint group = groups[LAYER * blocks.x * blocks.y + place];
    ivec2 at = ivec2(uvec2(group & 0xFFFFu, group >> 16) * 8 + gl_LocalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), scene.size))) return;
    uint visibility = texelFetch(layer, at, 0).r;
    if (visibility == 0) return;
    vec4 light = imageLoad(hdr, at);
    imageStore(hdr, at, vec4(clamp(laid_over(light.rgb, visibility, vec2(at)), 0.0, 2000.0), light.a));
}
