#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Mean brightness of the picture below each lens, from a small mip level at 8 by 8 places: a workgroup for a lens. The
//! brightness class of a lens changes with hysteresis in brightness and time (src/techniques/glass/light/look_turn.rs), and the glass fades to it.
#include "glass/lens.glsl"
#include "include/luma.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

struct State {
    float mean;
    float side;
    float bright;
    float opposed;
};

struct Measured {
    uint lens;
    /// State before; without one the brightness is there at once.
    uint was;
    /// Mean brightness that is bright, and dark.
    vec2 turns;
};

layout(scalar, binding = 0) buffer Lenses {
    Lens lens[];
} lenses;
layout(binding = 1) uniform sampler2D chain;
layout(scalar, binding = 2) readonly buffer Before {
    State state[];
} before;
layout(scalar, binding = 3) writeonly buffer After {
    State state[];
} after;
layout(scalar, binding = 4) readonly buffer List {
    Measured measured[];
} list;

layout(scalar, push_constant) uniform AdaptPush {
    vec2 size;
    /// State of the first one.
    uint first;
    /// Since the last frame, in parts of the time before a turn, and of the transition.
    float held;
    float faded;
} push;

const uint NO_STATE = 0xFFFFFFFFu;
const float SPREAD = 0.85;

shared float sums[64];

void main() {
    Measured it = list.measured[gl_WorkGroupID.x];
    Lens lens = lenses.lens[it.lens];
    mat2 window_from_unit = inverse(lens.unit_from_window) * mat2(1.0 + lens.core.x, 0.0, 0.0, 1.0 + lens.core.y);
    vec2 grid = ((vec2(gl_LocalInvocationID.xy) + 0.5) / 4.0 - 1.0) * SPREAD;
    vec2 point = lens.center + window_from_unit * grid;
    float wide = max(length(window_from_unit[0]), length(window_from_unit[1])) * SPREAD / 4.0;
    float lod = log2(max(wide, 1.0));
    sums[gl_LocalInvocationIndex] = dot(textureLod(chain, point / push.size, lod).rgb, LUMA);
    barrier(); // one only: software drivers take long to compile each
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    float sum = 0.0;
    for (uint i = 0; i < 64; i++) sum += sums[i];
    float mean = pow(clamp(sum / 64.0, 0.0, 1.0), 1.0 / 2.2);
    float side = mean > 0.5 * (it.turns.x + it.turns.y) ? 1.0 : 0.0;
    State state = State(mean, side, side, 0.0);
    if (it.was != NO_STATE) {
        state = before.state[it.was];
    }
    state.mean = mean;
    float wanted = mean > it.turns.x ? 1.0 : mean < it.turns.y ? 0.0 : state.side;
    state.opposed = wanted == state.side ? 0.0 : state.opposed + push.held;
    if (state.opposed >= 1.0) {
        state.side = wanted;
        state.opposed = 0.0;
    }
    state.bright += clamp(state.side - state.bright, -push.faded, push.faded);
    after.state[push.first + gl_WorkGroupID.x] = state;
    lenses.lens[it.lens].bright = state.bright * state.bright * (3.0 - 2.0 * state.bright);
}
