//! One lens, as `GpuLens` in src/techniques/glass/uniforms.rs; lengths in pixels of the window.
#ifndef GLASS_LENS
#define GLASS_LENS

const uint MAX_LENSES = 8;

struct Lens {
    vec2 center;
    /// Takes a way in the window to the frame in which the half axes of the corners are 1.
    mat2 unit_from_window;
    /// Half size, in that frame, of the box on whose corners the curved parts are centred: 0 for a superellipse.
    vec2 core;
    float exponent;
    float bevel;
    /// Of words: offset of their field in the buffer of fields, its width and its height. No field if the height is 0.
    uvec3 field;
    /// Texels of the field for each pixel of the lens' own frame, and texels that are added all around.
    float texels_per_px;
    float weight;
    /// Assumed brightness of the picture below, 0 to 1.
    float bright;
};

#endif
