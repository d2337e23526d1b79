//! Exposure, tone curve and encoding of one pixel. Pictures up to 65535 pixels a side.
#ifndef SHADE_CURVE
#define SHADE_CURVE
#include "shade/display.glsl"
#include "shade/tone.glsl"

layout(binding = 0) uniform sampler2D hdr; // nearest
layout(constant_id = 2) const uint TONE = 0; // 0 film, 1 aces, 2 reinhard, 3 none
layout(push_constant, scalar) uniform Push { float exposure; } push;

vec3 curved(ivec2 at) {
    vec3 light = texelFetch(hdr, at, 0).rgb * push.exposure;
    if (TONE == 0) return film(light);
    if (TONE == 1) return encoded_from_linear(aces(light));
    if (TONE == 2) return encoded_from_linear(reinhard(light));
    return encoded_from_linear(clamp(light, 0.0, 1.0));
}

#endif
