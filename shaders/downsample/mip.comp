#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"
//! Trilinear result from a mip chain in linear light. Any size.
// variant: f32 TEXELS=0
// variant: u8 TEXELS=2
#include "downsample/texels.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D chain; // all levels
layout(binding = 1, FORMAT) uniform writeonly image2D result;
/// The larger level, and the share of the next one.
layout(push_constant, scalar) uniform MipPush { int level; float next; } push;

vec4 in_level(ivec2 at, int level) {
    ivec2 size = textureSize(chain, level), made = imageSize(result);
    vec2 place = max((vec2(at) + 0.5) * vec2(size) / vec2(made) - 0.5, 0.0);
    ivec2 low = ivec2(place), high = min(low + 1, size - 1);
    vec2 part = place - vec2(low);
    vec4 top = mix(texelFetch(chain, low, level), texelFetch(chain, ivec2(high.x, low.y), level), part.x);
    vec4 bottom = mix(texelFetch(chain, ivec2(low.x, high.y), level), texelFetch(chain, high, level), part.x);
    return mix(top, bottom, part.y);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(result)))) return;
    vec4 light = in_level(at, push.level);
    if (push.next > 0.0) light = mix(light, in_level(at, push.level + 1), push.next);
#if TEXELS == 2
    light.rgb = encoded_from_linear(light.rgb);
#endif
    imageStore(result, at, stored(light));
}
