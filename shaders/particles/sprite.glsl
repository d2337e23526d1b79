// What goes from a sprite's corners to its pixels.
#ifndef PARTICLES_SPRITE
#define PARTICLES_SPRITE
#ifdef VERTEX
#define WAY out
#else
#define WAY in
#endif
layout(location = 0) WAY vec2 corner; // -1..1; of a point: unused
layout(location = 1) flat WAY vec4 light;
layout(location = 2) flat WAY vec3 reach; // distance, softness, rim
#endif
