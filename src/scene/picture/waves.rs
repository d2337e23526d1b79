//! Layers of paper cut in waves, lit from above, below motifs of use. From top to bottom they repeat, so that the picture can scroll.

use super::canvas::{Canvas, colour};
use glam::{Vec2, Vec3};
use media::picture::Picture;
use std::f32::consts::TAU;

pub struct Palette {
    /// Layers of a window's height.
    layers: u32,
    /// From the far one down; encoded.
    papers: &'static [u32],
    disc: u32,
}

pub const SEA: Palette = Palette {
    layers: 5,
    papers: &[0x101C4A, 0x1B3F7A, 0x125A78, 0x0A6970, 0x2A6350, 0x7C4655, 0x9E4546, 0x74305F, 0x43266B, 0x22205A],
    // White text on it has a contrast of 4.5:1.
    disc: 0xC25A38,
};

pub const EMBER: Palette =
    Palette { layers: 6, papers: &[0x1A1238, 0x3A1A55, 0x6A2160, 0x9C3558, 0xB4583F, 0x6E3A2E], disc: 0xF6C98A };

pub const MOSS: Palette =
    Palette { layers: 6, papers: &[0x0C2B3A, 0x0F4652, 0x17655F, 0x3D7A52, 0x6F7F3E, 0x2F4A33], disc: 0xEFE0A0 };

/// A layer's upper edge at a place across, both in heights of the window: whole waves across the repeat.
fn edge(layer: i32, count: i32, x: f32, height: f32) -> f32 {
    let turn = layer.rem_euclid(count) as f32;
    let wave = |length: f32, amount: f32, shift: f32| amount * (TAU * (x / length + shift)).sin();
    let sum = wave(1.37, 0.040, 0.31 * turn) + wave(0.61, 0.018, 0.17 * turn + 0.4) + wave(0.23, 0.004, 0.71 * turn);
    layer as f32 * height + sum
}

/// `window`: height of the window in pixels; the picture is as high, or a multiple.
pub fn paint(palette: &Palette, size: [u32; 2], window: u32) -> Picture {
    let mut canvas = Canvas::new(size, Vec3::ZERO);
    let (px, window) = (1.0 / window.max(1) as f32, window.max(1));
    let count = (palette.layers * size[1].div_ceil(window).max(1)) as i32;
    let height = 1.0 / palette.layers as f32;
    let papers: Vec<Vec3> = palette.papers.iter().map(|paper| colour(*paper)).collect();
    let paper = |layer: i32| papers[layer.rem_euclid(count) as usize * papers.len() / count as usize];
    let disc = colour(palette.disc);
    canvas.rows(|y, row| {
        for (x, light) in row.iter_mut().enumerate() {
            let (u, v) = ((x as f32 + 0.5) * px, (y as f32 + 0.5) * px);
            let depth = |layer: i32| v - edge(layer, count, u, height);
            // The nearest layer whose edge is above: edges move by less than a layer.
            let first = (v / height).floor() as i32 - 1;
            let layer = (first..first + 4).rev().find(|layer| depth(*layer) >= 0.0).unwrap_or(first);
            let (inside, below) = (depth(layer), -depth(layer + 1));
            // Lit at its edge, in the shadow of the layer in front of it.
            let lit = 1.0 + 0.55 * (-inside / 0.030).exp() + 0.9 * (-inside / (1.6 * px)).exp();
            let dark = 1.0 - 0.55 * (-below / 0.045).exp();
            let mut c = paper(layer) * lit * dark;
            if layer.rem_euclid(DISC_EVERY) == 0 {
                let across = 0.30 + 1.1 * (0.37 * layer.rem_euclid(count) as f32 + 0.2).fract();
                let off = Vec2::new(u - across, v - (layer as f32 + 0.42) * height);
                let covered = ((DISC - off.length()) / px + 0.5).clamp(0.0, 1.0);
                let shaded = disc * dark * (0.9 - 0.25 * off.y / DISC);
                c += disc * 0.10 * (-(off.length() / 0.16).powi(2)).exp() * (1.0 - covered);
                c = c.lerp(shaded, 0.92 * covered);
            }
            // The pixels of an edge are shared by both papers.
            let front = (0.5 - below / px).clamp(0.0, 0.5);
            let behind = (0.5 - inside / px).clamp(0.0, 0.5);
            c = c.lerp(paper(layer + 1) * EDGE_LIT, front).lerp(paper(layer - 1) * EDGE_DARK, behind);
            *light = c;
        }
    });
    canvas.picture()
}

/// At an edge: of the paper in front, and of the one in its shadow.
const EDGE_LIT: f32 = 2.45;
const EDGE_DARK: f32 = 0.45;
/// Radius in heights of the window, and layers from one to the next.
const DISC: f32 = 0.095;
const DISC_EVERY: i32 = 4;
