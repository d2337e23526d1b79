#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Radius of each pixel and its square, as parts of the widest, for a table of them.
layout(local_size_x = 16, local_size_y = 16) in;
#include "summed_area/coc.glsl"
layout(binding = 4, scalar) writeonly buffer Lines { uint lines[]; };

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.full))) return;
    float part = radius_at(at) / max(push.widest, 1e-6);
    uint place = at.y * push.lines_pitch + at.x;
    lines[place] = uint(part * push.scale + 0.5);
    lines[place + push.lines_plane] = uint(part * part * push.scale + 0.5);
}
