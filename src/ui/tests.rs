//! The panels as a user meets them, by what they say of themselves to assistive technology.
