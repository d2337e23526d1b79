//! Numbers that compilers have to read or work out again, instead of keeping them in registers.
#ifndef INCLUDE_AGAIN
#define INCLUDE_AGAIN

/// 0, but compilers do not know it: an index plus AGAIN is read again instead of kept in registers, and a loop up to a
/// number plus AGAIN stays a loop.
#define AGAIN gl_WorkGroupID.z

float again(float x) { return uintBitsToFloat(floatBitsToUint(x) + AGAIN); }
vec3 again(vec3 x) { return uintBitsToFloat(floatBitsToUint(x) + AGAIN); }

#endif
