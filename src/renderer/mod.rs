//! A frame from top to bottom.
