#version 460
#extension GL_GOOGLE_include_directive : require
// variant: over OVER=1
// variant: apart TEXELS=1
#include "include/prelude.glsl"
#include "include/mirror.glsl"
#include "reflections/uniforms.glsl"
#include "shade/light.glsl"

//! Composition of traced light into the picture: by each pixel's own weight, from the surrounding reflection pixels of
//! the same surface. The sky replaces missing ones.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D ids;          // nearest
layout(binding = 23) uniform usampler2D mirrors;     // nearest
layout(binding = 18) uniform sampler2D traced_light; // nearest
#ifdef OVER
layout(binding = 17, rgba16f) uniform image2D hdr; // light without the mirrors, then with them
vec3 light_at(uvec2 at) { return imageLoad(hdr, ivec2(at)).rgb; }
#else
layout(binding = 17, rgba16f) uniform writeonly image2D hdr; // with the mirrors
layout(binding = 19) uniform sampler2D light;                // without them, nearest: stays for when more is traced
vec3 light_at(uvec2 at) { return texelFetch(light, ivec2(at), 0).rgb; }
#endif

uint thing_at(uvec2 at) { return meshlet_instance_at(meshlet_instance_of(texelFetch(ids, ivec2(at), 0).r)).instance; }

/// At four pixels `spacing` apart, weighted by distance (`part`) and similarity.
vec4 four(ivec2 first, int spacing, vec2 part, uint thing, vec3 normal) {
    vec4 sum = vec4(0.0);
    for (uint i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1u, i >> 1);
        ivec2 p = clamp(first + spacing * corner, ivec2(0), ivec2(plan.size) - 1);
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
    return sum;
}

vec3 sky_of(uvec2 at, vec3 normal) { return mirrored(reflect(normalize(ray_of(vec2(at))), normal), 0.0); }

vec3 around(uvec2 at, vec3 normal) {
    vec2 place = (vec2(at) + plan.shift + 0.5) * vec2(plan.size) / vec2(plan.whole) - 0.5, low = floor(place);
    vec4 sum = four(ivec2(low), 1, place - low, thing_at(at), normal);
    return sum.a > 0.0 ? sum.rgb / sum.a : sky_of(at, normal);
}

vec3 between(uvec2 at, vec3 normal, uint spacing) {
    uint thing = thing_at(at);
    for (; spacing <= 4u; spacing *= 2u) {
        vec2 first = vec2(ray_place() % spacing), place = (vec2(at) - first) / float(spacing), low = floor(place);
        vec4 sum = four(ivec2(low * float(spacing) + first), int(spacing), place - low, thing, normal);
        if (sum.a > 0.0) return sum.rgb / sum.a;
    }
    return sky_of(at, normal);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, plan.whole))) return;
    uvec2 mirror = texelFetch(ids, ivec2(at), 0).r != 0 ? texelFetch(mirrors, ivec2(at), 0).rg : uvec2(0);
#ifdef OVER
    if (mirror.x == 0) return;
#endif
    vec3 all = light_at(at);
    if (mirror.x != 0) {
        vec4 own = texelFetch(traced_light, ivec2(min(at, plan.size - 1u)), 0);
        vec3 weight = unpacked_rgb9e5(mirror.x), normal = unit_from_octahedral(mirror.y), seen_ = own.rgb;
        uint spacing = spacing_of(max(weight.r, max(weight.g, weight.b)));
        if (plan.size != plan.whole || plan.shift != vec2(0.0)) seen_ = around(at, normal);
        else if (spacing > 1u && own.a == 0.0) seen_ = between(at, normal, spacing);
        all += weight * seen_;
    }
    imageStore(hdr, ivec2(at), vec4(min(all, 2000.0), 1.0));
}
