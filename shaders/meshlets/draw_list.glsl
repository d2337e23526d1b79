//! Entry of the draw list that culling passes to the listing of triangles: `LISTED_WORDS` words, from `LISTED_WORDS` times its index on.
const uint LISTED_WORDS = 5;
const uint LISTED_INDEX = 0;
const uint LISTED_INSTANCE = 1;
const uint LISTED_FIRST_VERTEX = 2;
const uint LISTED_FIRST_TRIANGLE = 3;
/// Vertices, and from bit 8 on triangles.
const uint LISTED_COUNTS = 4;
