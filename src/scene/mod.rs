//! What is looked at.
