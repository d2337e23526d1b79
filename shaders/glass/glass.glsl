//! The data of one draw of the glass: the same structures as src/techniques/glass/gpu.rs, lengths in pixels of the window.
//! At most MAX_LENSES lenses.
#ifndef GLASS_GLASS
#define GLASS_GLASS

const uint MAX_LENSES = 8;

struct Lens {
    vec2 center;
    /// Takes a way in the window to the frame in which the half axes are 1.
    mat2 unit_from_window;
    float exponent;
    float bevel;
};

layout(scalar, binding = 0) uniform GlassBlock {
    Lens lens[MAX_LENSES];
    uint count;
    float melt;
    float magnify;
    float height;
    float profile;
    float eta;
    float spread;
    float gap;
    float frost;
    float frosted;
    vec2 axis;
    vec2 halfway;
    float rim_width;
    float rim;
    float gloss;
    float caustic;
    float mirror;
    float shadow;
    float shadow_sigma;
    float shadow_drop;
    float contour;
    float saturation;
    vec3 tint;
    float tint_part;
    uint taps;
} glass;

#endif
