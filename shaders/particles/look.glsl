//! Position, size and light of a particle on screen, shared by points, quads and splats.
#ifndef PARTICLES_LOOK
#define PARTICLES_LOOK
#include "particles/state.glsl"

layout(constant_id = 0) const uint KIND = 0;
layout(binding = 4, scalar) uniform Look {
    mat4 clip_from_world;
    mat4 shadow_from_world;
    vec3 eye;
    float near;
    vec3 sun; // towards it
    float shadow_side; // texels
    vec3 sun_light;
    float shadow_bias;
    vec3 sky; // from all sides
    float white; // radiance of white paper in the sun
    vec2 size; // pixels
    float pixels; // of a metre, one metre away
    float seconds; // since the beginning
    float most; // pixels of the largest point
    float brightness;
    uvec2 spare;
} look;
layout(binding = 5) uniform sampler2D shadow_map; // nearest

struct Sprite {
    vec4 clip;
    float distance_; // along the view, metres
    float diameter;  // pixels, at least 1.5
    vec4 light;      // of its middle, and what it covers
    float soft;      // metres over which it fades before a surface behind it
    float rim;       // 0: soft all over; 1: bright at its edge; -1: a small core in a wide glow
};

float sun_at(vec3 position) {
    vec3 clip = (look.shadow_from_world * vec4(position, 1.0)).xyz;
    if (any(greaterThan(abs(clip.xy), vec2(0.999))) || clip.z < 0.0) return 1.0;
    ivec2 texel = ivec2((0.5 + 0.5 * clip.xy) * look.shadow_side);
    return texelFetch(shadow_map, clamp(texel, ivec2(0), ivec2(look.shadow_side) - 1), 0).r <= clip.z + look.shadow_bias ? 1.0 : 0.0;
}

/// Times 4 pi.
float scatter(float cosine, float g) {
    float far = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (far * sqrt(far));
}

/// More of them are finer, not brighter.
float among(uint count, float usual) { return pow(min(usual / max(float(count), 1.0), 1.0), 0.7); }

Sprite sprite_of(Particle p, uint i) {
    Sprite s;
    uint kind = kind_of(KIND, i);
    s.clip = look.clip_from_world * vec4(p.position, 1.0);
    s.distance_ = s.clip.w;
    float age = float(p.life & 0xFFFFu) / 65536.0, size = float(p.life >> 16) / 65535.0;
    vec3 ray = normalize(p.position - look.eye);
    float forward = dot(ray, look.sun), sun = kind == BODIES ? 1.0 : sun_at(p.position);
    float metres, fade = smoothstep(0.0, 0.12, age) * smoothstep(0.0, 0.12, 1.0 - age);
    vec3 light;
    float cover = 0.0;
    s.rim = 0.0;
    s.soft = 0.12 * motion.metre;
    if (kind == MOTES) {
        // Large ones are seen one by one, the rest make the shafts.
        float large = size * size * size;
        metres = 0.0025 + 0.0125 * large * large;
        float glint = 0.65 + 0.35 * sin(look.seconds * (0.7 + 2.0 * fract(size * 7.3)) + 40.0 * size);
        light = look.sun_light * sun * (0.012 + 0.055 * scatter(forward, 0.62)) * glint + look.sky * 0.02;
        fade *= 0.45 + 0.4 * large;
    } else if (kind == SPRAY) {
        metres = 0.008 + 0.014 * size * size;
        light = look.sun_light * sun * (0.10 + 0.09 * scatter(forward, 0.7)) + look.sky * 0.9;
        cover = 0.12;
        fade = 0.7 * among(KIND == QUIET ? motion.count - motion.split : motion.count, 3000.0);
        s.rim = 0.75;
        s.soft = 0.04 * motion.metre;
    } else if (kind == FIREFLIES) {
        metres = 0.06 + 0.04 * size;
        s.rim = -1.0;
        float beat = fract(look.seconds / (2.2 + 2.6 * size) + float(p.seed & 1023u) / 1024.0);
        float flash = smoothstep(0.0, 0.10, beat) * (1.0 - smoothstep(0.22, 0.62, beat));
        light = vec3(0.62, 1.0, 0.16) * (look.white * 4.0 * flash);
    } else {
        metres = 0.02 + 0.018 * size;
        float speed = length(p.velocity) / motion.metre;
        light = mix(vec3(1.0, 0.30, 0.07), vec3(0.22, 0.48, 1.0), smoothstep(0.15, 1.1, speed)) * (look.white * 0.6);
        fade = among(motion.count, 500.0);
    }
    float wanted = 2.0 * metres * motion.metre * look.pixels / max(s.distance_, look.near);
    s.diameter = min(max(wanted, 1.5), look.most);
    // Smaller ones lose light by area; `look.most` limits large ones.
    float part = wanted / s.diameter;
    s.light = vec4(light * look.brightness, cover) * (fade * (wanted < s.diameter ? part * part : 1.0));
    s.light *= smoothstep(2.0, 8.0, s.distance_ / look.near);
    return s;
}

vec3 disc_of(Sprite s) { return vec3((0.5 + 0.5 * s.clip.xy / s.clip.w) * look.size, 0.5 * s.diameter); }

float profile(float r2, float rim) {
    float disc = max(1.0 - r2, 0.0), soft = disc * disc;
    if (rim < 0.0) {
        float core = soft * soft * soft * soft;
        return 0.08 * soft + 0.92 * core * core;
    }
    return mix(disc * disc, disc * (0.35 + 2.2 * r2 * r2), rim);
}

float share(float rim) { return 0.78539816 * (rim < 0.0 ? 0.08 / 3.0 + 0.92 / 17.0 : 1.0 / 3.0); }

float before(float depth, float distance_, float soft) {
    return depth <= 0.0 ? 1.0 : clamp((look.near / depth - distance_) / soft + 0.5, 0.0, 1.0);
}

#endif
