//! Small pictures of whole frames against kept ones, under validation: how the program looks, every view of every technique, and
//! every setting that the world's picture depends on.
//!
//! A picture may differ by 0.75 of an 8-bit step in the mean and by 24 in the worst channel (drivers round differently
//! at hard edges below the glass); a picture of the world by any step in 8 pixels: where two triangles are equally deep
//! to the last bit the one drawn first stays, and their order is not fixed (docs/meshlets.md). On failure the picture
//! and its difference, eight times as strong, are written to target/goldens. `MENISCUS_ACCEPT=1 cargo test --test
//! goldens` keeps the new pictures instead.

mod looks;
mod studio;
mod views;
mod world_settings;
