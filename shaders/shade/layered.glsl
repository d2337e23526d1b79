//! Materials of files: textures by two lookups, and the layers of glTF extensions over them. CPU reference:
//! src/techniques/shade/lab/reference/layered.rs.
#ifndef SHADE_LAYERED
#define SHADE_LAYERED
#include "shade/kinds.glsl"

Matter layered_matter(Surface s, Material m, Light light, inout vec3 extra) {
    Lookup first = first_lookup(s, m.uv), second = first;
    uint seconds = m.flags >> SECOND_UV_BIT;
    if (seconds != 0) second = second_lookup(s, m);
    Paint paint = textures_of(Slots(m.textures, m.uv, m.paint), first, second, seconds);
    float length_ = 1.0;
    vec3 normal = s.normal;
    if (m.textures[2] != NO_TEXTURE) normal = bumped(s, paint.bump_rough.xyz, m.normal_scale, length_);
    Matter r = textured_by(s, m, paint, normal, length_);
    r.coat_normal = s.normal;
    vec3 base = m.base.rgb * s.color;
    if ((m.flags & COVER_BITS) == COVER_BLEND && (m.flags & WHOLE) == 0) r.alpha = clamp(m.base.a * alpha_at(s), 0.0, 1.0);
    r.f0 = mix(m.dielectric, base, m.metallic);
    float n_v = clamp(dot(r.normal, s.view), 0.02, 1.0);
    if (m.film.x > 0.0) {
        vec3 root = sqrt(clamp(r.f0, 0.0, 0.9999)), body = (1.0 + root) / (1.0 - root);
        float index = max(m.film.y, 1.01);
        r.f0 = mix(r.f0, film_on(n_v, index, m.film.z, (index - body) / (index + body)), m.film.x);
    }
    r.coat = m.parameters.x;
    r.coat_roughness = m.parameters.y;
    float most = max(m.second.r, max(m.second.g, m.second.b));
    if (most > 0.0) {
        extra += sheen_light(s, light, m.second, clamp(m.parameters.z * m.parameters.z, 0.1, 1.0));
        float kept_ = 1.0 - most * sheen_part(max(dot(s.normal, s.view), 1e-3));
        r.albedo *= kept_;
        r.f0 *= kept_;
    }
    vec2 ab = dfg(r.roughness, n_v);
    r.through = base * (m.parameters.w * (1.0 - m.metallic)) * clamp(1.0 - r.f0 * ab.x - ab.y, 0.0, 1.0);
    r.albedo *= 1.0 - m.parameters.w;
    if ((m.flags & UNLIT) != 0) {
        r.albedo = vec3(0.0);
        r.f0 = vec3(0.0);
        r.coat = 0.0;
        r.through = vec3(0.0);
        r.emission = base * scene.white;
        extra = vec3(0.0);
    }
    return r;
}

#endif
