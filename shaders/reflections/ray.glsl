//! State of a ray between mirrors: 32 bytes a pixel, packed after every bounce, so that every way of finding the work
//! gives the same picture.
#ifndef REFLECTIONS_RAY
#define REFLECTIONS_RAY
#include "include/mirror.glsl"
#include "shade/scene.glsl"

struct Ray {
    vec3 origin;
    vec3 direction;
    vec3 through;  // of the light that comes this way, how much arrives
    vec3 radiance; // what has arrived
    float width;   // of the cone that represents the pixel, metres at the origin
    float spread;  // growth per metre: the angle between rays of neighbouring pixels
    float worth;   // factor of the first mirror: too little is not traced further
};

struct Packed {
    uvec4 a;
    uvec4 b;
};

Packed packed(Ray r) {
    Packed p;
    p.a = uvec4(floatBitsToUint(r.origin), octahedral_from_unit(r.direction));
    p.b = uvec4(packed_rgb9e5(r.through), packHalf2x16(vec2(r.width, r.spread)), packHalf2x16(r.radiance.rg),
        packHalf2x16(vec2(r.radiance.b, r.worth)));
    return p;
}

Ray way_of(Packed p) {
    vec2 cone = unpackHalf2x16(p.b.y);
    return Ray(uintBitsToFloat(p.a.xyz), unit_from_octahedral(p.a.w), vec3(0.0), vec3(0.0), cone.x, cone.y, 0.0);
}

/// Unpacked it takes 7 registers, packed 3.
void add_light(inout Ray r, Packed p) {
    vec2 b_worth = unpackHalf2x16(p.b.w);
    r.through = unpacked_rgb9e5(p.b.x);
    r.radiance = vec3(unpackHalf2x16(p.b.z), b_worth.x);
    r.worth = b_worth.y;
}

Ray unpacked(Packed p) {
    Ray r = way_of(p);
    add_light(r, p);
    return r;
}

/// An origin that does not hit its own triangle again (Wächter and Binder, "A Fast and Robust Method for Avoiding
/// Self-Intersection", Ray Tracing Gems, 2019).
vec3 lifted(vec3 p, vec3 normal) {
    ivec3 steps = ivec3(256.0 * normal);
    vec3 far = intBitsToFloat(floatBitsToInt(p) + mix(steps, -steps, lessThan(p, vec3(0.0))));
    return mix(far, p + normal * (1.0 / 65536.0), lessThan(abs(p), vec3(1.0 / 32.0)));
}

vec3 mirrored_from(vec3 direction, vec3 normal, vec3 face) {
    vec3 on = reflect(direction, normal);
    return normalize(dot(on, face) > 1e-3 ? on : reflect(direction, face));
}

#endif
