#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"

// Triangles of the panels. Bound: what the indices of one draw reach lies inside both buffers, as egui makes them.
struct UiVertex {
    vec2 at; // points
    vec2 uv;
    uint color; // four bytes, encoded, premultiplied
};
layout(binding = 0, scalar) readonly buffer Vertices { UiVertex vertices[]; };
layout(binding = 1, scalar) readonly buffer Indices { uint indices[]; };
layout(push_constant, scalar) uniform Push {
    vec2 size; // of the window, points
    uint first_index;
    uint first_vertex;
    uint target_is_srgb;
} push;

layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 tint;

void main() {
    UiVertex v = vertices[push.first_vertex + indices[push.first_index + gl_VertexIndex]];
    uv = v.uv;
    tint = unpackUnorm4x8(v.color);
    gl_Position = vec4(v.at / push.size * 2.0 - 1.0, 0.0, 1.0);
}
