//! Surface materials, in the layout of src/scene/world/mod.rs; docs/shade.md describes the parameters of each kind.
#ifndef INCLUDE_MATERIAL
#define INCLUDE_MATERIAL

const uint PLAIN = 0, TEXTURED = 1, MARBLE = 2, CAR_PAINT = 3, SUBSURFACE = 4, IRIDESCENT = 5, VELVET = 6, BRUSHED = 7, WOOD = 8,
           EMBER = 9, LAYERED = 10;
const uint KINDS_ALL = 11;
/// Bits of `flags`: see src/scene/world/alpha_mode.rs.
const uint COVER_BITS = 3, COVER_MASK = 1, COVER_BLEND = 2, UNLIT = 4, WHOLE = 8, SECOND_UV_BIT = 4;
const uint NO_TEXTURE = 0xFFFFFFFFu;

struct Material {
    vec4 base; // linear; alpha of cut-out and blended materials
    vec3 emissive;
    float metallic;
    float roughness; // perceptual
    float normal_scale;
    uint kind;
    uint textures[4]; // base colour, metallic (blue) and roughness (green), normal, emissive
    vec2 uv[3];       // two columns and the origin
    vec3 second;
    vec4 parameters;
    vec3 dielectric; // reflectance of non-metals at normal incidence
    uint flags;
    vec3 film; // strength, refractive index, nm
    float cutoff;
    vec2 uv2[3]; // of the second coordinates
    uint paint; // start of its texels
    float spare;
};

struct Slots {
    uint textures[4];
    vec2 uv[3];
    uint paint;
};

struct Texture {
    uint first;
    uint width;
    uint height;
    uint levels;
    uint srgb;
    uint wrap; // bits 0..1 across, 2..3 down: 0 repeats, 1 mirrors, 2 clamps
};

#endif
