//! Sums of words: 32-bit integers modulo 2^32, or the bits of floats.
#ifndef SUMMED_AREA_SUM
#define SUMMED_AREA_SUM

layout(constant_id = 20) const uint FLOAT = 0;

uint add(uint a, uint b) { return FLOAT == 1 ? floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b)) : a + b; }
uint less(uint a, uint b) { return FLOAT == 1 ? floatBitsToUint(uintBitsToFloat(a) - uintBitsToFloat(b)) : a - b; }
uvec4 add(uvec4 a, uvec4 b) { return FLOAT == 1 ? floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b)) : a + b; }

#endif
