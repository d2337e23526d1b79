#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "reflections/uniforms.glsl"

//! Views of the bounces, in the order of src/techniques/reflections/views.rs.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 18) uniform sampler2D traced_light; // nearest
layout(binding = 31, scalar) readonly buffer Visits { uint visits[]; };
layout(binding = 19, rgba8) uniform writeonly image2D picture;
const uint VIEW_DEPTH = 0, VIEW_WORDS = 1, VIEW_NODES = 2;

const vec3 HEAT[5] = vec3[5](vec3(26, 51, 140), vec3(31, 158, 107), vec3(242, 204, 64), vec3(217, 38, 31), vec3(255, 240, 240));

vec3 heat(float part) {
    float at = clamp(part, 0.0, 1.0) * 4.0;
    uint low = min(uint(at), 3u);
    return mix(HEAT[low], HEAT[low + 1], at - float(low));
}

float bounces_at(uvec2 at) { return all(lessThan(at, plan.size)) ? texelFetch(traced_light, ivec2(at), 0).a : 0.0; }

void main() {
    uvec2 to = gl_GlobalInvocationID.xy, whole = uvec2(imageSize(picture));
    if (any(greaterThanEqual(to, whole))) return;
    uvec2 at = min(uvec2((vec2(to) + 0.5) / vec2(whole) * vec2(plan.size)), plan.size - 1u);
    float bounces = bounces_at(at), bounce = float(plan.view_bounce);
    uint item = item_of_pixel(at);
    vec3 color = vec3(0.0);
    if (plan.view == VIEW_DEPTH) {
        if (bounces > 0.0) color = heat((bounces - 1.0) / 7.0);
    } else if (plan.view == VIEW_WORDS) {
        uint live = 0;
        for (uint bit = 0; bit < 32; bit++) live += bounces_at(pixel_of_item((item & ~31u) + bit)) > bounce ? 1u : 0u;
        if (live > 0) color = heat(float(live - 1u) / 31.0);
    } else if (plan.view == VIEW_NODES) {
        if (bounces > 0.0) color = heat(log2(max(float(visits[item]) / bounces, 1.0)) / 8.0);
    } else if (bounces > bounce)
        color = vec3(255.0);
    imageStore(picture, ivec2(to), vec4(color / 255.0, 1.0));
}
