//! Source of the numbers of a table: whole numbers from words or from a picture, and the quantity that is summed.
#ifndef SUMMED_AREA_SOURCE
#define SUMMED_AREA_SOURCE
#include "summed_area/push.glsl"
#include "summed_area/sum.glsl"

#include "summed_area/means.glsl"

const uint WORDS = 0, LUMA = 1, LUMA_AND_SQUARE = 2, CHANNELS = 3;
layout(constant_id = 21) const uint SOURCE = WORDS;
layout(constant_id = 22) const uint OFFSET = 0;  // 1: minus a half, 2: minus the mean
layout(constant_id = 23) const uint CENTRED = 0; // four tables that begin in the middle

layout(binding = 0) uniform sampler2D picture; // nearest, clamped
layout(binding = 1, scalar) readonly buffer Words { uvec4 words[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; }; // mean_done.comp

/// Rec. 709 in 256ths.
uint luma(uvec3 c) { return (54 * c.r + 183 * c.g + 19 * c.b + 128) / 256; }

uint summed(uint number, uint channel) {
    if (FLOAT == 0) return number;
    float scale = push.scale;
    if (SOURCE == LUMA_AND_SQUARE) scale = channel == 0 ? scale : scale * scale;
    // An error of the last bit here is one of thousands in the table: rounded as is written.
    precise float value = (float(number) - (OFFSET == 2 ? uintBitsToFloat(means[MEAN + channel]) : 0.0)) * scale;
    precise float less_half = OFFSET == 1 ? value - 0.5 : value;
    return floatBitsToUint(less_half);
}

uint number_at(uint channel, uvec2 at) {
    if (SOURCE == WORDS) {
        uint word = channel * push.words_plane + at.y * push.words_pitch + at.x;
        return words[word >> 2][word & 3];
    }
    vec4 texel = texelFetch(picture, ivec2(push.first + at), 0);
    uvec4 whole = uvec4(texel * push.unit + 0.5);
    if (SOURCE == LUMA) return luma(whole.rgb);
    if (SOURCE == LUMA_AND_SQUARE) {
        uint l = luma(whole.rgb);
        return channel == 0 ? l : l * l;
    }
    return whole[channel];
}

/// Of four centred tables: plane / channels & 1 goes right and & 2 down from the middle.
uvec2 place_of(uint plane, uvec2 at) {
    if (CENTRED == 0) return at;
    uvec2 middle = push.full / 2, way = uvec2(plane / push.channels & 1, plane / push.channels >> 1 & 1);
    // Beyond the left or upper border it wraps to a place outside every picture.
    return mix(middle - 1 - at, middle + at, equal(way, uvec2(1)));
}

uint source_at(uint plane, uvec2 at) {
    uvec2 there = place_of(plane, at);
    bool inside = all(lessThan(at, push.size)) && all(lessThan(there, push.full));
    uint channel = CENTRED == 1 ? plane % push.channels : plane;
    uint word = summed(number_at(channel, min(there, push.full - 1)), channel);
    return inside ? word : 0;
}

/// The column divides by four.
uvec4 source_four(uint plane, uvec2 at) {
    if (SOURCE + CENTRED == 0) {
        if (any(greaterThanEqual(at, push.size))) return uvec4(0);
        uvec4 whole = words[plane * push.words_plane + at.y * push.words_pitch + at.x >> 2];
        uvec4 all = uvec4(summed(whole.x, plane), summed(whole.y, plane), summed(whole.z, plane), summed(whole.w, plane));
        return mix(uvec4(0), all, lessThan(at.x + uvec4(0, 1, 2, 3), uvec4(push.size.x)));
    }
    return uvec4(source_at(plane, at), source_at(plane, at + uvec2(1, 0)), source_at(plane, at + uvec2(2, 0)),
                 source_at(plane, at + uvec2(3, 0)));
}

#endif
