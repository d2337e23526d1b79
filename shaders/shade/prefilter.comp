#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/sky.glsl"

//! Sky map prefiltered for mirrors of roughness 0, 0.2 .. 1, viewed along the normal (Karis, "Real Shading in Unreal
//! Engine 4", 2013): half vectors distributed by GGX. 320x128 texels, six tiles.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D map; // linear
layout(binding = 1, rgba16f) uniform writeonly image2D tiles;
const uint SAMPLES = 64;

vec3 sharp(vec3 d) { return textureLod(map, clamp(map_of(d), 0.5 / SHARP, 1.0 - 0.5 / SHARP), 0.0).rgb; }

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(tiles)))) return;
    ivec2 tile = at.x < int(SHARP) ? ivec2(0) : ivec2((at.x - int(SHARP)) / int(ROUGH), at.y / int(ROUGH));
    float level = at.x < int(SHARP) ? 0.0 : float(1 + tile.x + 3 * tile.y);
    vec3 normal = from_map((vec2(at) + 0.5 - tile_of(level)) / side_of(level));
    if (level < 0.5 || level > 5.5) {
        imageStore(tiles, at, vec4(sharp(normal), 1.0));
        return;
    }
    float alpha = level * level / 25.0, a2 = alpha * alpha;
    // Duff et al., "Building an Orthonormal Basis, Revisited", 2017.
    float s = normal.z >= 0.0 ? 1.0 : -1.0, a = -1.0 / (s + normal.z), b = normal.x * normal.y * a;
    vec3 right = vec3(1.0 + s * normal.x * normal.x * a, s * b, -s * normal.x), down = vec3(b, s + normal.y * normal.y * a, -normal.y);
    vec4 sum = vec4(0.0);
    for (uint i = 0; i < SAMPLES; i++) {
        float u = (float(i) + 0.5) / float(SAMPLES), turn = 2.0 * PI * float(bitfieldReverse(i)) * (1.0 / 4294967296.0);
        float c2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u), c = sqrt(c2), sine = sqrt(max(1.0 - c2, 0.0));
        vec3 half_way = normal * c + (right * cos(turn) + down * sin(turn)) * sine;
        vec3 light = 2.0 * c * half_way - normal;
        float weight = dot(light, normal);
        if (weight > 0.0) sum += weight * vec4(sharp(light), 1.0);
    }
    imageStore(tiles, at, vec4(sum.rgb / max(sum.a, 1e-6), 1.0));
}
