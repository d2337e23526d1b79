#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#define VERTEX
#include "particles/look.glsl"
#include "particles/sprite.glsl"

//! A particle as two triangles, read by index: six vertices each. Up to 2^24 particles.
layout(binding = 1, scalar) readonly buffer From { uvec4 from[]; };

void main() {
    const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
    uint i = uint(gl_VertexIndex) / 6;
    uvec4 a = from[2 * i], b = from[2 * i + 1];
    Sprite s = sprite_of(Particle(uintBitsToFloat(a.xyz), a.w, uintBitsToFloat(b.xyz), b.w), i);
    disc = disc_of(s);
    gl_Position = s.clip;
    gl_Position.xy += corners[uint(gl_VertexIndex) % 6] * (s.diameter + MARGIN) / look.size * s.clip.w;
    light = s.light;
    reach = vec3(s.distance_, s.soft, s.rim);
}
