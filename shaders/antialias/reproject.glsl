//! Reprojection of a picture to another camera: each pixel searches the picture for the surface that it shows now.
#ifndef ANTIALIAS_REPROJECT
#define ANTIALIAS_REPROJECT

layout(binding = 0) uniform sampler2D picture; // linear
layout(binding = 1) uniform sampler2D front;   // nearest; front.glsl
layout(push_constant, scalar) uniform Push {
    mat4 now_from_then; // from the picture's clip space to the requested one, both without shift
    vec2 texel;         // of what is written, in parts of the whole
    vec2 shift;         // where in its pixel the depth was sampled, in parts of the whole
} push;

/// Each step moves by the last error; surfaces move by a few pixels.
const int STEPS = 2;

vec4 reprojected(vec2 pixel) {
    vec2 wanted = pixel * push.texel * 2.0 - 1.0, from = wanted;
    for (int i = 0; i < STEPS; i++) {
        float depth = textureLod(front, from * 0.5 + 0.5 - push.shift, 0.0).r;
        vec4 clip = push.now_from_then * vec4(from, depth, 1.0);
        from += wanted - clip.xy / max(clip.w, 1e-6);
    }
    return textureLod(picture, from * 0.5 + 0.5, 0.0);
}

#endif
