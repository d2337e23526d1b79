//! Pixel of each lane, by the list or by raster, and its kind of material.
#ifndef SHADE_WORK
#define SHADE_WORK
#include "include/pixel_list.glsl"
#include "include/world.glsl"
#include "include/material.glsl"
#include "shade/groups.glsl"
#include "shade/world.glsl"

#ifndef VIEW
layout(binding = 20, scalar) readonly buffer Arguments { uint arguments[]; };

uvec2 pixel_of(uint group, uint lane) {
    if (choices.by_list == 0) return pixel_of_group(group, lane);
    uint j = group * 128 + lane;
    uint entry = j < arguments[scene.count_at] ? entry_at(j, choices.is_short != 0, scene.tiles_across) : PADDING;
    return uvec2(entry & 0xFFFFu, entry >> 16);
}
#endif

uint kind_of(uint visibility) {
    uint kind = kind_at(material_of(meshlet_instance_at(meshlet_instance_of(visibility)).instance));
    return kind < KINDS_ALL ? kind : PLAIN;
}

#endif
