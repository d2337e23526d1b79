//! Mode "source": the masks and fields of the original article, unchanged. CPU reference: src/techniques/glass/lab/reference/source.rs.
#ifndef GLASS_SOURCE
#define GLASS_SOURCE

struct Layers {
    float f;
    float rb1;
    float rb2;
    float rb3;
    float transition;
    vec2 lens;
    float gradient;
};

float eighth(float x) {
    float x2 = x * x;
    float x4 = x2 * x2;
    return x4 * x4;
}

float clamp1(float x) {
    return clamp(x, 0.0, 1.0);
}

Layers layers(vec2 frag, vec2 mouse, vec2 size) {
    vec2 uv = frag / size;
    vec2 m2 = (uv - mouse / size) * 2.0;
    Layers l;
    l.f = eighth(m2.x * size.x / size.y) + eighth(m2.y);
    l.rb1 = clamp1((1.0 - l.f * 10000.0) * 8.0);
    l.rb2 = clamp1((0.95 - l.f * 9500.0) * 16.0) - clamp1((0.9 - l.f * 9500.0) * 16.0);
    l.rb3 = clamp1((1.5 - l.f * 11000.0) * 2.0) - clamp1((1.0 - l.f * 11000.0) * 2.0);
    float sum = clamp1(l.rb1 + l.rb2);
    l.transition = sum * sum * (3.0 - 2.0 * sum);
    l.lens = (uv - 0.5) * (1.0 - l.f * 5000.0) + 0.5;
    l.gradient = clamp1((clamp(m2.y, 0.0, 0.2) + 0.1) / 2.0) + clamp1((clamp(-m2.y, -1000.0, 0.2) * l.rb3 + 0.1) / 2.0);
    return l;
}

#endif
