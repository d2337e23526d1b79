//! Ray cone of a pixel: its angle at the eye, and its change at mirrors.
#ifndef REFLECTIONS_CONE
#define REFLECTIONS_CONE
#include "reflections/uniforms.glsl"
#include "shade/scene.glsl"

/// Radians and metres; half floats hold both.
const float SPREAD_MOST = 2.0, WIDTH_MOST = 6e4;

float pixel_angle() { return length(scene.ray_down) * float(plan.whole.y) / float(plan.size.y); }

/// d - 2 (d.n) n changes by the change of d, mirrored, and by twice that of n (`turn`) at most. Mirrors that focus
/// count as ones that scatter (after Amanatides, "Ray Tracing with Cones", 1984; Akenine-Möller et al., "Improved
/// Shader and Texture Level of Detail Using Ray Cones", 2021).
float widened(float spread, float turn) { return min(spread + 2.0 * turn, SPREAD_MOST); }

#endif
