//! All passes of the technique, by the names that Timings shows: the sort, its views, and the counts of a measurement.

pub mod measure;
pub mod sorter;
