#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Worst error of a mean over boxes of one size around each pixel, against a table of whole numbers, whose sums are
//! exact. The error is a float's bits. Sides below 2^16.
#define SHUFFLE 0
#define TRUTH
#include "summed_area/lanes.glsl"

layout(binding = 0, scalar) readonly buffer Table { uint table[]; };
layout(binding = 1, scalar) readonly buffer Truth { uint truth[]; };
layout(binding = 2, scalar) readonly buffer Means { uint means[]; };
layout(binding = 3, scalar) buffer Worst { uint worst[]; };
layout(push_constant, scalar) uniform ErrorPush {
    uvec2 full;
    uint pitch;
    uint plane;
    uint true_pitch;
    uint true_plane;
    uint channels;
    uint radius;
    float scale;
} push;
#include "summed_area/lookup.glsl"

shared uint worst_here;

void main() {
    if (me() == 0) worst_here = 0;
    barrier();
    uvec2 at = 16 * gl_WorkGroupID.xy + uvec2(me() & 15, me() / 16), low, high;
    if (all(lessThan(at, push.full))) {
        Layout how = Layout(push.full, push.pitch, push.plane, push.channels, push.scale);
        Layout other = Layout(push.full, push.true_pitch, push.true_plane, push.channels, push.scale);
        box_around(at, push.radius, push.full, low, high);
        for (uint channel = 0; channel < push.channels; ++channel) {
            float off = abs(box_mean(how, channel, low, high) - true_mean(other, channel, low, high));
            // NaN is the worst error: bits of floats from 0 on are ordered as they are.
            atomicMax(worst_here, floatBitsToUint(off) & 0x7FFFFFFFu);
        }
    }
    barrier();
    if (me() == 0) atomicMax(worst[0], worst_here);
}
