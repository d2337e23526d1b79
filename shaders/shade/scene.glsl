//! Per-frame uniforms of all pixels; src/techniques/shade/frame.rs fills them.
#ifndef SHADE_SCENE
#define SHADE_SCENE

const float PI = 3.14159265;

// lavapipe reads a uniform block at once for all lanes. No branch may depend on it alone.
layout(binding = 4, scalar) uniform Scene {
    // ray_first + x * ray_right + y * ray_down: from the eye, as far forward as 1.
    vec3 ray_first;
    uint tiles_across;
    vec3 ray_right;
    uint group_room; // words for the groups of each kind
    vec3 ray_down;
    uint groups_across; // by raster
    vec3 eye;
    float shadow_side; // texels of the shadow map; where there is none, every point is outside of it
    vec3 sun; // towards it
    float clouds;
    vec3 sun_light; // what arrives on a surface that faces the sun
    float sun_mass; // air that it came through, zenith = 1
    vec3 sky_light; // the same, as the air scatters it: some of it more than once
    float haze;     // part of the light lost on each metre
    vec3 rayleigh;  // optical depth of air and of dust, towards the zenith
    float mie;
    vec3 fill; // light scattered more than once
    float white; // radiance of white paper in the sun
    vec3 ground; // radiance of the ground below the horizon
    float exposure;
    vec3 haze_rayleigh; // radiance of the horizon, by phase function
    float shadow_texel; // metres
    vec3 haze_mie;
    float shadow_bias; // in the map's depth, for a texel
    vec3 haze_fill;
    uint count_at; // word of the list's arguments that counts its entries
    uvec2 size;
    float detail; // patterns and textures are as fine as if a pixel had this part of its sides
    float stars; // radiance of the brightest
    mat4 shadow_from_world;
} scene;

// A storage buffer: lavapipe compiles a shader again for each value of a uniform block that decides a branch.
layout(binding = 22, scalar) readonly buffer Choices {
    uint by_list;
    uint is_short;
    uint weight;
    uint view;
    uint apart; // mirrors that can be traced go to an image of their own, and the sky in them is left out
} choices;

vec3 ray_of(vec2 at) { return scene.ray_first + at.x * scene.ray_right + at.y * scene.ray_down; }

/// Rayleigh, and Henyey and Greenstein for dust.
vec2 phases(float mu) {
    const float g = 0.76;
    float far = 1.0 + g * g - 2.0 * g * mu;
    return vec2(3.0 / (16.0 * PI) * (1.0 + mu * mu), (1.0 - g * g) / (4.0 * PI * far * sqrt(far)));
}

#endif
