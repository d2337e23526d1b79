//! A picture all around as the sky: equirectangular, its middle towards -z, its top towards y. CPU reference:
//! src/techniques/shade/lab/reference/sky_picture.rs.
#ifndef SHADE_SKY_PICTURE
#define SHADE_SKY_PICTURE
#include "shade/sky.glsl"

layout(binding = 35) uniform sampler2D sky_picture; // linear, repeated; a single texel: there is none

/// 128x128 texels, radians.
const float MAP_SPREAD = 0.0277;

/// A constant: software drivers run both sides of a branch.
layout(constant_id = 20) const uint SKY_PICTURE = 1;

bool has_sky_picture() { return SKY_PICTURE != 0 && textureSize(sky_picture, 0).x > 1; }

/// Radians.
vec3 picture_radiance(vec3 d, float spread) {
    float rows = float(textureSize(sky_picture, 0).y);
    float lod = clamp(log2(max(spread * rows / PI, 1.0)), 0.0, float(textureQueryLevels(sky_picture) - 1));
    // At the poles the other side of the picture must not be blended in.
    float border = 0.5 * exp2(ceil(lod)) / rows;
    float down = clamp(acos(clamp(d.y, -1.0, 1.0)) / PI, border, 1.0 - border);
    // atan(0, 0) depends on the driver.
    float turn = atan(d.x, d.x == 0.0 && d.z == 0.0 ? 1.0 : -d.z);
    return textureLod(sky_picture, vec2(0.5 + turn / (2.0 * PI), down), lod).rgb;
}

#endif
