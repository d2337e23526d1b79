//! Results of culling a meshlet instance; the numbers are those of src/techniques/meshlets/culling.rs.
const uint OUT_OF_FRUSTUM = 1;
const uint FACES_AWAY = 2;
const uint OCCLUDED = 3;
/// Drawn, and in sight: first to be drawn in the next frame.
const uint SEEN = 4;
/// Drawn as it had been in sight before, but it is not now.
const uint DRAWN_UNSEEN = 5;
/// Left for the second phase of this frame.
const uint PENDING = 6;
