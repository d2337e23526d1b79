#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mode "source" of the original article: encoded values, a linear sampler that clamps at the edge, 81 taps or one from the chain.
#include "glass/source.glsl"
#include "glass/display.glsl"
#include "glass/push.glsl"

/// 0: its 81 taps; 1: one tap of the mip chain of the same width.
layout(constant_id = 0) const uint SOURCE_BLUR = 0;

layout(binding = 0) uniform sampler2D picture;
layout(binding = 2) uniform sampler2D behind;
layout(binding = 1) uniform sampler2D chain;

layout(location = 0) out vec4 color;

const float SOURCE_SIGMA = 1.33;

vec3 blurred(vec2 lens) {
    if (SOURCE_BLUR != 0) {
        float lod = 0.5 * log2(2.0 * SOURCE_SIGMA * SOURCE_SIGMA + 0.5);
        return encoded_from_linear(textureLod(chain, lens, lod).rgb);
    }
    vec3 sum = vec3(0.0);
    for (int x = -4; x <= 4; ++x) {
        for (int y = -4; y <= 4; ++y) {
            sum += textureLod(picture, lens + vec2(x, y) * 0.5 / push.size, 0.0).rgb;
        }
    }
    return sum / 81.0;
}

void main() {
    vec2 frag = gl_FragCoord.xy;
    Layers l = layers(frag, push.mouse, push.size);
    if (l.transition <= 0.0) {
        discard;
    }
    vec3 lighting = clamp(blurred(l.lens) + l.rb1 * l.gradient + l.rb2 * 0.3, 0.0, 1.0);
    vec3 beside = textureLod(behind, frag / push.size, 0.0).rgb;
    color = written(mix(beside, lighting, l.transition));
}
