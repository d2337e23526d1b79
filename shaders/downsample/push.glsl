//! Push constant with the size of the drawn area: fragment shaders cannot query it.
#ifndef DOWNSAMPLE_PUSH
#define DOWNSAMPLE_PUSH

layout(push_constant, scalar) uniform SizePush { ivec2 size; } push;

#endif
