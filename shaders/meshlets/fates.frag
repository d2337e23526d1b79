#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: vertex MESH=0
// variant: mesh MESH=1
//! Translucent colour of a meshlet instance's culling result, premultiplied. A table: branches would cost the software
//! driver a compilation for each draw.
#include "include/world.glsl"
#include "meshlets/cull_result.glsl"
#include "meshlets/id.glsl"

layout(binding = 7, scalar) readonly buffer Fates { uint fates[]; };
layout(location = 0) out vec4 layer;

const vec3 COLOURS[4] = vec3[4](vec3(0.6), vec3(0.16, 0.50, 1.0), vec3(1.0, 0.62, 0.10), vec3(1.0, 0.12, 0.38));

void main() {
    const float opacity = 0.30;
    layer = vec4(COLOURS[min(fates[meshlet_instance_of(id)], OCCLUDED)] * opacity, opacity);
}
