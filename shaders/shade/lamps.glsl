//! Lamps: light that falls off with the square of the distance and ends at a finite range. Without shadows.
#ifndef SHADE_LAMPS
#define SHADE_LAMPS

struct Lamp {
    vec3 place;
    float reach; // metres
    vec3 light;  // on a surface that faces it, a metre away; of directional light, anywhere
    uint kind;
    vec3 axis; // against the direction in which the light leaves
    float near; // nearer than this, metres squared, it is no point
    float cone_scale; // the cosine of the angle to the axis times this, plus the offset, cut to 0..1 and squared
    float cone_offset;
};

const uint LANTERN = 0;
const uint DIRECTIONAL = 2;

layout(binding = 33, scalar) readonly buffer Lamps {
    uint lamp_count;
    Lamp lamps[];
};

/// On a surface that faces the lamp. As in src/scene/world/lamp.rs.
vec3 lamp_light(Lamp lamp, vec3 position, out vec3 towards) {
    vec3 way = lamp.place - position;
    float square = dot(way, way), part = square / (lamp.reach * lamp.reach);
    towards = lamp.kind == DIRECTIONAL ? lamp.axis : way * inversesqrt(max(square, 1e-12));
    float lantern = clamp(1.0 - part, 0.0, 1.0);
    float fading = lamp.kind == LANTERN ? lantern * lantern : clamp(1.0 - part * part, 0.0, 1.0);
    float cone = clamp(dot(lamp.axis, towards) * lamp.cone_scale + lamp.cone_offset, 0.0, 1.0);
    return lamp.light * (lamp.kind == DIRECTIONAL ? 1.0 : fading * cone * cone / max(square, lamp.near));
}

#endif
