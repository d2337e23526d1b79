#version 460
#extension GL_GOOGLE_include_directive : require
#include "include/prelude.glsl"
#include "shade/sky.glsl"

//! Irradiance of the sky as nine spherical harmonics, convolved with the cosine and divided by pi (Ramamoorthi and
//! Hanrahan, "An Efficient Representation for Irradiance Environment Maps", 2001). One workgroup.
layout(local_size_x = 128) in;
layout(binding = 0) uniform sampler2D map;
layout(binding = 1, scalar) writeonly buffer Tables { vec3 irradiance[9]; float linear_of_byte[256]; };
const uint AT_ONCE = 5;
shared vec3 sums[AT_ONCE][128];
shared float weights[128];

void main() {
    uint me = gl_LocalInvocationIndex;
    vec3 mine[9];
    float weight = 0.0;
    for (int i = 0; i < 9; i++) mine[i] = vec3(0.0);
    for (int x = 0; x < int(SHARP); x++) {
        vec2 p = 2.0 * (vec2(x, me) + 0.5) / SHARP - 1.0;
        vec3 d = from_map(0.5 + 0.5 * p);
        // The octahedron's faces are 1/sqrt(3) from the centre: the solid angle goes with the third power of the
        // distance.
        vec3 flat_ = vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);
        if (flat_.y < 0.0) flat_.xz = 1.0 - abs(p.yx);
        float solid = inversesqrt(dot(flat_, flat_));
        solid = solid * solid * solid;
        vec3 light = solid * texelFetch(map, ivec2(x, int(me)), 0).rgb;
        weight += solid;
        mine[0] += light;
        mine[1] += light * d.y;
        mine[2] += light * d.z;
        mine[3] += light * d.x;
        mine[4] += light * d.x * d.y;
        mine[5] += light * d.y * d.z;
        mine[6] += light * (3.0 * d.z * d.z - 1.0);
        mine[7] += light * d.x * d.z;
        mine[8] += light * (d.x * d.x - d.y * d.y);
    }
    // Basis constants squared, times the cosine's 1, 2/3, 1/4, times 4 pi for the mean over the sphere.
    const float scale[9] = float[9](1.0, 2.0, 2.0, 2.0, 3.75, 3.75, 0.3125, 3.75, 0.9375);
    // Software drivers take long to compile each barrier. Five at once fit into 8 KiB.
    weights[me] = weight;
    for (uint first = 0; first < 9; first += AT_ONCE) {
        for (uint i = 0; i < AT_ONCE && first + i < 9; i++) sums[i][me] = mine[first + i];
        barrier();
        if (me < AT_ONCE && first + me < 9) {
            vec3 sum = vec3(0.0);
            float whole = 0.0;
            for (uint i = 0; i < 128; i++) {
                sum += sums[me][i];
                whole += weights[i];
            }
            irradiance[first + me] = sum * scale[first + me] / whole;
        }
        barrier();
    }
}
