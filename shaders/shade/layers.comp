#version 460
#extension GL_GOOGLE_include_directive : require
// variant: words LAYERS=1
// variant: texels LAYERS=1 TEXELS=1
#include "include/prelude.glsl"
#include "shade/layered.glsl"

// Lays what is seen through over the light of what is solid: of each pixel up to four layers, the farthest first. Of each there is as much as
// its alpha says; of what lies behind, what that leaves and what goes through.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D nearest_ids; // nearest, as the others
layout(binding = 1) uniform usampler2D second_ids;
layout(binding = 2) uniform usampler2D third_ids;
layout(binding = 3) uniform usampler2D fourth_ids;
layout(binding = 17, rgba16f) uniform writeonly image2D hdr;
layout(binding = 18) uniform sampler2D solid; // nearest

vec3 laid_over(vec3 behind, uint visibility, vec2 at) {
    Surface s = surface_at(visibility, at);
    Material m = material_at(s.material);
    Light light;
    light.open = sun_seen(s.position, s.normal);
    light.sun = scene.sun_light * light.open;
    light.sky = s.sky;
    vec3 extra = vec3(0.0);
    Matter matter = layered_matter(s, m, light, extra);
    vec3 own = hazed(lit(s, matter, light) + extra, -s.view, s.distance);
    // The air before this surface is in the light from behind already.
    vec3 air = hazed(vec3(0.0), -s.view, s.distance);
    return mix(behind, own + matter.through * max(behind - air, 0.0), matter.alpha);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), scene.size))) return;
    uvec4 layers = uvec4(texelFetch(nearest_ids, at, 0).r, texelFetch(second_ids, at, 0).r, texelFetch(third_ids, at, 0).r,
        texelFetch(fourth_ids, at, 0).r);
    vec4 light = texelFetch(solid, at, 0);
    // A software driver leaves out the turns that no lane takes.
    for (uint k = layers.x == 0 ? 0u : layers.y == 0 ? 1u : layers.z == 0 ? 2u : layers.w == 0 ? 3u : 4u; k > 0; k--)
        light.rgb = laid_over(light.rgb, layers[k - 1], vec2(at));
    imageStore(hdr, at, vec4(clamp(light.rgb, 0.0, 2000.0), light.a));
}
