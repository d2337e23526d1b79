//! Meniscus: drag a liquid-glass lens over a picture and see what each GPU technique below it does and costs.
//!
//! Eight floors, bottom up. A floor uses only the floors below it; `gpu` is the only user of `ash`, `app` of `winit` and `clap`.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

#[cfg(feature = "lab")]
pub mod ab;
#[cfg(feature = "lab")]
pub mod app;
pub mod base;
pub mod gpu;
#[cfg(feature = "lab")]
pub mod instrument;
pub mod lab;
pub mod renderer;
pub mod scene;
#[cfg(feature = "lab")]
pub mod suites;
pub mod techniques;
#[cfg(feature = "lab")]
pub mod ui;
