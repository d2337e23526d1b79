#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Picture of a scan step by step: a row of cells for the words after each step, lines from each addend to its sum, and
//! the number of lanes that meet in a bank of shared memory. Up to 64 cells a row.
layout(local_size_x = 16, local_size_y = 8) in;

layout(binding = 1, scalar) readonly buffer Terms { uvec2 terms[]; };
layout(binding = 2, scalar) readonly buffer Values { uint values[]; };
layout(binding = 3, scalar) readonly buffer Conflicts { uint conflicts[]; }; // by step and word: lanes in the same bank
layout(binding = 4, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform DrawPush { uvec2 corner; uvec2 size; uint words; uint steps; uint shown; } push;

// As in views.rs.
const vec3 GROUND = vec3(18, 20, 26) / 255.0, STILL = vec3(70, 78, 92) / 255.0, NEW = vec3(64, 150, 230) / 255.0,
           DONE = vec3(90, 200, 130) / 255.0, CLASH = vec3(235, 80, 70) / 255.0, WIRE = vec3(250, 200, 90) / 255.0;

/// Three columns and five rows, top row first.
const uint DIGITS[10] = uint[](0x7B6Fu, 0x2C97u, 0x73E7u, 0x73CFu, 0x5BC9u, 0x79CFu, 0x79EFu, 0x7249u, 0x7BEFu, 0x7BCFu);

bool digit_at(uint digit, ivec2 at) {
    if (any(lessThan(at, ivec2(0))) || at.x > 2 || at.y > 4) return false;
    return (DIGITS[digit] >> (14 - (at.y * 3 + at.x)) & 1) != 0;
}

bool number_at(uint number, ivec2 at, ivec2 size, int zoom) {
    int digits = 1;
    for (uint rest = number; rest >= 10; rest /= 10) ++digits;
    ivec2 corner = (size - ivec2(4 * digits - 1, 5) * zoom) / 2, place = at - corner;
    if (any(lessThan(place, ivec2(0))) || place.x >= 4 * digits * zoom) return false;
    int nth = digits - 1 - place.x / (4 * zoom);
    uint rest = number;
    for (int k = 0; k < nth; ++k) rest /= 10;
    return digit_at(rest % 10, ivec2(place.x % (4 * zoom), place.y) / zoom);
}

float to_segment(vec2 p, vec2 a, vec2 b) {
    vec2 along = b - a;
    float part = clamp(dot(p - a, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
    return length(p - a - part * along);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), at = pixel - ivec2(push.corner), size = ivec2(push.size);
    if (any(greaterThanEqual(pixel, imageSize(picture)))) return;
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) {
        imageStore(picture, pixel, vec4(GROUND, 1.0));
        return;
    }
    int rows = int(push.steps) + 1, length_ = int(push.words);
    vec2 cell = vec2(size) / vec2(length_, rows);
    ivec2 which = min(ivec2(vec2(at) / cell), ivec2(length_, rows) - 1);
    float wide = cell.x, high = cell.y, box = high * (rows > 1 ? 0.5 : 1.0);
    vec3 color = GROUND;
    int zoom = max(min(int(wide * 0.9) / 20, int(box * 0.8) / 5), 1);
    if (which.y <= int(push.shown)) {
        vec2 corner = vec2(which) * cell;
        ivec2 inside = at - ivec2(corner), extent = ivec2(wide, box);
        uint place = uint(which.y) * push.words + uint(which.x);
        if (inside.y >= extent.y && which.y < int(push.shown)) {
            for (uint lane = 0; lane < push.words; ++lane) {
                uvec2 both = terms[uint(which.y) * push.words + lane];
                for (uint k = 0; k < 2; ++k) {
                    uint term = both[k];
                    if (term >> 16 != 1) continue;
                    bool stays = (term & 0xFFFF) == lane;
                    vec2 from = vec2((float(term & 0xFFFF) + 0.5) * wide, float(which.y) * high + box);
                    vec2 to = vec2((float(lane) + 0.5) * wide, float(which.y + 1) * high);
                    float width = stays ? 0.6 : 1.2;
                    float ink = clamp(width + 0.5 - to_segment(vec2(at) + 0.5, from, to), 0.0, 1.0);
                    color = mix(color, stays ? STILL : WIRE, ink);
                }
            }
        }
        if (all(greaterThanEqual(inside, ivec2(1))) && all(lessThan(inside, extent - 1))) {
            bool is_new = which.y > 0;
            if (is_new) {
                uvec2 both = terms[place - push.words];
                is_new = both != uvec2(1u << 16 | uint(which.x), 0);
            }
            color = uint(which.y) == push.steps ? DONE : is_new ? NEW : STILL;
            uint clash = which.y > 0 ? conflicts[place - push.words] : 0;
            if (clash > 1) {
                int thick = max(zoom, 3);
                if (inside.y >= extent.y - 1 - 2 * thick) color = inside.x * int(clash) / extent.x % 2 == 0 ? CLASH : 0.6 * CLASH;
            }
            if (number_at(values[place], inside, extent, zoom)) color = vec3(1.0);
        }
    }
    imageStore(picture, pixel, vec4(color, 1.0));
}
