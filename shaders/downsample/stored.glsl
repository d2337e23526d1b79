//! Rounding of values that are stored in bytes: a GPU may store a value up to 0.6 steps away, and some do.
#ifndef DOWNSAMPLE_STORED
#define DOWNSAMPLE_STORED

vec4 rounded(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) / 255.0; }

#endif
