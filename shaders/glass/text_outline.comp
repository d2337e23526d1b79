#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! For each texel the distance to the nearest curve, negative where the outlines wind around it. A workgroup for 8 by 8
//! texels reads every curve once and keeps those that can be nearest to one of its texels, and those that pass to the
//! right of one. Derivation: src/techniques/glass/text/letters.rs.

layout(local_size_x = 8, local_size_y = 8) in;

struct Curve {
    vec2 a;
    vec2 b;
    vec2 c;
};

layout(scalar, binding = 0) readonly buffer Curves {
    /// Quadratic Bezier, in parts of the letters' size from the middle of their box.
    Curve curve[];
} curves;
layout(scalar, binding = 1) writeonly buffer Fields {
    float distance[];
} fields;

layout(scalar, push_constant) uniform LettersPush {
    uvec2 size;
    uint first;
    uint first_curve;
    uint curves;
    float scale;
} push;

const uint KEPT = 256;
const uint THREADS = 64;
/// Of a group's texel middles, with rounding.
const float HALF_DIAGONAL = 3.5 * 1.41421356 + 0.01;

shared uint least;
shared uint near_count;
shared uint near[KEPT];
shared uint passing_count;
shared uint passing[KEPT];
/// Of each row, by curves wholly to its right.
shared int beyond[8];

Curve curve_at(uint index) {
    Curve it = curves.curve[push.first_curve + index];
    vec2 middle = 0.5 * vec2(push.size);
    return Curve(it.a * push.scale + middle, it.b * push.scale + middle, it.c * push.scale + middle);
}

vec2 bounds(Curve it, vec2 p) {
    vec2 chord = it.c - it.a;
    vec2 way = p - it.a;
    float part = clamp(dot(way, chord) / max(dot(chord, chord), 1e-12), 0.0, 1.0);
    float far = length(way - chord * part);
    float height = 0.5 * length(it.b - 0.5 * (it.a + it.c));
    return vec2(far - height, far + height);
}

float square_distance(Curve it, vec2 p) {
    vec2 speed = 2.0 * (it.b - it.a);
    vec2 bend = it.a - 2.0 * it.b + it.c;
    vec2 way = it.a - p;
    float best = 0.0;
    float least = dot(way, way);
    for (uint i = 1; i <= 4; ++i) {
        float t = 0.25 * float(i);
        vec2 to = way + t * (speed + t * bend);
        float found = dot(to, to);
        best = found < least ? t : best;
        least = min(least, found);
    }
    float low = max(best - 0.25, 0.0);
    float high = min(best + 0.25, 1.0);
    float t = best;
    for (uint i = 0; i < 4; ++i) {
        vec2 to = way + t * (speed + t * bend);
        vec2 along = speed + 2.0 * t * bend;
        float steep = dot(along, along) + 2.0 * dot(to, bend);
        float slope = steep > 0.0 ? steep : dot(along, along);
        t = clamp(t - dot(to, along) / max(slope, 1e-12), low, high);
    }
    vec2 to = way + t * (speed + t * bend);
    return min(least, dot(to, to));
}

/// 1, -1 or 0; a curve's lower end counts, its upper one does not.
int crossing(Curve it, float y) {
    return int(it.a.y <= y && it.c.y > y) - int(it.c.y <= y && it.a.y > y);
}

int winding(Curve it, vec2 p) {
    int turn = crossing(it, p.y);
    float half_speed = it.b.y - it.a.y;
    float bend = it.a.y - 2.0 * it.b.y + it.c.y;
    float from = it.a.y - p.y;
    float root = sqrt(max(half_speed * half_speed - bend * from, 0.0));
    float t = clamp(-from / (half_speed + (turn < 0 ? -root : root)), 0.0, 1.0);
    float x = it.a.x + t * (2.0 * (it.b.x - it.a.x) + t * (it.a.x - 2.0 * it.b.x + it.c.x));
    return turn != 0 && x > p.x ? turn : 0;
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    vec2 corner = vec2(gl_WorkGroupID.xy * 8);
    vec2 middle = corner + 4.0;
    if (thread == 0) {
        least = 0x7f7fffff;
        near_count = 0;
        passing_count = 0;
    }
    if (thread < 8) {
        beyond[thread] = 0;
    }
    barrier();
    for (uint i = thread; i < push.curves; i += THREADS) {
        Curve it = curve_at(i);
        atomicMin(least, floatBitsToUint(bounds(it, middle).y));
        float top = min(it.a.y, it.c.y);
        float bottom = max(it.a.y, it.c.y);
        float left = min(it.a.x, it.c.x);
        float right = max(it.a.x, it.c.x);
        if (bottom < corner.y || top > corner.y + 8.0 || right < corner.x) {
            continue;
        }
        if (left > corner.x + 8.0) {
            for (uint row = 0; row < 8; ++row) {
                int turn = crossing(it, corner.y + float(row) + 0.5);
                if (turn != 0) {
                    atomicAdd(beyond[row], turn);
                }
            }
        } else {
            uint slot = atomicAdd(passing_count, 1);
            if (slot < KEPT) {
                passing[slot] = i;
            }
        }
    }
    barrier();
    float reach = uintBitsToFloat(least) + 2.0 * HALF_DIAGONAL;
    for (uint i = thread; i < push.curves; i += THREADS) {
        if (bounds(curve_at(i), middle).x <= reach) {
            uint slot = atomicAdd(near_count, 1);
            if (slot < KEPT) {
                near[slot] = i;
            }
        }
    }
    barrier();
    uvec2 texel = gl_GlobalInvocationID.xy;
    vec2 p = vec2(texel) + 0.5;
    // With no room for more, all are tested.
    bool keeps_near = near_count <= KEPT;
    bool keeps_passing = passing_count <= KEPT;
    float square = 3e38;
    uint count = keeps_near ? near_count : push.curves;
    for (uint i = 0; i < count; ++i) {
        square = min(square, square_distance(curve_at(keeps_near ? near[i] : i), p));
    }
    int turns = keeps_passing ? beyond[gl_LocalInvocationID.y] : 0;
    count = keeps_passing ? passing_count : push.curves;
    for (uint i = 0; i < count; ++i) {
        turns += winding(curve_at(keeps_passing ? passing[i] : i), p);
    }
    if (all(lessThan(texel, push.size))) {
        fields.distance[push.first + texel.y * push.size.x + texel.x] = turns != 0 ? -sqrt(square) : sqrt(square);
    }
}
