//! Common state of the parts of the sort: constants, shared memory, the slots of an invocation.
#ifndef PIXEL_SORT_SORT_STATE
#define PIXEL_SORT_SORT_STATE

layout(local_size_x = 512) in;
const uint THREADS = 512, EACH = SLOTS / THREADS;

// Multiplied, not &&, which reflection does not evaluate.
layout(constant_id = 0) const uint CONTAINERS = 127;
layout(constant_id = 1) const uint TRIES = 3;
layout(constant_id = 2) const uint RESOLVE = 1;
layout(constant_id = 3) const uint SORT = 1; // not where PACKED is
layout(constant_id = 4) const uint PACKED = 0;
layout(constant_id = 5) const uint DETERMINISTIC = 0;
layout(constant_id = 6) const uint SHORT = 0;
layout(constant_id = 7) const uint MORTON = 1;
layout(constant_id = 8) const uint RUNS = 1;     // a thread takes 8 slots in a row
layout(constant_id = 9) const uint NARROW = 0;   // two entries in a word of the pool, by atomics
layout(constant_id = 10) const uint POOL = 4096; // elements of the pool: entries of a tile's list, or words
layout(constant_id = 11) const uint TOTALS = 0;  // only find out how long the tile's list is
layout(constant_id = 12) const uint LABELS = 0;  // say which bucket each entry came from

struct Region { uint first; uint count; };
struct Counts { uint entries; uint pixels; uint unresolved; uint tiles; uvec3 groups; uint spare; };

layout(binding = 0) uniform usampler2D ids; // nearest, clamped
layout(binding = 1, scalar) writeonly buffer Entries { uvec4 entries[]; };
layout(binding = 2, scalar) writeonly buffer Tiles { uint tiles[]; };
layout(binding = 3, scalar) writeonly buffer Regions { Region regions[]; };
layout(binding = 4, scalar) buffer Now { Counts now; };
layout(binding = 5, scalar) writeonly buffer Next { Counts next; };
layout(binding = 6, scalar) buffer Lengths { uint lengths[]; };
layout(binding = 7, scalar) writeonly buffer Labels { uint labels[]; };
layout(push_constant, scalar) uniform Push { uvec2 size; vec2 texel; uint consumer; } push;

/// The rest is empty, so that every lane of any subgroup has as many.
const uint BUCKETS = (CONTAINERS + 127) / 128 * 128;
shared uint owner[BUCKETS]; // key, 0 while free
shared uint count[BUCKETS];
shared uint first[BUCKETS]; // where the bucket's entries begin
shared uint rest[BUCKETS];  // packed: where they would begin if its last entries were where its first are
shared uint bins[32];
#if HALF
shared uint16_t pool[POOL]; // the less shared memory, the more workgroups at once
#else
shared uint pool[POOL];
#endif
shared uint tile_first, tile_length, tile_upto, tile_pixels, tile_unresolved;

const uint NONE = 0xFFFFFFFFu;

#if HALF
/// Subgroups are full for a deterministic list.
uint row_lanes() { return min(gl_SubgroupSize, 32u); }
uint member() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
#else
uint row_lanes() { return 32; }
uint member() { return gl_LocalInvocationIndex; }
#endif

/// A slot is the sum of one of these and one of its own, without a common bit; places can be added too.
uint own_slot() {
    uint me = gl_LocalInvocationIndex;
    // A row takes eight times as many slots as it has lanes.
    if (DETERMINISTIC == 1) return member() / row_lanes() * row_lanes() * EACH + member() % row_lanes();
    return RUNS == 1 ? me * EACH : me;
}
uint more_slot(uint i) { return DETERMINISTIC == 1 ? row_lanes() * i : RUNS == 1 ? i : THREADS * i; }
uvec2 place_of(uint slot) { return MORTON == 1 ? morton(slot) : uvec2(slot % TILE, slot / TILE); }

uint tile_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uint step_on(uint bucket) { return bucket + 1 == CONTAINERS ? 0 : bucket + 1; }

#endif
