// The world's buffers that say what is where.
#ifndef SHADE_WORLD
#define SHADE_WORLD
#include "include/world.glsl"
#include "include/material.glsl"

layout(binding = 9, scalar) readonly buffer Instances { Instance instances[]; };
layout(binding = 10, scalar) readonly buffer PlacedMeshlets { Placed placed[]; };
layout(binding = 11, scalar) readonly buffer Materials { Material materials[]; };

#endif
