#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/scene.glsl"

//! Copy of the opaque light, and lists of each transparent layer's blocks of 8x8 pixels. `calls`: arguments of the
//! indirect dispatches, four words each, cleared to 0, 1, 1, 0; the last counts.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D nearest_ids; // nearest, as the others; visibility values, 0 for none
layout(binding = 1) uniform usampler2D second_ids;
layout(binding = 2) uniform usampler2D third_ids;
layout(binding = 3) uniform usampler2D fourth_ids;
layout(binding = 17, rgba16f) uniform writeonly image2D hdr;
layout(binding = 18) uniform sampler2D solid; // nearest
layout(binding = 19, scalar) writeonly buffer Groups { uint groups[]; };
layout(binding = 21, scalar) buffer Calls { uint calls[]; };
shared uint found;

void main() {
    uint lane = gl_LocalInvocationIndex;
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (lane == 0) found = 0;
    barrier();
    if (all(lessThan(uvec2(at), scene.size))) {
        imageStore(hdr, at, texelFetch(solid, at, 0));
        uvec4 ids = uvec4(texelFetch(nearest_ids, at, 0).r, texelFetch(second_ids, at, 0).r, texelFetch(third_ids, at, 0).r,
            texelFetch(fourth_ids, at, 0).r);
        uvec4 bits = mix(uvec4(0), uvec4(1, 2, 4, 8), notEqual(ids, uvec4(0)));
        if (bits != uvec4(0)) atomicOr(found, bits.x | bits.y | bits.z | bits.w);
    }
    barrier();
    if (lane < 4 && (found >> lane & 1u) != 0) {
        uint place = atomicAdd(calls[4 * lane + 3], 1u), room = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
        atomicMax(calls[4 * lane], min(place + 1, 32768u));
        atomicMax(calls[4 * lane + 1], place / 32768u + 1);
        groups[lane * room + place] = gl_WorkGroupID.y << 16 | gl_WorkGroupID.x;
    }
}
