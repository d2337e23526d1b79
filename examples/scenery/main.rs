//! The lake at dusk below the glass, as a PNG file: `cargo run --release --example scenery -- assets/textures/dusk.png`.

mod framing;
mod grid;
mod land;
mod parts;
mod shore;
mod sky;

use anyhow::Context as _;
use framing::Framing;
use glam::Vec3;
use scene::picture::canvas::Canvas;
use std::path::PathBuf;

const SIZE: [u32; 2] = [2560, 1440];

fn main() -> anyhow::Result<()> {
    let file = PathBuf::from(std::env::args_os().nth(1).context("expected a file")?);
    scenery(SIZE).picture().save_png(&file)
}

fn scenery(size: [u32; 2]) -> Canvas {
    let view = Framing::new(size);
    let mut canvas = Canvas::new(size, Vec3::ZERO);
    sky::heaven(&mut canvas, &view);
    sky::stars(&mut canvas, &view);
    land::mountains(&mut canvas, &view);
    shore::far_forest(&mut canvas, &view);
    land::glare(&mut canvas, &view);
    shore::lake(&mut canvas, &view);
    canvas.rows(|_, row| {
        let bright = row.iter_mut().filter(|light| light.max_element() >= KNEE);
        bright.for_each(|light| *light = light.map(shoulder));
    });
    shore::foreground(&mut canvas, &view);
    canvas
}

const KNEE: f32 = 0.7;

/// Compresses light over 1 instead of clipping it: the sun keeps a soft edge.
fn shoulder(light: f32) -> f32 {
    if light < KNEE { light } else { KNEE + (1.0 - KNEE) * (1.0 - (-(light - KNEE) / (1.0 - KNEE)).exp()) }
}
