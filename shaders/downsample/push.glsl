// The size of what is drawn: fragment shaders cannot ask for it.
#ifndef DOWNSAMPLE_PUSH
#define DOWNSAMPLE_PUSH

layout(push_constant, scalar) uniform SizePush { ivec2 size; } push;

#endif
