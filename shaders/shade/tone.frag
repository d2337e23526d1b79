#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/display.glsl"
#include "shade/tone.glsl"

// Exposure, tone curve, encoding and dither, pixel by pixel. Pictures up to 65535 pixels a side.
layout(binding = 0) uniform sampler2D hdr; // nearest
layout(constant_id = 2) const uint TONE = 0; // 0 film, 1 aces, 2 reinhard, 3 none
layout(push_constant, scalar) uniform Push { float exposure; } push;
layout(location = 0) out vec4 color;

void main() {
    vec3 light = texelFetch(hdr, ivec2(gl_FragCoord.xy), 0).rgb * push.exposure;
    vec3 encoded;
    if (TONE == 0) encoded = film(light);
    else if (TONE == 1) encoded = encoded_from_linear(aces(light));
    else if (TONE == 2) encoded = encoded_from_linear(reinhard(light));
    else encoded = encoded_from_linear(clamp(light, 0.0, 1.0));
    color = shown(encoded, gl_FragCoord.xy);
}
