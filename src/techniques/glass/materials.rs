//! Presets of named materials. Index, Abbe number and absorption are those of the table in docs/glass.md; shapes and lights are chosen by eye.

use super::settings::{GlassSettings, Preset};
use crate::scene::Shape;

/// The glass of a named material; any other preset leaves `clear` as it is.
pub fn apply(preset: Preset, clear: GlassSettings) -> GlassSettings {
    match preset {
        Preset::Water => water(clear),
        Preset::Ice => ice(clear),
        Preset::Diamond => diamond(clear),
        Preset::Bubble => bubble(clear),
        Preset::Obsidian => obsidian(clear),
        Preset::Amber => amber(clear),
        Preset::Bathroom => bathroom(clear),
        _ => clear,
    }
}

/// A drop. Absorption of a metre, so that its colour is seen.
fn water(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.333,
        abbe: 55.7,
        body: [0.747, 0.945, 0.991],
        half_width: 150.0,
        half_height: 130.0,
        exponent: 2.3,
        bevel_width: 120.0,
        bevel_height: 78.0,
        gap: 46.0,
        tint_part: 0.0,
        gloss: 0.8,
        caustic: 0.5,
        rim: 0.7,
        ..clear
    }
}

/// A block. Absorption of a metre, and what its bubbles blur.
fn ice(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.31,
        abbe: 52.0,
        body: [0.813, 0.949, 0.997],
        frost: 2.5,
        shape: Shape::Rounded,
        radius: 34.0,
        exponent: 3.0,
        bevel_width: 44.0,
        bevel_height: 70.0,
        gap: 80.0,
        tint_part: 0.05,
        gloss: 0.6,
        ..clear
    }
}

/// A round stone.
fn diamond(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 2.417,
        abbe: 55.3,
        half_width: 130.0,
        half_height: 130.0,
        exponent: 2.0,
        bevel_width: 65.0,
        bevel_height: 60.0,
        gap: 50.0,
        tint_part: 0.0,
        gloss: 1.4,
        caustic: 0.6,
        rim: 1.3,
        ..clear
    }
}

/// A film around air, whose rim mirrors.
fn bubble(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.0,
        abbe: 100.0,
        half_width: 140.0,
        half_height: 140.0,
        exponent: 2.0,
        bevel_width: 70.0,
        bevel_height: 130.0,
        gap: 0.0,
        saturation: 1.0,
        tint_part: 0.0,
        mirror: 2.0,
        gloss: 1.2,
        caustic: 0.5,
        shadow: 0.06,
        adaptive: 0.0,
        ..clear
    }
}

/// Black where it is thick, clear at its thin edge.
fn obsidian(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.49,
        abbe: 58.0,
        body: [0.016, 0.012, 0.011],
        bevel_width: 56.0,
        saturation: 1.0,
        tint_part: 0.0,
        gloss: 1.2,
        caustic: 0.0,
        mirror: 1.4,
        shadow: 0.5,
        adaptive: 0.0,
        ..clear
    }
}

/// A polished piece.
fn amber(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.54,
        abbe: 40.0,
        body: [0.82, 0.36, 0.035],
        half_width: 160.0,
        half_height: 115.0,
        exponent: 2.5,
        bevel_width: 100.0,
        bevel_height: 80.0,
        gap: 40.0,
        tint_part: 0.0,
        gloss: 0.9,
        caustic: 0.7,
        shadow: 0.4,
        ..clear
    }
}

/// A pane of soda-lime glass, green by its iron, with one rough side.
fn bathroom(clear: GlassSettings) -> GlassSettings {
    GlassSettings {
        ior: 1.523,
        abbe: 58.6,
        body: [0.85, 0.95, 0.9],
        frost: 13.0,
        half_width: 150.0,
        half_height: 190.0,
        shape: Shape::Rounded,
        radius: 6.0,
        exponent: 2.0,
        bevel_width: 12.0,
        bevel_height: 12.0,
        gap: 60.0,
        saturation: 1.0,
        tint_part: 0.06,
        gloss: 0.2,
        caustic: 0.1,
        ..clear
    }
}
