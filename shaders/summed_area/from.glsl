//! Input of a pass: the source itself in the first one, else the result of the pass before.
#ifndef SUMMED_AREA_FROM
#define SUMMED_AREA_FROM
#include "summed_area/source.glsl"

layout(constant_id = 24) const uint FIRST = 0;

layout(binding = 3, scalar) readonly buffer From { uint from[]; };

uint read(uint plane, uvec2 at) {
    if (FIRST == 1) return source_at(plane, at);
    bool inside = all(lessThan(at, push.size));
    uvec2 there = min(at, push.size - 1);
    uint word = from[plane * push.plane + there.y * push.from_pitch + there.x];
    return inside ? word : 0;
}

#endif
