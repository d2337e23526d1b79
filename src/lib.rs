//! Meniscus: drag a liquid-glass lens over a picture and see what each GPU technique below it does and costs.
//!
//! Eight floors, bottom up. A floor uses only the floors below it; `gpu` is the only user of `ash`, `app` of `winit` and `clap`.

pub mod ab;
pub mod app;
pub mod base;
pub mod gpu;
pub mod instrument;
pub mod lab;
pub mod renderer;
pub mod scene;
pub mod suites;
pub mod techniques;
pub mod ui;
