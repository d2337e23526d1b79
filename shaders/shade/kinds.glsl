//! Kinds of material but for LAYERED: code and memory use of very different length. Patterns are in the mesh's space and fade where a
//! pixel holds too much of them. docs/shade.md explains the parameters. CPU reference: src/techniques/shade/lab/reference/kinds.rs.
#ifndef SHADE_KINDS
#define SHADE_KINDS
#include "shade/light.glsl"
#include "shade/lookup.glsl"
#include "include/paint.glsl"

float or_else(float x, float otherwise) { return x > 0.0 ? x : otherwise; }

Matter plain_matter(Surface s, Material m) {
    Matter r;
    vec3 base = m.base.rgb * s.color;
    r.albedo = base * (1.0 - m.metallic);
    r.f0 = mix(vec3(0.04), base, m.metallic);
    r.roughness = m.roughness;
    r.normal = s.normal;
    r.coat = 0.0;
    r.coat_roughness = 0.1;
    r.coat_normal = s.normal;
    r.emission = m.emissive;
    r.wrap = 0.0;
    r.alpha = 1.0;
    r.through = vec3(0.0);
    return r;
}

vec4 looked_up(Slots m, uint slot, Lookup first, Lookup second, uint seconds) {
    bvec2 other = bvec2((seconds >> slot & 1u) != 0);
    return sampled(m.textures[slot], mix(first.uv, second.uv, other), mix(first.right, second.right, other),
        mix(first.down, second.down, other), choices.weight);
}

Paint textures_of(Slots m, Lookup first, Lookup second, uint seconds) {
    uvec4 slots = uvec4(m.textures[0], m.textures[1], m.textures[2], m.textures[3]);
    Paint paint = Paint(vec4(1.0), vec4(1.0), vec4(1.0));
    if (ALIKE) {
        uint there = min(min(slots.x, slots.y), min(slots.z, slots.w));
        if (there != NO_TEXTURE) paint = painted(m.paint, texture_at(there), first.uv, first.right, first.down, choices.weight);
        return paint;
    }
    // No loop: the older of Mesa's software drivers loses lanes in one.
    if (slots.x != NO_TEXTURE) paint.base = looked_up(m, 0u, first, second, seconds);
    if (slots.y != NO_TEXTURE) {
        vec2 both = looked_up(m, 1u, first, second, seconds).gb;
        paint.bump_rough.w = both.x;
        paint.glow_metallic.w = both.y;
    }
    if (slots.z != NO_TEXTURE) paint.bump_rough.xyz = looked_up(m, 2u, first, second, seconds).xyz;
    if (slots.w != NO_TEXTURE) paint.glow_metallic.xyz = looked_up(m, 3u, first, second, seconds).rgb;
    return paint;
}

vec3 bumped(Surface s, vec3 texel, float scale, out float length_) {
    vec3 bump = texel * 2.0 - 1.0;
    length_ = clamp(length(bump), 0.1, 1.0);
    bump.xy *= scale;
    float handed;
    vec3 tangent = tangent_of(s, handed), across = cross(s.normal, tangent) * handed;
    vec3 n = normalize(tangent * bump.x + across * bump.y + s.normal * max(bump.z, 0.05));
    return normalize(n + max(0.02 - dot(n, s.view), 0.0) * s.view);
}

Matter textured_by(Surface s, inout Material m, Paint paint, vec3 normal, float length_) {
    m.base *= paint.base;
    m.roughness *= paint.bump_rough.w;
    m.metallic *= paint.glow_metallic.w;
    m.emissive *= paint.glow_metallic.xyz;
    Matter r = plain_matter(s, m);
    if (m.textures[2] != NO_TEXTURE) {
        r.normal = normal;
        // Toksvig, "Mipmapping Normal Maps", 2005.
        r.roughness = sqrt(sqrt(clamp(pow(r.roughness, 4.0) + 0.5 * (1.0 - length_), 0.0, 1.0)));
        r.coat_normal = r.normal;
    }
    return r;
}

Matter textured_matter(inout Surface s, uint material) {
    Slots slots = slots_at(material);
    Lookup at = first_lookup(s, slots.uv);
    Paint paint = textures_of(slots, at, at, 0u);
    float length_ = 1.0;
    vec3 normal = s.normal;
    if (slots_at(material + AGAIN).textures[2] != NO_TEXTURE) normal = bumped(s, paint.bump_rough.xyz, normal_scale_at(material + AGAIN), length_);
    Material m = material_at(material + AGAIN);
    s.corner.x = 1.0 - again(s.corner.y) - s.corner.z;
    vec4 color = color_of(s.vertices + AGAIN, s.corner);
    s.color = color.rgb;
    s.sky = color.a;
    return textured_by(s, m, paint, normal, length_);
}

Matter marble_matter(Surface s, Material m) {
    vec3 pattern = pattern_of(s);
    float size = or_else(m.parameters.x, 0.4), foot = s.footprint / size;
    vec3 p = pattern / size;
    float slow = fbm(p * 0.9, foot * 0.9, 2u), other = fbm(p.yzx * 0.9 + 31.7, foot * 0.9, 2u);
    vec3 q = p + m.parameters.z * 0.9 * vec3(slow, other, slow - other);
    float veins = 0.0, strength = 1.0;
    vec3 at = q;
    float step_ = foot * (1.0 + m.parameters.z);
    for (uint i = 0; i < 2 + choices.weight; i++) {
        float ridge = 1.0 - abs(noise(at)), k = kept(step_ * 1.5);
        ridge *= ridge;
        ridge *= ridge;
        veins = max(veins, strength * mix(0.2, ridge * ridge, k));
        at = next_octave(at);
        step_ *= 2.03;
        strength *= 0.62;
    }
    float vein = clamp(m.parameters.y * veins * (0.55 + 0.6 * other), 0.0, 1.0);
    Matter r = plain_matter(s, m);
    vec3 stone = r.albedo * (1.0 + 0.22 * slow);
    r.albedo = mix(stone, m.second * s.color * (1.0 - m.metallic), vein);
    r.roughness = clamp(m.roughness + 0.15 * vein, 0.0, 1.0);
    r.coat = m.parameters.w;
    r.coat_roughness = 0.08;
    return r;
}

vec2 flakes(vec3 p, vec3 normal, vec3 h) {
    vec3 d = parts_of(cell_hash(whole(floor(p)))) - 0.5;
    vec3 n = normalize(normal + 0.7 * d);
    return vec2(ggx(clamp(dot(n, h), 0.0, 1.0), 0.09), d.x);
}

Matter car_paint_matter(Surface s, Material m, Light light, inout vec3 extra) {
    vec3 pattern = pattern_of(s);
    float n_v = clamp(dot(s.normal, s.view), 0.0, 1.0), grazing = 1.0 - n_v;
    Material layer = m;
    layer.base.rgb = mix(m.base.rgb, m.second, grazing * grazing);
    Matter r = plain_matter(s, layer);
    r.coat = m.parameters.w;
    r.coat_roughness = or_else(m.parameters.z, 0.06);
    // Two neighbouring sizes are blended; larger ones sparkle less.
    float size = or_else(m.parameters.x, 0.003), coarse = max(log2(1.6 * s.footprint / size), 0.0), low = floor(coarse);
    float strength = m.parameters.y * exp2(-0.35 * coarse);
    vec3 h = normalize(scene.sun + s.view), p = pattern / (size * exp2(low));
    vec2 sum = vec2(0.0);
    for (uint i = 0; i < choices.weight; i++) {
        sum += mix(flakes(p, s.normal, h), flakes(p * 0.5, s.normal, h), coarse - low);
        p = p.yzx * 1.31 + 5.3;
    }
    sum /= float(choices.weight);
    r.albedo *= 1.0 + strength * sum.y;
    r.f0 *= 1.0 + strength * sum.y;
    float n_l = clamp(dot(s.normal, scene.sun), 0.0, 1.0);
    extra += sun_of(light) * layer.base.rgb * s.color * (0.25 * strength * n_l * sum.x);
    return r;
}

Matter subsurface_matter(Surface s, Material m, Light light, inout vec3 extra) {
    vec3 pattern = pattern_of(s);
    float depth = or_else(m.parameters.x, 0.05), foot = s.footprint / depth;
    vec3 inwards = refract(-s.view, s.normal, 1.0 / 1.4);
    float cloud = 0.0, weight = 0.0, through = 1.0;
    for (uint i = 0; i <= choices.weight; i++) {
        float far = (float(i) + 0.5) * 1.5 / float(choices.weight + 1);
        vec3 p = (pattern + inwards * (far * depth)) / (1.6 * depth);
        cloud += through * noise(p) * kept(foot / 1.6);
        weight += through;
        through *= 0.75;
    }
    m = material_at(s.material - AGAIN); // not kept during the loop
    cloud *= m.parameters.w / weight;
    Matter r = plain_matter(s, m);
    r.albedo *= clamp(1.0 + 0.9 * cloud, 0.0, 2.0);
    r.wrap = m.parameters.z;
    // Light from behind (Barré-Brisebois and Bouchard, 2011), and more of it where the body is thin.
    float strength = m.parameters.y, n_v = clamp(dot(s.normal, s.view), 0.0, 1.0), edge = 1.0 - n_v;
    vec3 bent = normalize(scene.sun + 0.35 * s.normal);
    float back = clamp(dot(s.view, -bent), 0.0, 1.0), b2 = back * back;
    float around = 0.5 - 0.5 * dot(s.normal, scene.sun);
    vec3 glow = m.second * s.color * strength * (1.0 + 0.6 * cloud);
    extra += glow * scene.sun_light * ((0.35 + 0.65 * light.open) * (0.30 * b2 * back + 0.05 * around) * (0.5 + edge));
    extra += glow * light.sky * sky_on(-again(s.normal)) * (0.25 + 0.35 * edge);
    r.albedo *= 1.0 - 0.3 * strength;
    return r;
}

/// Airy's sum over all reflections, both polarizations as one.
float airy(float nm, float path, float r01, float r12) {
    float turn = cos(2.0 * PI * path / nm), both = r01 * r12;
    return (r01 * r01 + r12 * r12 + 2.0 * both * turn) / (1.0 + both * both + 2.0 * both * turn);
}

/// nm; `below`: amplitudes of the base.
vec3 film_on(float n_v, float index, float thick, vec3 below) {
    float inside = sqrt(1.0 - (1.0 - n_v * n_v) / (index * index)), path = 2.0 * index * thick * inside;
    float across = (n_v - index * inside) / (n_v + index * inside), along = (index * n_v - inside) / (index * n_v + inside);
    float r01 = -sqrt(0.5 * (across * across + along * along));
    vec3 film = vec3(0.0);
    for (uint i = 0; i < choices.weight; i++) {
        float shift = (float(i) + 0.5) / float(choices.weight) - 0.5;
        film += vec3(airy(630.0 + 70.0 * shift, path, r01, below.r), airy(535.0 + 60.0 * shift, path, r01, below.g),
            airy(450.0 + 55.0 * shift, path, r01, below.b));
    }
    return film / float(choices.weight);
}

Matter iridescent_matter(Surface s, Material m) {
    vec3 pattern = pattern_of(s);
    float thick = or_else(m.parameters.x, 380.0), index = max(or_else(m.parameters.z, 1.4), 1.01), size = or_else(m.parameters.w, 0.3);
    vec3 p = pattern / size;
    float foot = s.footprint / size, slow = noise(p * 0.7 + 3.0) * kept(foot * 0.7);
    thick *= 1.0 + m.parameters.y * fbm(p + 0.8 * slow, foot, 2u);
    Matter r = plain_matter(s, m);
    float n_v = clamp(dot(s.normal, s.view), 0.02, 1.0);
    vec3 film = film_on(n_v, index, thick, vec3(-mix(0.35, 0.85, m.metallic)));
    vec3 tint = m.base.rgb * s.color;
    r.f0 = clamp(tint * film, 0.0, 1.0);
    r.albedo = tint * (1.0 - m.metallic) * 0.12;
    return r;
}

float sheen_part(float n_v) { return 0.12 + 0.75 * (1.0 - n_v) * (1.0 - n_v) * (1.0 - n_v); }

/// "Charlie" (Estevez and Kulla, "Production Friendly Microfacet Sheen BRDF", 2017).
vec3 sheen_light(Surface s, Light light, vec3 color, float sheen) {
    vec3 n = s.normal, h = normalize(scene.sun + s.view);
    float n_h = clamp(dot(n, h), 0.0, 1.0), n_v = max(dot(n, s.view), 1e-3), n_l = clamp(dot(n, scene.sun), 0.0, 1.0);
    float inverse = 1.0 / sheen, charlie = (2.0 + inverse) * pow(max(1.0 - n_h * n_h, 1e-4), 0.5 * inverse) / (2.0 * PI);
    float visible = 1.0 / (4.0 * (n_l + n_v - n_l * n_v) + 1e-3);
    return color * sun_of(light) * (charlie * visible * n_l) + color * light.sky * sky_on(normalize(n + 0.7 * s.view)) * sheen_part(n_v);
}

Matter velvet_matter(Surface s, Material m, Light light, inout vec3 extra) {
    vec3 pattern = pattern_of(s);
    float size = or_else(m.parameters.x, 0.004), sheen = clamp(or_else(m.parameters.z, 0.4), 0.1, 1.0);
    vec3 p = pattern / size;
    float foot = s.footprint / size;
    vec3 wave = sin(PI * p);
    float weave = (wave.x * wave.y + wave.y * wave.z + wave.z * wave.x) * 0.4 * kept(foot * 0.5);
    float fuzz = fbm(p * 0.11, foot * 0.11, 1u + choices.weight);
    Matter r = plain_matter(s, m);
    r.albedo *= clamp(1.0 + m.parameters.w * (0.5 * weave + 0.5 * fuzz), 0.0, 2.0);
    r.f0 = vec3(0.0);
    extra += sheen_light(s, light, m.second * s.color * m.parameters.y * clamp(1.0 + 0.5 * m.parameters.w * fuzz, 0.0, 2.0), sheen);
    return r;
}

Matter brushed_matter(Surface s, Material m, Light light, inout vec3 extra) {
    vec3 pattern = pattern_of(s);
    float size = or_else(m.parameters.x, 0.002), turned = clamp(m.parameters.w, 0.0, 1.0);
    float handed;
    vec3 tangent = tangent_of(s, handed), around = cross(axis_of(s), s.normal);
    vec3 along = mix(tangent, dot(around, around) > 1e-4 ? normalize(around) : tangent, step(0.5, turned));
    along = normalize(along - s.normal * dot(along, s.normal));
    vec3 across = cross(s.normal, along);
    vec3 flat_ = vec3(length(pattern.xz), pattern.y, 0.0);
    vec3 p = turned >= 0.5 ? flat_ / size : pattern * vec3(1.0, 1.0, 0.02) / size;
    float foot = s.footprint / size, scratch = fbm(p * 0.25, foot * 0.25, 2u + choices.weight) * m.parameters.z;
    Matter r = plain_matter(s, m);
    vec3 f0 = r.f0 * clamp(1.0 + 0.35 * scratch, 0.0, 1.3);
    r.f0 = vec3(0.0);
    vec3 n = normalize(s.normal + across * (0.06 * scratch));
    // Burley, "Physically-Based Shading at Disney", 2012.
    float aspect = sqrt(1.0 - 0.9 * clamp(m.parameters.y, 0.0, 1.0)), alpha = m.roughness * m.roughness;
    float spread = min(0.5 * s.bend, 0.18);
    float ax = max(sqrt(alpha * alpha / (aspect * aspect) + spread), 0.03), ay = max(sqrt(alpha * alpha * (aspect * aspect) + spread), 0.03);
    vec3 h = normalize(scene.sun + s.view);
    float hx = dot(h, across) / ax, hy = dot(h, along) / ay, hn = clamp(dot(n, h), 0.0, 1.0);
    float q = hx * hx + hy * hy + hn * hn, n_l = clamp(dot(n, scene.sun), 0.0, 1.0), n_v = max(dot(n, s.view), 1e-3);
    float lobe = smith(n_l, n_v, alpha) / (PI * ax * ay * q * q);
    extra += sun_of(light) * schlick(f0, clamp(dot(s.view, h), 0.0, 1.0)) * (lobe * n_l);
    vec3 sum = vec3(0.0);
    uint looks = 1u + choices.weight;
    for (uint i = 0; i < looks; i++) {
        float turn = ((float(i) + 0.5) / float(looks) * 2.0 - 1.0) * 0.75 * min(ax, 1.0);
        sum += mirrored(reflect(-s.view, normalize(n + across * turn)), sqrt(sqrt(ax * ay)));
    }
    vec2 ab = dfg(m.roughness, n_v);
    extra += (f0 * ab.x + ab.y) * mirror_open(n_v, light.sky, m.roughness) * sum / float(looks);
    return r;
}

Matter wood_matter(Surface s, Material m) {
    vec3 pattern = pattern_of(s);
    float width = or_else(m.parameters.x, 0.03), foot = s.footprint / width;
    vec3 p = pattern / width;
    float slow = noise(p * vec3(0.22, 0.05, 0.22)), wobble = m.parameters.z * (1.3 * slow + 0.35 * noise(p * vec3(0.7, 0.12, 0.7) + 8.0));
    float radius = length(p.xz) + wobble, ring = fract(radius), k = kept(0.6 * foot);
    float edge = clamp(foot, 0.06, 0.7);
    float late = smoothstep(0.25, 1.0 - edge, ring) * (1.0 - smoothstep(1.0 - edge, 1.0, ring));
    late = mix(0.38, late, k);
    float year = part_of(scrambled(uint(whole(floor(radius))))) - 0.5;
    float fibre = fbm(p * vec3(9.0, 0.35, 9.0), foot * 9.0, 1u + choices.weight);
    float pores = smoothstep(0.35, 0.8, noise(p * vec3(16.0, 0.8, 16.0) + 4.0)) * kept(foot * 16.0);
    float dark = clamp(m.parameters.y * (late * (0.85 + 0.5 * year * k) + 0.28 * fibre + 0.35 * pores), 0.0, 1.0);
    Matter r = plain_matter(s, m);
    r.albedo = mix(m.base.rgb, m.second, dark) * s.color * (1.0 - m.metallic) * (1.0 + 0.1 * slow);
    r.roughness = clamp(m.roughness + 0.12 * dark, 0.0, 1.0);
    r.coat = m.parameters.w;
    r.coat_roughness = 0.18;
    return r;
}

/// Nearest and second nearest of points jittered about a grid, and the nearest one's cell.
vec2 cracks(vec3 p, out uint nearest) {
    vec3 low = floor(p - 0.5);
    vec2 best = vec2(9.0);
    nearest = 0;
    for (int i = 0; i < 8; i++) {
        vec3 cell = low + vec3(i & 1, i >> 1 & 1, i >> 2);
        uint h = cell_hash(whole(cell));
        vec3 to = cell + 0.5 + 0.55 * (parts_of(h) - 0.5) - p;
        float d = dot(to, to);
        if (d < best.x) {
            best = vec2(d, best.x);
            nearest = h;
        } else
            best.y = min(best.y, d);
    }
    return sqrt(best);
}

Matter ember_matter(Surface s, Material m) {
    vec3 pattern = pattern_of(s);
    float size = or_else(m.parameters.x, 0.15), foot = s.footprint / size;
    vec3 p = pattern / size;
    p += 0.12 * vec3(noise(p * 1.7), noise(p * 1.7 + 13.1), noise(p * 1.7 + 27.7));
    float glow = 0.0, dark = 0.0, strength = 1.0;
    for (uint i = 0; i < (choices.weight + 1u) / 2u + 1u; i++) {
        uint cell;
        vec2 d = cracks(p, cell);
        float width = max(m.parameters.y, 0.01), gap = d.y - d.x, soft = max(0.6 * width, foot), k = kept(0.7 * foot);
        float crack = 1.0 - smoothstep(0.35 * width - 0.5 * soft, 0.35 * width + soft, gap);
        float hot = smoothstep(0.0, 0.15, m.parameters.w - part_of(scrambled(cell ^ 0x9e3779b9u)));
        glow += strength * mix(0.35 * m.parameters.w * width, hot * (crack + 0.25 * exp(-5.0 * gap)) + 0.12 * crack, k);
        dark = max(dark, strength * mix(0.2, crack, k));
        p = p.zxy * 2.7 + 7.9;
        foot *= 2.7;
        strength *= 0.35;
    }
    m = material_at(s.material - AGAIN); // not kept during the loop
    Matter r = plain_matter(s, m);
    r.albedo *= (1.0 - 0.7 * dark) * (0.85 + 0.4 * fbm(pattern / (0.3 * size), s.footprint / (0.3 * size), 2u));
    vec3 heat = m.second * m.parameters.z * glow;
    r.emission += heat * (0.6 + 0.5 * glow);
    r.roughness = clamp(m.roughness - 0.15 * dark, 0.0, 1.0);
    return r;
}

#endif
