//! Sums of the particles' light: four words for each pixel, then one for each block, so that nothing is read or written where there are none.
#ifndef PARTICLES_SUMS
#define PARTICLES_SUMS

const ivec2 BLOCK = ivec2(16, 8);
/// Its sums are not all 0; its part of the layer is 0.
const uint SUMMED = 1u, LAYER_IS_EMPTY = 2u;

uint block_of(uvec2 pixel, uint width) { return pixel.y / BLOCK.y * ((width + BLOCK.x - 1u) / BLOCK.x) + pixel.x / BLOCK.x; }

#endif
