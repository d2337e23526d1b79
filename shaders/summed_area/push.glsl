//! Push constants that every pass over a table shares. Sides below 2^16, planes below 2^30 words.
#ifndef SUMMED_AREA_PUSH
#define SUMMED_AREA_PUSH

layout(push_constant, scalar) uniform TablePush {
    uvec2 size;       // of the plane that is worked on, as it is read
    uint from_pitch;  // words from row to row of `from`
    uint to_pitch;
    uint plane;       // words from plane to plane of tables
    uint channels;    // numbers of a pixel, each with a plane of its own
    uvec2 full;       // of the picture
    uint words_pitch; // words from row to row of `words`
    uint words_plane; // words from plane to plane of them
    float unit;       // the whole number that the picture's 1.0 becomes
    uvec2 first;      // pixel of the picture that counts as its corner
    float scale;      // value of one of these numbers if tables hold floats
    uvec2 step;       // how far to the left and above is added
    uint epoch;       // of the posts
    uvec2 grid;       // tiles across and down
} push;

#endif
