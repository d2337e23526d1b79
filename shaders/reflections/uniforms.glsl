//! Layout of items, buffers and dispatches; src/techniques/reflections/uniforms.rs fills it.
#ifndef REFLECTIONS_UNIFORMS
#define REFLECTIONS_UNIFORMS

const uint WAY_WORDS = 0, WAY_LIVE_WORDS = 1, WAY_LANES = 2, WAY_PERSISTENT = 3, WAY_FIXED = 4, WAY_PATH = 5, WAY_AUTO = 6;
const uint STORAGE_BITS = 0, STORAGE_BYTES = 1, STORAGE_U32 = 2;
const uint MAPPING_LINEAR = 0, MAPPING_BLOCKS = 1;

// A storage buffer: lavapipe compiles a shader again for each value of a uniform block that decides a branch.
layout(binding = 30, scalar) readonly buffer Plan {
    uvec2 size;  // pixels of the reflections
    uvec2 whole; // pixels of the picture that they are for
    uint words;  // of 32 items
    uint blocks_across;
    uint depth; // bounces at the most
    uint way;
    uint storage;
    uint mapping;
    uint workers; // workgroups of persistent threads
    // Automatic: with fewer live lanes one dispatch does all remaining bounces; with fewer live words than `list_below`
    // they are listed; with fewer tenths of their lanes live than `gather_below`, lanes are.
    uint finish_below;
    uint list_below;
    uint gather_below;
    uint mask_at;       // words of Work
    uint live_words_at; // two lists, taken by turns
    uint live_lanes_at;
    uint view;
    uint view_bounce;
    vec2 shift; // where the picture's pixels are sampled, from where those were that were traced, in pixels
    float least_detail; // cones represent this part of a pixel's sides at least
    uint thinned; // 0: each mirror pixel has a ray; else weak mirrors have one for 2x2 or 4x4 pixels, at place thinned - 1 of 16
} plan;

/// By the largest weight. The light between rays is interpolated; the weight scales its error.
uint spacing_of(float weight) {
    if (plan.thinned == 0u || weight >= 0.45) return 1u;
    return weight >= 0.06 ? 2u : 4u;
}

/// In a block of 4x4 (each in 16 frames), and modulo 2 in one of 2x2.
uvec2 ray_place() {
    uint at = plan.thinned - 1u, near_ = at & 3u, far_ = at >> 2u;
    return uvec2(near_ & 1u, (near_ ^ near_ >> 1u) & 1u) + 2u * uvec2(far_ & 1u, (far_ ^ far_ >> 1u) & 1u);
}

/// Written when the bounce before it ends.
struct Call {
    uvec3 groups;
    uint way;
    uint lanes; // that are live
    uint words; // that hold a live lane
    uint done;  // words, or rows of 32 lanes, that have been worked on
    uint next;  // what persistent workgroups take next
    uint finishes; // the lanes continue by themselves until they end
    uint spare[7];
};

/// 8x4 pixels, or 32 in a row; may be outside of the picture.
uvec2 pixel_of_item(uint item) {
    if (plan.mapping == MAPPING_LINEAR) return uvec2(item % plan.size.x, item / plan.size.x);
    uint word = item >> 5, bit = item & 31u;
    return uvec2(word % plan.blocks_across, word / plan.blocks_across) * uvec2(8, 4) + uvec2(bit & 7u, bit >> 3);
}

uint item_of_pixel(uvec2 at) {
    if (plan.mapping == MAPPING_LINEAR) return at.y * plan.size.x + at.x;
    uvec2 block = at / uvec2(8, 4), within = at % uvec2(8, 4);
    return (block.y * plan.blocks_across + block.x) * 32u + within.y * 8u + within.x;
}

uvec2 whole_pixel(uvec2 at) {
    return min(uvec2((vec2(at) + 0.5) * vec2(plan.whole) / vec2(plan.size)), plan.whole - 1u);
}

#endif
