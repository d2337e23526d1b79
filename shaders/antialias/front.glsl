//! Nearest surface among five samples: a surface in front moves its edge along.
#ifndef ANTIALIAS_FRONT
#define ANTIALIAS_FRONT

layout(binding = 0) uniform sampler2D depth; // nearest

float front_at(ivec2 at) {
    ivec2 last = textureSize(depth, 0) - 1;
    float front = texelFetch(depth, at, 0).r;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = at + ivec2(2 * (i & 1) - 1, (i & 2) - 1);
        front = max(front, texelFetch(depth, clamp(corner, ivec2(0), last), 0).r);
    }
    return front;
}

#endif
