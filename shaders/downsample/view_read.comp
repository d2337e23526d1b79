#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! View of each source pixel's weight in the result, in the colours of the legend in views.rs. Sides up to 16384.

layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D weights;  // R32F, of the whole picture; each pixel's fair share is 1
layout(binding = 1) uniform sampler2D below;    // the picture, encoded
layout(binding = 2, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform ReadPush { ivec2 made; } push; // size of the result

const vec3 COLORS[6] = vec3[](vec3(20, 22, 28), vec3(214, 60, 200), vec3(40, 92, 160), vec3(64, 176, 120), vec3(240, 190, 60), vec3(250, 96, 56));

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(picture);
    if (any(greaterThanEqual(at, size))) return;
    float weight = texelFetch(weights, at, 0).r;
    uint sort = weight < -0.001 ? 1 : weight <= 0.001 ? 0 : weight < 0.5 ? 2 : weight <= 2.0 ? 3 : weight <= 8.0 ? 4 : 5;
    vec3 color = COLORS[sort] / 255.0;
    ivec2 block = at * push.made / size;
    if (((block.x ^ block.y) & 1) != 0) color = mix(color, vec3(1.0), 0.1);
    imageStore(picture, at, vec4(mix(color, texelFetch(below, at, 0).rgb, 0.25), 1.0));
}
