//! The trait and the list of techniques.
