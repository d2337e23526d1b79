#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#define VERTEX
#include "particles/look.glsl"
#include "particles/sprite.glsl"

//! A particle as a point: the state that compute wrote is the vertex buffer. Up to 2^24 particles.
layout(location = 0) in vec3 position;
layout(location = 1) in uint seed;
layout(location = 2) in vec3 velocity;
layout(location = 3) in uint life;

void main() {
    Sprite s = sprite_of(Particle(position, seed, velocity, life), gl_VertexIndex);
    gl_Position = s.clip;
    gl_PointSize = min(s.diameter + MARGIN, look.most);
    disc = disc_of(s);
    light = s.light;
    reach = vec3(s.distance_, s.soft, s.rim);
}
