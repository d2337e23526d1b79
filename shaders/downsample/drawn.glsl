//! Output of a draw to its target.
#ifndef DOWNSAMPLE_DRAWN
#define DOWNSAMPLE_DRAWN
#include "downsample/stored.glsl"

layout(constant_id = 0) const uint TO_BYTES = 0;

vec4 drawn(vec4 value) { return TO_BYTES == 1 ? rounded(value) : value; }

#endif
