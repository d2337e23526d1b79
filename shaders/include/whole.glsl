//! Exact conversion of integral floats to integers, up to 2^22 on both sides of 0: added to 1.5 * 2^23 they are the lowest bits of the sum.
//! Mesa's software driver converts lane by lane, some fifty instructions for each component.
#ifndef INCLUDE_WHOLE
#define INCLUDE_WHOLE

const float WHOLE_BASE = 12582912.0;
const int WHOLE_BITS = 0x4B400000;

// `precise`: a compiler would merge the sum with one before it.
int whole(float x) {
    precise float sum = x + WHOLE_BASE;
    return floatBitsToInt(sum) - WHOLE_BITS;
}
ivec2 whole(vec2 x) {
    precise vec2 sum = x + WHOLE_BASE;
    return floatBitsToInt(sum) - WHOLE_BITS;
}
ivec3 whole(vec3 x) {
    precise vec3 sum = x + WHOLE_BASE;
    return floatBitsToInt(sum) - WHOLE_BITS;
}

#endif
