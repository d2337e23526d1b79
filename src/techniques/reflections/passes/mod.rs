//! All passes of the technique, by the names that Timings shows: rays by mask, in queues and sorted; building; views.

pub mod hardware;
pub mod mask;
pub mod progressive;
pub mod ray_queues;
pub mod sorted_hits;
