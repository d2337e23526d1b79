#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
// variant: floats UNSIGNED=0
// variant: integers UNSIGNED=1
#include "include/srgb.glsl"
#include "include/tile.glsl"

//! Captured image as a picture: magnified texel for texel, reduced by the nearest texel. Encoded colours.
layout(local_size_x = 16, local_size_y = 8) in;
#if UNSIGNED
layout(binding = 0) uniform usampler2D texels;
#else
layout(binding = 0) uniform sampler2D texels;
#endif
layout(binding = 1, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform Push {
    /// At the centre of pixel (0, 0), and texels to the next.
    vec2 origin;
    float step;
    float low;
    float high;
    uint look;
    uint channel;
} push;
layout(constant_id = 0) const uint BLUE_FIRST = 0;
layout(constant_id = 1) const uint IS_ENCODED = 0;

const uint COLOUR = 0, GREY = 1, RAMP = 2, HASH = 3;
const vec3 NOT_A_NUMBER = vec3(1.0, 0.0, 0.8), INFINITE = vec3(0.0, 0.85, 1.0), OUTSIDE = vec3(0.02);

const vec3 SCALE[5] = vec3[5](vec3(16, 18, 60), vec3(40, 90, 190), vec3(50, 170, 140), vec3(235, 200, 70), vec3(250, 250, 240));

vec3 ramp(float part) {
    float place = part * 4.0, low = min(floor(place), 3.0);
    return mix(SCALE[uint(low)], SCALE[uint(low) + 1u], place - low) / 255.0;
}

vec3 hashed(uint bits) {
    uint word = key_of(bits);
    return bits == 0 ? vec3(0.0) : 0.25 + 0.75 * vec3(word & 255, word >> 8 & 255, word >> 16 & 255) / 255.0;
}

vec3 placed(vec3 value) { return clamp((value - push.low) / (push.high - push.low), 0.0, 1.0); }

vec3 shown(ivec2 at) {
#if UNSIGNED
    uvec4 stored = texelFetch(texels, at, 0);
    if (push.look == HASH) return hashed(stored[push.channel]);
    vec4 value = vec4(stored);
#else
    vec4 value = texelFetch(texels, at, 0);
    uvec4 bits = floatBitsToUint(value);
    if (push.look == HASH) return hashed(bits[push.channel]);
    uvec4 magnitude = bits & 0x7FFFFFFF;
    bvec4 is_looked_at = push.look == COLOUR ? bvec4(true, true, true, false) : equal(uvec4(0, 1, 2, 3), uvec4(push.channel));
    if (any(greaterThan(magnitude * uvec4(is_looked_at), uvec4(0x7F800000)))) return NOT_A_NUMBER;
    if (any(equal(magnitude * uvec4(is_looked_at), uvec4(0x7F800000)))) return INFINITE;
#endif
    if (push.look == COLOUR) {
        vec3 part = placed(value.rgb);
        return IS_ENCODED == 1 ? part : encoded_from_linear(part);
    }
    float part = placed(vec3(value[push.channel])).x;
    return push.look == RAMP ? ramp(part) : vec3(part);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(picture)))) return;
    ivec2 at = ivec2(floor(push.origin + vec2(pixel) * push.step)), size = textureSize(texels, 0);
    bool is_inside = all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size));
    vec3 encoded = is_inside ? shown(at) : OUTSIDE;
    imageStore(picture, pixel, vec4(BLUE_FIRST == 1 ? encoded.bgr : encoded, 1.0));
}
