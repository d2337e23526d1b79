//! Per-frame uniforms; src/techniques/antialias/passes/history.rs fills them. CPU reference of the antialiasing:
//! src/techniques/antialias/lab/reference.rs.
#ifndef ANTIALIAS_FRAME
#define ANTIALIAS_FRAME

// No branch may depend on this block alone: lavapipe would compile the shader again for each value.
layout(binding = 5, scalar) uniform Frame {
    mat4 before_from_now; // from this frame's clip space to that of the frame before, both without shift
    vec2 size;            // pixels of the light
    vec2 whole;           // pixels of the picture
    vec2 shift;           // where in its pixel the light was sampled, from the middle, in pixels of the light
    float exposure;       // what light is multiplied by before the tone curve
    float moves;          // 1: the camera is another than before; 0: it is not
    float rests;          // 1: all is as before, but for the shift
    float begins;         // 1: it is the first such frame; 0: it is not
    float most;           // samples that the history counts for at the most; 0: there is none
    float reach;          // standard deviations about the mean that the history may have
    float reject;         // 1: what shows another surface has no history; 0: it has
    vec2 kept;            // pixels of the history
    float repeats;        // 1: the mean of the samples at rest contains these already; 0: it does not
} frame;

struct Around {
    vec3 own; // compressed, YCoCg, as the next two
    vec3 mean;
    vec3 deviation;
    vec2 motion;   // from here to where the surface in front was in the frame before, in clip space, whose sides are 2 long
    vec2 depths;   // of the surface in front, and own
    vec2 expected; // which depths the same surfaces had in the frame before
    uint meshlets; // the lowest bits of the numbers of both
};

const uint MESHLET_BITS = 14;

uvec2 surface_of(Around a) { return uvec2(packHalf2x16(a.depths), a.meshlets); }

bool is_near(float before, float now) { return abs(before - now) <= 0.1 * max(before, now); }

/// A bright sample among dark ones must not count for more than its displayed value (Karis, "High Quality Temporal
/// Supersampling", 2014). An invertible fit to the film curve, within 0.03 of it.
const float CURVE_P = 0.0708, CURVE_Q = 0.5324, CURVE_R = 0.1096;
vec3 compressed(vec3 c) {
    c *= frame.exposure;
    return c * (c + CURVE_P) / ((c + CURVE_Q) * c + CURVE_R);
}
vec3 expanded(vec3 y) {
    y = min(y, 0.9995);
    vec3 a = 1.0 - y, b = CURVE_P - CURVE_Q * y, c = CURVE_R * y, root = sqrt(b * b + 4.0 * a * c);
    // Without cancellation.
    return mix((root - b) / (2.0 * a), 2.0 * c / (root + abs(b)), greaterThan(b, vec3(0.0))) / frame.exposure;
}

vec3 ycocg_of(vec3 c) { return vec3(0.25 * (c.r + c.b) + 0.5 * c.g, 0.5 * (c.r - c.b), 0.5 * c.g - 0.25 * (c.r + c.b)); }
vec3 averaged(vec3 light) { return ycocg_of(compressed(light)); }
vec3 rgb_of(vec3 c) { return vec3(c.x - c.z + c.y, c.x + c.z, c.x - c.z - c.y); }

#endif
