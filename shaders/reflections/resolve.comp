#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/mirror.glsl"
#include "reflections/plan.glsl"
#include "shade/light.glsl"

// Puts traced light into the picture: by each pixel's own weight, from the reflections' pixels around it that show the same thing. Where
// none was traced the sky serves.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D ids;          // nearest
layout(binding = 23) uniform usampler2D mirrors;     // nearest
layout(binding = 18) uniform sampler2D traced_light; // nearest
layout(binding = 17, rgba16f) uniform image2D hdr;   // light without the mirrors

uint thing_at(uvec2 at) { return placed[placed_of(texelFetch(ids, ivec2(at), 0).r)].instance; }

vec3 around(uvec2 at, vec3 normal) {
    vec2 place = (vec2(at) + 0.5) * vec2(plan.size) / vec2(plan.whole) - 0.5, low = floor(place), part = place - low;
    uint thing = thing_at(at);
    vec4 sum = vec4(0.0);
    for (uint i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1u, i >> 1);
        ivec2 p = clamp(ivec2(low) + corner, ivec2(0), ivec2(plan.size) - 1);
        vec4 texel = texelFetch(traced_light, p, 0);
        if (texel.a == 0.0) continue;
        uvec2 from = whole_pixel(uvec2(p));
        if (thing_at(from) != thing) continue;
        vec2 near_ = mix(1.0 - part, part, vec2(corner));
        float alike = max(dot(normal, unit_from_octahedral(texelFetch(mirrors, ivec2(from), 0).g)), 0.0);
        alike *= alike;
        alike *= alike;
        sum += (near_.x * near_.y + 1e-3) * (alike * alike + 1e-3) * vec4(texel.rgb, 1.0);
    }
    if (sum.a > 0.0) return sum.rgb / sum.a;
    return mirrored(reflect(normalize(ray_of(vec2(at))), normal), 0.0);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, plan.whole)) || texelFetch(ids, ivec2(at), 0).r == 0) return;
    uvec2 mirror = texelFetch(mirrors, ivec2(at), 0).rg;
    if (mirror.x == 0) return;
    vec3 light = plan.size == plan.whole ? texelFetch(traced_light, ivec2(at), 0).rgb : around(at, unit_from_octahedral(mirror.y));
    vec3 all = imageLoad(hdr, ivec2(at)).rgb + unpacked_rgb9e5(mirror.x) * light;
    imageStore(hdr, ivec2(at), vec4(min(all, 2000.0), 1.0));
}
