//! Tests of drawn glTF files.

mod light_tests;
mod studio;
mod tests;
