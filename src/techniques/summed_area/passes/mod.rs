//! All passes of the technique, by the names that Timings shows: tables, scans, blurs, and the views.

pub mod blur;
pub mod focus;
pub mod methods;
pub mod scan;
pub mod scan_picture;
pub mod views;
