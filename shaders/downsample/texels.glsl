//! Output format of results. The includer defines TEXELS: 0 floats, 1 half floats, 2 bytes.
#ifndef DOWNSAMPLE_TEXELS
#define DOWNSAMPLE_TEXELS
#include "downsample/stored.glsl"

#if TEXELS == 0
#define FORMAT rgba32f
#elif TEXELS == 1
#define FORMAT rgba16f
#else
#define FORMAT rgba8
#endif

vec4 stored(vec4 value) {
#if TEXELS == 2
    value = rounded(value);
#endif
    return value;
}

#endif
