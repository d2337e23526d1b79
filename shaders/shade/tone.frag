#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "include/srgb.glsl"
#include "shade/tone.glsl"

// Exposure, tone curve, encoding and dither; where the picture is larger than the light, a Catmull-Rom filter before them.
// Pictures up to 65535 pixels a side.
layout(binding = 0) uniform sampler2D hdr; // nearest
layout(constant_id = 0) const uint TONE = 0;      // 0 film, 1 aces, 2 reinhard, 3 none
layout(constant_id = 1) const uint UPSCALE = 0;
layout(constant_id = 2) const uint DITHER = 1;
layout(constant_id = 3) const uint TARGET_IS_SRGB = 0;
layout(push_constant, scalar) uniform Push {
    vec2 scale; // texels of the light for a pixel
    float exposure;
} push;
layout(location = 0) out vec4 color;

/// Brightness is squeezed while filtering, so that a highlight does not ring.
vec3 squeezed(vec3 c) { return c / (1.0 + max(c.r, max(c.g, c.b))); }
vec3 unsqueezed(vec3 c) { return c / max(1.0 - max(c.r, max(c.g, c.b)), 1e-4); }

vec3 light_at(ivec2 at, ivec2 last) { return squeezed(texelFetch(hdr, clamp(at, ivec2(0), last), 0).rgb * push.exposure); }

vec4 catmull_rom(float f) {
    float f2 = f * f, f3 = f2 * f;
    return vec4(-0.5 * f3 + f2 - 0.5 * f, 1.5 * f3 - 2.5 * f2 + 1.0, -1.5 * f3 + 2.0 * f2 + 0.5 * f, 0.5 * f3 - 0.5 * f2);
}

vec3 upscaled(vec2 pixel) {
    vec2 at = pixel * push.scale - 0.5, low = floor(at), f = at - low;
    ivec2 p = ivec2(low), last = textureSize(hdr, 0) - 1;
    vec4 across = catmull_rom(f.x), along = catmull_rom(f.y);
    vec3 sum = vec3(0.0), least = vec3(1.0), most = vec3(0.0);
    for (int y = 0; y < 4; y++) {
        vec3 a = light_at(p + ivec2(-1, y - 1), last), b = light_at(p + ivec2(0, y - 1), last);
        vec3 c = light_at(p + ivec2(1, y - 1), last), d = light_at(p + ivec2(2, y - 1), last);
        sum += along[y] * (across.x * a + across.y * b + across.z * c + across.w * d);
        if (y == 1 || y == 2) {
            least = min(least, min(b, c));
            most = max(most, max(b, c));
        }
    }
    return unsqueezed(clamp(sum, least, most));
}

void main() {
    vec3 light = UPSCALE != 0 ? upscaled(gl_FragCoord.xy) : texelFetch(hdr, ivec2(gl_FragCoord.xy), 0).rgb * push.exposure;
    vec3 encoded;
    if (TONE == 0) encoded = film(light);
    else if (TONE == 1) encoded = encoded_from_linear(aces(light));
    else if (TONE == 2) encoded = encoded_from_linear(reinhard(light));
    else encoded = encoded_from_linear(clamp(light, 0.0, 1.0));
    if (DITHER != 0) {
        // Interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call of Duty", 2014): half a step to either side.
        vec2 at = floor(gl_FragCoord.xy);
        float grain = fract(52.9829189 * fract(0.06711056 * at.x + 0.00583715 * at.y)) - 0.5;
        encoded = clamp(encoded + grain / 255.0, 0.0, 1.0);
    }
    color = vec4(TARGET_IS_SRGB != 0 ? linear_from_encoded(encoded) : encoded, 1.0);
}
