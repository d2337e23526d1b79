#version 460
#extension GL_GOOGLE_include_directive : require
// variant: same SAME=1
// variant: larger LARGER=1
#include "include/prelude.glsl"
#include "antialias/gather.glsl"

//! Views of the last frame's accumulation, in the order of src/techniques/antialias/views.rs.
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 6, rgba8) uniform writeonly image2D picture;
layout(constant_id = 0) const uint VIEW = 0; // 0 weight, 1 motion, 2 rejected, 3 samples

const vec3 RAMP[5] = vec3[5](vec3(16, 18, 60), vec3(40, 90, 190), vec3(50, 170, 140), vec3(235, 200, 70), vec3(250, 250, 240));

vec3 ramp(float part) {
    float place = clamp(part, 0.0, 1.0) * 4.0, low = min(floor(place), 3.0);
    return mix(RAMP[uint(low)], RAMP[uint(low) + 1u], place - low) / 255.0;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(picture)))) return;
    Gathered g = gathered(min(ivec2((vec2(at) + 0.5) / vec2(imageSize(picture)) * frame.whole), ivec2(frame.whole) - 1));
    vec3 color;
    if (VIEW == 0) color = ramp(g.before / max(g.samples, 1e-3));
    else if (VIEW == 1) color = clamp(vec3(0.5 + g.motion * (vec2(imageSize(picture)) / frame.whole) / 32.0, 0.5), 0.0, 1.0);
    else if (VIEW == 2) {
        float grey = 0.15 + 0.35 * clamp(g.color.x, 0.0, 1.0);
        color = mix(vec3(grey), vec3(240.0, 190.0, 60.0) / 255.0, clamp(8.0 * g.clamped, 0.0, 1.0));
        color = mix(color, vec3(220.0, 45.0, 40.0) / 255.0, g.rejected);
    } else color = ramp(g.samples / 64.0);
    imageStore(picture, at, vec4(color, 1.0));
}
