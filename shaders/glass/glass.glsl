//! Values of the glass that is drawn: one as uniforms, or with SEVERAL_GLASSES that of the tile, from a list.
#ifndef GLASS_GLASS
#define GLASS_GLASS

#ifdef STANDALONE
#include "settings"
#else
#include "glass/lens.glsl"

#ifdef SEVERAL_GLASSES
struct GlassValues {
#include "glass/values.glsl"
};

layout(scalar, binding = 0) readonly buffer Glasses {
    GlassValues glass[];
} glasses;

uint glass_of_tile;
#define glass glasses.glass[glass_of_tile]
#else
layout(scalar, binding = 0) uniform GlassBlock {
#include "glass/values.glsl"
} glass;
#endif
#endif

#endif
