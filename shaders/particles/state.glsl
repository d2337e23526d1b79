//! State of a particle, and its change in one step. CPU reference: src/techniques/particles/lab/reference.rs.
#ifndef PARTICLES_STATE
#define PARTICLES_STATE

const uint MOTES = 0, SPRAY = 1, FIREFLIES = 2, BODIES = 3, QUIET = 4;

/// `life`: age in the lower 16 bits (65536 is the whole life), size in the upper.
struct Particle {
    vec3 position;
    uint seed; // of a body: its mass, as the bits of a number
    vec3 velocity;
    uint life;
};

layout(binding = 0, scalar) uniform Motion {
    vec3 low; // the box in which they live
    float dt; // seconds
    vec3 high;
    float metre;
    vec3 fountain; // middle of its water
    float ring;    // radius of the ring of nozzles
    uint count;
    uint split;     // from this number on they are spray, among quiet ones
    uint life_step; // of 65536
    uint step_number;
    float cells;     // of the flow's table in a metre
    float softening; // squared, of gravity
} motion;

/// PCG's output permutation (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).
uint hashed(uint v) {
    v = v * 747796405u + 2891336453u;
    uint word = ((v >> ((v >> 28) + 4)) ^ v) * 277803737u;
    return (word >> 22) ^ word;
}

float next(inout uint seed) {
    seed = hashed(seed);
    return float(seed >> 8) * (1.0 / 16777216.0);
}

uint kind_of(uint kind, uint i) { return kind == QUIET ? (i < motion.split ? MOTES : SPRAY) : kind; }

/// Eight nozzles on a ring, each towards the middle.
void leave(inout Particle p, inout uint seed) {
    float turn = float(seed & 7u) * 0.78539816 + 0.1 * (next(seed) - 0.5);
    vec3 out_ = vec3(cos(turn), 0.0, sin(turn));
    float up = 3.9 + 0.35 * next(seed), in_ = 0.95 + 0.25 * next(seed), side = 0.16 * (next(seed) - 0.5);
    p.position = motion.fountain + out_ * motion.ring;
    p.velocity = motion.metre * (vec3(0.0, up, 0.0) - out_ * in_ + vec3(-out_.z, 0.0, out_.x) * side);
}

/// `begins`: at any age; else just born.
Particle born(uint kind, uint seed, bool begins) {
    Particle p;
    uint size = uint(next(seed) * 65535.0);
    uint age = begins ? uint(next(seed) * 65535.0) : 0;
    if (kind == SPRAY) {
        leave(p, seed);
        float t = begins ? 0.8 * next(seed) : 0.0;
        p.position += p.velocity * t + vec3(0.0, -0.5 * 9.81 * motion.metre * t * t, 0.0);
        p.velocity.y -= 9.81 * motion.metre * t;
        p.position.y = max(p.position.y, motion.fountain.y);
    } else {
        vec3 at = vec3(next(seed), next(seed), next(seed));
        if (kind == FIREFLIES) at.y = 0.06 + 0.34 * at.y * at.y;
        p.position = mix(motion.low, motion.high, at);
        p.velocity = vec3(0.0);
    }
    p.seed = seed;
    p.life = size << 16 | age;
    return p;
}

#endif
