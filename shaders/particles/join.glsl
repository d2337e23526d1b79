//! Particle layer over the world's light: premultiplied, before exposure.
#ifndef PARTICLES_JOIN
#define PARTICLES_JOIN

vec4 joined_of(vec4 below, vec4 above) { return vec4(below.rgb * (1.0 - clamp(above.a, 0.0, 1.0)) + above.rgb, below.a); }

#endif
