#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Replay of the steps of a scan, as planned on the CPU, over a part of one row of the picture, keeping the words after
//! each. One workgroup; up to 64 words, up to 32 steps.
layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler2D below; // display values; nearest
layout(binding = 1, scalar) readonly buffer Terms { uvec2 terms[]; }; // by step and word: kind << 16 | place, twice
layout(binding = 2, scalar) writeonly buffer Values { uint values[]; };
layout(push_constant, scalar) uniform ReplayPush { uint words; uint steps; uint row; uint width; } push;

shared uint held[64];
shared uint before[64];

const uint ZERO = 0, HELD = 1, INPUT = 2;

uint value_of(uint term) {
    uint at = min(term & 0xFFFF, 63u);
    return term >> 16 == HELD ? held[at] : term >> 16 == INPUT ? before[at] : 0;
}

void main() {
    uint me = gl_LocalInvocationIndex;
    if (me < push.words) {
        uint x = (2 * me + 1) * push.width / (2 * push.words);
        uvec3 c = uvec3(texelFetch(below, ivec2(x, push.row), 0).rgb * 255.0 + 0.5);
        held[me] = before[me] = (54 * c.r + 183 * c.g + 19 * c.b + 128) / 256;
        values[me] = held[me];
    }
    barrier();
    for (uint step = 0; step < push.steps; ++step) {
        uint sum = 0;
        if (me < push.words) {
            uvec2 both = terms[step * push.words + me];
            sum = value_of(both.x) + value_of(both.y);
        }
        barrier();
        if (me < push.words) {
            held[me] = sum;
            values[(step + 1) * push.words + me] = sum;
        }
        barrier();
    }
}
