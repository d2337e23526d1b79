//! Sort key of an ID: pixels with the same key belong together.
#ifndef PIXEL_SORT_KEYS
#define PIXEL_SORT_KEYS

#include "include/visibility_id.glsl"

layout(constant_id = 20) const uint KEYS = 0; // the whole ID; 1: the meshlet of a visibility value; 2: its material
layout(binding = 8, scalar) readonly buffer MaterialOf { uint material_of[]; }; // by meshlet of the world

uint sort_key_of(uint id) {
    uint key = meshlet_key(id);
    if (KEYS == 0) return id;
    if (KEYS == 1 || key == 0) return key;
    return material_of[key - 1] + 1;
}

#endif
