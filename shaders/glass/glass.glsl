//! Uniforms of one draw of the glass, as declared in src/techniques/glass/passes/uniforms.rs; lengths in pixels of the window. At most
//! MAX_LENSES lenses.
#ifndef GLASS_GLASS
#define GLASS_GLASS

#ifdef STANDALONE
#include "settings"
#else
#include "glass/lens.glsl"

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
    vec3 light_color;
    vec2 halfway;
    float rim_width;
    float rim;
    float gloss;
    float caustic;
    float mirror;
    float fire;
    float shadow;
    float shadow_sigma;
    float shadow_drop;
    float contour;
    float saturation;
    vec3 tint;
    float tint_part;
    float veil;
    vec3 body;
    vec3 body_log2;
    uint taps;
    float adaptive;
    /// Pixels; 1 / reach of the glow, and its strength.
    vec2 pressed;
    float glow_scale;
    float glow;
    /// 0 to 1; the largest luminance below text; the map from a pixel to the shades.
    float legible;
    float ground;
    vec2 shade_first;
    vec2 shade_scale;
    vec2 frosted_scale;
    vec2 frosted_shift;
    /// Displacement at the edge per pixel of the bevel's width; frost over bright pictures, pixels; gain, offset and
    /// gain of colour over dark and bright pictures.
    float displacement;
    float frost_light;
    vec3 body_dark;
    vec3 body_light;
    float body_opens;
} glass;
#endif

#endif
