#version 460
#extension GL_GOOGLE_include_directive : require
// variant: vertex MESH=0
// variant: mesh MESH=1
#include "include/prelude.glsl"
//! Visibility value of the nearest transparent surface in front of all opaque ones and behind the layer before
//! (Everitt, "Interactive Order-Independent Transparency", 2001).
#include "meshlets/alpha.glsl"
#include "meshlets/id.glsl"

layout(binding = 18) uniform sampler2D solid_depth;   // nearest
layout(binding = 19) uniform sampler2D nearer_depth;  // nearest; of the layer before
layout(binding = 20) uniform usampler2D nearer_ids;   // nearest; the same
layout(location = 0) out uint visibility;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float depth = gl_FragCoord.z;
    if (depth <= texelFetch(solid_depth, here, 0).r || depth >= texelFetch(nearer_depth, here, 0).r) discard;
    if (id == texelFetch(nearer_ids, here, 0).r || is_cut_out(id, gl_FragCoord.xy)) discard;
    visibility = id;
}
