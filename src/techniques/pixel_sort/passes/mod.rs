//! All passes of the technique, by the names that Timings shows: the sort and its views.

pub mod sorter;
