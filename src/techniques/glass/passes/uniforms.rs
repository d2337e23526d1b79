//! Structures shared with the shaders of the glass.

use crate::frost::blur::{FROST_SIGMA, SHARP_SIGMA};
use crate::lens::shape::Lens;
use crate::light::veil;
use crate::text::fields::{all_fields, field_of};
use glam::{Vec2, Vec3};
use gpu::gpu_struct;

gpu_struct! {
    pub struct GpuLens { pub center: Vec2, unit_from_window: [Vec2; 2], core: Vec2, exponent: f32, bevel: f32, field: [u32; 3], texels_per_px: f32,
        weight: f32, pub bright: f32, container: u32, extent: Vec2 }
}

gpu_struct! {
    /// Lengths are pixels of the window, colours linear light.
    pub struct GlassBlock {
        /// The lens of a body of one.
        pub lens: GpuLens,
        /// In the list of all lenses.
        pub first: u32,
        pub count: u32,
        /// Tiles: the first of the grid, and its columns and rows.
        pub corner: [u32; 2],
        pub grid: [u32; 2],
        /// The grid's first word, and words of a tile.
        pub bins: u32,
        pub stride: u32,
        /// Outwards of the outline, in which the distance counts; see [`Outskirts`](crate::lens::tiles::Outskirts) for the others.
        pub reach: f32,
        pub shadow_reach: f32,
        pub rim_reach: f32,
        /// What the outline may bend between the probes of a tile.
        pub bend: f32,
        pub melt: f32,
        pub magnify: f32,
        pub height: f32,
        /// Power q of `h^q + (1-t)^q = 1`; 2 is a quarter circle, 3 meets the face without a crease.
        pub profile: f32,
        /// Index of refraction for green.
        pub eta: f32,
        /// Half the spread over the visible range: (eta - 1) / Abbe number.
        pub spread: f32,
        /// Between the edge and the picture.
        pub gap: f32,
        /// Sigma; system glass: over dark pictures.
        pub frost: f32,
        pub frosted: f32,
        /// Unit vector to the light.
        pub axis: Vec2,
        /// The strongest channel is 1.
        pub light_color: Vec3,
        /// Along the axis, and upwards.
        pub halfway: Vec2,
        pub rim_width: f32,
        pub rim: f32,
        pub gloss: f32,
        pub caustic: f32,
        pub mirror: f32,
        pub fire: f32,
        pub shadow: f32,
        pub shadow_sigma: f32,
        /// Downwards.
        pub shadow_drop: f32,
        pub contour: f32,
        pub saturation: f32,
        pub tint: Vec3,
        pub tint_part: f32,
        pub veil: f32,
        /// Transmittance through the whole thickness; above 0.
        pub body: Vec3,
        pub body_log2: Vec3,
        /// Samples of a bevel's pixel at most; 1: no dispersion, and an isotropic footprint.
        pub taps: u32,
        pub adaptive: f32,
        pub pressed: Vec2,
        /// One over the distance at which half of the glow is left.
        pub glow_scale: f32,
        pub glow: f32,
        /// Strength of the shade for text.
        pub legible: f32,
        /// Largest luminance below text.
        pub ground: f32,
        /// From pixels to uv, as the three after it.
        pub shade_first: Vec2,
        pub shade_scale: Vec2,
        pub frosted_scale: Vec2,
        pub frosted_shift: Vec2,
        /// System glass: displacement at the edge, per pixel of the bevel's width.
        pub displacement: f32,
        /// Sigma; system glass: over bright pictures.
        pub frost_light: f32,
        pub body_dark: Vec3,
        pub body_light: Vec3,
        pub body_opens: f32,
    }
}

gpu_struct! {
    pub struct GlassPush { pub size: Vec2, pub first: u32, pub mouse: Vec2, pub view: u32 }
}

impl GlassBlock {
    pub fn with_frost(self, frost: f32, frost_light: f32) -> GlassBlock {
        GlassBlock { frost, frosted: smoothstep(SHARP_SIGMA, FROST_SIGMA, frost), frost_light, ..self }
    }

    pub fn with_tint(self, tint: Vec3, tint_part: f32) -> GlassBlock {
        GlassBlock { tint, tint_part, veil: veil(tint, tint_part), ..self }
    }
}

impl GpuLens {
    /// A pixel wide, beyond any window.
    pub const FAR: GpuLens = GpuLens {
        center: Vec2::splat(-1e7),
        unit_from_window: [Vec2::X, Vec2::Y],
        core: Vec2::ZERO,
        exponent: 2.0,
        bevel: 0.5,
        field: [0; 3],
        texels_per_px: 1.0,
        weight: 0.0,
        bright: 0.5,
        container: 0,
        extent: Vec2::ONE,
    };

    /// Of all bodies that are drawn together: they share the fields of words.
    pub fn of<'a>(lenses: impl Iterator<Item = &'a Lens> + Clone) -> Vec<GpuLens> {
        let fields = all_fields(lenses.clone());
        let lens = |l: &Lens| {
            let words = l.letters.as_ref().and_then(|letters| Some((letters, field_of(&fields, letters)?)));
            GpuLens {
                center: l.center,
                unit_from_window: l.unit_from_window().to_cols_array_2d().map(Vec2::from_array),
                core: l.core(),
                exponent: l.exponent,
                bevel: l.bevel,
                field: words.map_or([0; 3], |(_, at)| [at.first, at.grid.size.x, at.grid.size.y]),
                texels_per_px: words.map_or(1.0, |(letters, at)| letters.texels_per_px(at.grid)),
                weight: words.map_or(0.0, |(letters, at)| letters.weight(at.grid)),
                bright: l.bright,
                container: l.container,
                extent: l.reach(),
            }
        };
        lenses.map(lens).collect()
    }
}

fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
