// Small lamps: light that falls off with the square of the distance and ends where it reaches no farther. Without shadows.
// src/techniques/shade/oracle/lamps.rs says the same.
#ifndef SHADE_LAMPS
#define SHADE_LAMPS

struct Lamp {
    vec3 place;
    float reach; // metres
    vec3 light;  // on a surface that faces it, a metre away
};

layout(binding = 33, scalar) readonly buffer Lamps {
    uint lamp_count;
    Lamp lamps[];
};

/// Nearer than this, metres squared, a lamp is no point.
const float LAMP_SIZE = 0.04;

/// What arrives on a surface that faces the lamp, `square` metres squared away.
vec3 lamp_light(Lamp lamp, float square) {
    float left = clamp(1.0 - square / (lamp.reach * lamp.reach), 0.0, 1.0);
    return lamp.light * (left * left / max(square, LAMP_SIZE));
}

#endif
