#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Views that look boxes up in one table, the box of `radius` around each pixel. Sides below 2^16; boxes below 2^24
//! pixels, of squares 257 pixels wide at most.
// variant: mean VIEW=0
// variant: error VIEW=1 TRUTH=1
// variant: variance VIEW=2
// variant: threshold VIEW=3
layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2D below; // display values; nearest
layout(binding = 1, scalar) readonly buffer Table { uint table[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
#if VIEW == 1
layout(binding = 3, scalar) readonly buffer Truth { uint truth[]; };
#endif
layout(binding = 4, rgba8) uniform writeonly image2D picture;
layout(push_constant, scalar) uniform ViewPush {
    uvec2 full;
    uint pitch;
    uint plane;
    uint true_plane;
    uint channels;
    uint radius;
    uint percent; // of the mean below which a pixel is black
    float scale;
} push;
#include "summed_area/lookup.glsl"

uint luma_at(uvec2 at) {
    uvec3 c = uvec3(texelFetch(below, ivec2(at), 0).rgb * 255.0 + 0.5);
    return (54 * c.r + 183 * c.g + 19 * c.b + 128) / 256;
}

/// As in views.rs.
vec3 heat(float part) {
    const vec3 stops[5] = vec3[](vec3(0), vec3(74, 20, 120), vec3(200, 40, 60), vec3(250, 150, 40), vec3(255, 250, 160));
    float at = clamp(part, 0.0, 1.0) * 4.0;
    uint low = min(uint(at), 3);
    return mix(stops[low], stops[low + 1], at - float(low)) / 255.0;
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy, low, high;
    if (any(greaterThanEqual(at, push.full))) return;
    Layout how = Layout(push.full, push.pitch, push.plane, push.channels, push.scale);
    box_around(at, push.radius, push.full, low, high);
    vec3 color;
#if VIEW == 0
    float first = box_mean(how, 0, low, high);
    color = vec3(first);
    if (push.channels >= 3) color = vec3(first, box_mean(how, 1, low, high), box_mean(how, 2, low, high));
#elif VIEW == 1
    Layout other = Layout(push.full, (push.full.x + 31) / 32 * 32, push.true_plane, push.channels, push.scale);
    float off = abs(box_mean(how, 0, low, high) - true_mean(other, 0, low, high)) * 255.0;
    color = heat((log2(max(off, 1e-9)) * 0.30103 + 4.0) / 5.0);
#elif VIEW == 2
    uint count = (high.x - low.x) * (high.y - low.y);
    float variance; // of values 0..1
    if (HOLDS_FLOATS == 0) {
        // In 64 bits: n times the sum of squares less the square of the sum is exact, and never below 0.
        uint sum = box_sum(how, 0, low, high), squares = box_sum(how, 1, low, high), a, b, c, d;
        umulExtended(count, squares, a, b);
        umulExtended(sum, sum, c, d);
        uint borrow, less = usubBorrow(b, d, borrow);
        variance = (float(a - c - borrow) * 4294967296.0 + float(less)) / (float(count) * float(count)) * push.scale * push.scale;
    } else {
        float mean = box_mean(how, 0, low, high);
        Layout squares = how;
        squares.scale *= how.scale;
        variance = box_mean(squares, 1, low, high) - mean * mean;
    }
    color = variance < 0.0 ? vec3(1.0, 0.0, 0.6) : vec3(2.0 * sqrt(variance));
#else
    // Whole numbers of 64 bits.
    uint sum = box_sum(how, 0, low, high), count = (high.x - low.x) * (high.y - low.y), a, b, c, d;
    umulExtended(luma_at(at) * 100, count, a, b);
    umulExtended(sum, push.percent, c, d);
    color = vec3(a < c || a == c && b < d ? 0.0 : 1.0);
#endif
    imageStore(picture, ivec2(at), vec4(color, 1.0));
}
