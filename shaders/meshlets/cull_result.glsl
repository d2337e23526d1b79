//! Results of culling a meshlet instance; the numbers are those of src/techniques/meshlets/passes/culling.rs.
const uint OUT_OF_FRUSTUM = 1;
const uint FACES_AWAY = 2;
const uint OCCLUDED = 3;
const uint SEEN = 4;
const uint DRAWN_UNSEEN = 5;
const uint PENDING = 6;
