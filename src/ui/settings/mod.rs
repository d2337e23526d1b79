//! Settings as widgets: a section's fields, which of them apply, and collapsible sections and groups.

pub mod collapsing;
pub mod differences;
pub(super) mod enabled;
pub(super) mod panel;
pub(super) mod value_text;
