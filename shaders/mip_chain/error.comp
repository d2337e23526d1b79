#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
//! Squared errors of a level against the exact mean of level 0 below each texel: three channels, summed by workgroup. A
//! texel reads all that it covers.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D top;   // level 0
layout(binding = 1) uniform sampler2D level;
layout(binding = 2, scalar) writeonly buffer Sums { float sums[]; };
layout(push_constant, scalar) uniform Push { uint first; } push; // of this level's sums

shared float squares[64];

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(level, 0);
    float square = 0.0;
    if (all(lessThan(at, size))) {
        vec2 scale = vec2(textureSize(top, 0)) / vec2(size), from = vec2(at) * scale, to = vec2(at + 1) * scale;
        vec3 sum = vec3(0.0);
        for (int y = int(from.y); float(y) < to.y - 1e-4; ++y) {
            float height = min(to.y, float(y + 1)) - max(from.y, float(y));
            vec3 row = vec3(0.0);
            for (int x = int(from.x); float(x) < to.x - 1e-4; ++x) {
                row += (min(to.x, float(x + 1)) - max(from.x, float(x))) * texelFetch(top, ivec2(x, y), 0).rgb;
            }
            sum += height * row;
        }
        vec3 off = texelFetch(level, at, 0).rgb - sum / (scale.x * scale.y);
        square = dot(off, off);
    }
    uint id = gl_LocalInvocationIndex;
    squares[id] = square;
    barrier();
    for (uint step = 32; step > 0; step /= 2) {
        if (id < step) squares[id] += squares[id + step];
        barrier();
    }
    if (id == 0) sums[push.first + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = squares[0];
}
