//! Surface: a flat face with a rounded bevel. CPU reference: src/techniques/glass/lab/reference/optics.rs.
#ifndef GLASS_SURFACE
#define GLASS_SURFACE
#include "glass/glass.glsl"

const float MAX_SLOPE = 9.0;
const float RIM_DEPTH = 0.35;

struct Surface {
    float t;
    float h;
    float s;
};

Surface surface(float d, float bevel, float tilt) {
    float t = clamp(-d / bevel, RIM_DEPTH / bevel, 1.0);
    float q = glass.profile;
    float u = 1.0 - t;
    // pow(0, q - 1) depends on the driver: the face is set below.
    float rest = pow(max(u, 1e-6), q - 1.0);
    float k = 1.0 - rest * u;
    float h = pow(k, 1.0 / q);
    float rise = rest * h / k;
    float steep = glass.height / bevel * tilt * rise;
    float s = min(steep, MAX_SLOPE);
    bool is_face = u <= 0.0;
    return Surface(is_face ? 1.0 : t, is_face ? 1.0 : h, is_face ? 0.0 : s);
}

#endif
