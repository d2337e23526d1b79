//! Luminance of linear light, by the primaries of BT.709.
#ifndef INCLUDE_LUMA
#define INCLUDE_LUMA

const vec3 LUMA = vec3(0.2126, 0.7152, 0.0722);

#endif
