#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "pixel_sort/groups.glsl"

//! Views of IDs and of the list, in the order of views.rs. Images up to 65535 pixels a side.
layout(binding = 4, scalar) readonly buffer Labels { uint labels[]; };
layout(binding = 5, rgba8) uniform writeonly image2D picture;

vec3 colour_of(uint word) {
    uint key = key_of(word);
    float hue = float(key & 0xFFFF) / 65536.0, light = 0.55 + 0.45 * float(key >> 16 & 0xFF) / 255.0;
    float grey = 0.35 * float(key >> 24) / 255.0;
    vec3 pure = clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return word == 0 ? vec3(0.0) : mix(pure, vec3(1.0), grey) * light;
}

/// One: deep blue; two: green; four: yellow; eight and more: red. None: black.
vec3 heat(uint kinds) {
    if (kinds == 0) return vec3(0.0);
    float t = clamp(log2(float(kinds)), 0.0, 3.0);
    const vec3 stops[4] = vec3[4](vec3(0.10, 0.20, 0.55), vec3(0.12, 0.62, 0.42), vec3(0.95, 0.80, 0.25), vec3(0.85, 0.15, 0.12));
    uint low = min(uint(t), 2u);
    return mix(stops[low], stops[low + 1], t - float(low));
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    uint index, entry = entry_drawn_at(at, index);
    vec3 colour = vec3(0.0);
    switch (push.view) {
        case 0: colour = colour_of(id_at(at)); break;
        case 1: colour = colour_of(id_of_entry(entry)); break;
        case 2: colour = entry == PADDING ? vec3(0.0) : colour_of(labels[index] + 1); break;
        case 3: colour = heat(distinct_by_list(id_of_entry(entry))); break;
        default: colour = heat(distinct_by_raster(id_at(at)));
    }
    if (all(lessThan(at, uvec2(imageSize(picture))))) imageStore(picture, ivec2(at), vec4(colour, 1.0));
}
