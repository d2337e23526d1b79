//! One lens, as `GpuLens` in src/techniques/glass/passes/uniforms.rs; lengths in pixels of the window.
#ifndef GLASS_LENS
#define GLASS_LENS

struct Lens {
    vec2 center;
    /// To the frame in which the half axes of the corners are 1.
    mat2 unit_from_window;
    /// Half size of the box on whose corners the curved parts are centred, in that frame.
    vec2 core;
    float exponent;
    float bevel;
    /// Of words: offset in the buffer of fields, width, height. No field if the height is 0.
    uvec3 field;
    /// Of the lens' own frame; and texels that are added all around.
    float texels_per_px;
    float weight;
    /// 0 to 1.
    float bright;
    /// Lenses of one number melt.
    uint container;
    /// Half size of the upright rectangle around it.
    vec2 extent;
};

#endif
