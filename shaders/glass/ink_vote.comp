#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! WCAG contrast of light and of dark ink on each piece: on the worst hundredth of the pixels below its marks, from a histogram of their
//! luminance. The better one wins, with hysteresis in contrast and time (src/techniques/glass/light/look_turn.rs). CPU reference:
//! src/techniques/glass/lab/reference/ink.rs. A workgroup for a piece.
#include "include/srgb.glsl"
#include "include/luma.glsl"
#include "glass/ink.glsl"

layout(local_size_x = 256) in; // BINS

struct Ground {
    /// Pixels: left, top, right, bottom.
    uvec4 area;
    uint piece;
    /// It was not there in the last frame.
    uint is_new;
};

layout(binding = 0) uniform sampler2D picture; // nearest, encoded values
layout(scalar, binding = 1) readonly buffer Grounds {
    Ground ground[];
} grounds;
layout(scalar, binding = 2) buffer Inks {
    Ink ink[];
} inks;
layout(scalar, push_constant) uniform VotePush {
    /// Since the last frame, in parts of the time before a turn, and of the transition.
    float held;
    float faded;
    /// The contrast alone, of what a veil has left.
    uint is_measured;
} push;

/// And threads.
const uint BINS = 256;
/// Of (luminance + 0.05) / 0.05, from 1 to 21: its logarithm.
const float OCTAVES = 4.392317423;
const float WORST = 0.01;
const float BETTER = 1.2;

shared uint counts[BINS];

float middle_of(uint bin) {
    return 0.05 * exp2((float(bin) + 0.5) / float(BINS) * OCTAVES);
}

void main() {
    Ground ground = grounds.ground[gl_WorkGroupID.x];
    counts[gl_LocalInvocationIndex] = 0;
    barrier();
    uvec2 extent = ground.area.zw - ground.area.xy;
    uint pixels = extent.x * extent.y;
    for (uint i = gl_LocalInvocationIndex; i < pixels; i += BINS) {
        ivec2 at = ivec2(ground.area.xy + uvec2(i % extent.x, i / extent.x));
        float y = dot(linear_from_encoded(texelFetch(picture, at, 0).rgb), LUMA);
        float place = log2(y / 0.05 + 1.0) / OCTAVES * float(BINS);
        atomicAdd(counts[uint(clamp(place, 0.0, float(BINS) - 1.0))], 1);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    // Brightest pixels are the worst for light ink, darkest for dark ink.
    uint least = max(uint(WORST * float(pixels)), 1);
    uint dark = 0;
    uint bright = BINS - 1;
    for (uint sum = counts[0]; sum < least && dark < BINS - 1; sum += counts[dark]) dark++;
    for (uint sum = counts[BINS - 1]; sum < least && bright > 0; sum += counts[bright]) bright--;
    Ink ink = inks.ink[ground.piece];
    ink.pixels = float(pixels);
    ink.of_light = (LIGHT + 0.05) / middle_of(bright);
    ink.of_dark = middle_of(dark) / (DARK + 0.05);
    if (push.is_measured != 0) {
        inks.ink[ground.piece] = ink;
        return;
    }
    if (ground.is_new != 0) {
        ink.side = ink.of_light >= ink.of_dark ? 1.0 : 0.0;
        ink.light = ink.side;
        ink.opposed = 0.0;
    }
    float wanted = ink.of_light > BETTER * ink.of_dark ? 1.0 : ink.of_dark > BETTER * ink.of_light ? 0.0 : ink.side;
    ink.opposed = wanted == ink.side ? 0.0 : ink.opposed + push.held;
    if (ink.opposed >= 1.0) {
        ink.side = wanted;
        ink.opposed = 0.0;
    }
    ink.light += clamp(ink.side - ink.light, -push.faded, push.faded);
    inks.ink[ground.piece] = ink;
}
