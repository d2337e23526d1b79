//! The only user of `ash`.
