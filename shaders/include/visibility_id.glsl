//! Visibility value of a pixel: meshlet instance and triangle, 0 for none.
#ifndef INCLUDE_VISIBILITY_ID
#define INCLUDE_VISIBILITY_ID

const uint TRIANGLE_BITS = 7;

uint visibility_of(uint meshlet_instance, uint triangle) { return (meshlet_instance + 1) << TRIANGLE_BITS | triangle; }
/// One more than the meshlet instance.
uint meshlet_key(uint visibility) { return visibility >> TRIANGLE_BITS; }
uint meshlet_instance_of(uint visibility) { return meshlet_key(visibility) - 1; }
uint triangle_of(uint visibility) { return visibility & ((1u << TRIANGLE_BITS) - 1); }

#endif
