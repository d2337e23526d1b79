//! Flat interface from a sprite's vertices to its fragments: the same values for the whole sprite, so that no pixel depends on the
//! device's subpixel precision.
#ifndef PARTICLES_SPRITE
#define PARTICLES_SPRITE
#ifdef VERTEX
#define WAY out
/// Devices round a sprite's corners and size.
const float MARGIN = 0.125;
#else
#define WAY in
#endif
layout(location = 0) flat WAY vec3 disc; // middle and radius, pixels
layout(location = 1) flat WAY vec4 light;
layout(location = 2) flat WAY vec3 reach; // distance, softness, rim
#endif
