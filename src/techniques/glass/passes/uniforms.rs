//! Structures shared with the shaders of the glass.

use super::glass::{Glass, smoothstep};
use crate::gpu_struct;
use crate::techniques::glass::frost::blur::{FROST_SIGMA, SHARP_SIGMA};
use crate::techniques::glass::lens::shape::{Lens, MAX_LENSES};
use crate::techniques::glass::light::veil;
use crate::techniques::glass::system::Line;
use crate::techniques::glass::text::fields::{all_fields, field_of};
use glam::{Vec2, Vec3};

gpu_struct! {
    pub struct GpuLens { center: Vec2, unit_from_window: [Vec2; 2], core: Vec2, exponent: f32, bevel: f32, field: [u32; 3], texels_per_px: f32,
        weight: f32, bright: f32 }
}

gpu_struct! {
    pub struct GlassBlock {
        lens: [GpuLens; MAX_LENSES],
        count: u32,
        melt: f32,
        magnify: f32,
        height: f32,
        profile: f32,
        eta: f32,
        spread: f32,
        gap: f32,
        frost: f32,
        frosted: f32,
        axis: Vec2,
        light_color: Vec3,
        halfway: Vec2,
        rim_width: f32,
        rim: f32,
        gloss: f32,
        caustic: f32,
        mirror: f32,
        fire: f32,
        shadow: f32,
        shadow_sigma: f32,
        shadow_drop: f32,
        contour: f32,
        saturation: f32,
        tint: Vec3,
        tint_part: f32,
        veil: f32,
        body: Vec3,
        body_log2: Vec3,
        taps: u32,
        adaptive: f32,
        pressed: Vec2,
        glow_scale: f32,
        glow: f32,
        legible: f32,
        ground: f32,
        shade_first: Vec2,
        shade_scale: Vec2,
        frosted_scale: Vec2,
        frosted_shift: Vec2,
        displacement: f32,
        frost_light: f32,
        body_dark: Vec3,
        body_light: Vec3,
        body_opens: f32,
    }
}

gpu_struct! {
    pub struct GlassPush { pub size: Vec2, pub first: u32, pub mouse: Vec2, pub view: u32 }
}

impl GlassBlock {
    pub fn brightness(&self) -> Vec<f32> {
        self.lens.iter().take(self.count as usize).map(|lens| lens.bright).collect()
    }

    pub fn lenses(&self) -> &[GpuLens] {
        &self.lens[..self.count as usize]
    }

    pub fn is_several(&self) -> bool {
        self.count > 1
    }

    pub fn magnifies(&self) -> bool {
        self.magnify != 1.0
    }

    /// From pixels to uv.
    pub fn with_frosted(self, scale: Vec2, shift: Vec2) -> GlassBlock {
        GlassBlock { frosted_scale: scale, frosted_shift: shift, ..self }
    }

    /// From pixels to uv.
    pub fn with_shades(self, first: Vec2, scale: Vec2) -> GlassBlock {
        GlassBlock { shade_first: first, shade_scale: scale, ..self }
    }

    pub fn new(glass: &Glass) -> GlassBlock {
        let (light, fields) = (&glass.light, all_fields(&glass.lenses));
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
            }
        };
        let body = glass.system.map_or([Vec3::ZERO; 2], |system| system.body.map(Line::packed));
        GlassBlock {
            lens: std::array::from_fn(|at| lens(&glass.lenses.lens[at])),
            count: glass.lenses.count as u32,
            melt: glass.lenses.melt,
            magnify: glass.lenses.magnify,
            height: glass.bevel.height,
            profile: glass.bevel.profile,
            eta: glass.optics.eta,
            spread: glass.optics.spread,
            gap: glass.optics.gap,
            frost: glass.frost,
            frosted: smoothstep(SHARP_SIGMA, FROST_SIGMA, glass.frost),
            axis: light.axis,
            light_color: light.color,
            halfway: light.halfway,
            rim_width: light.rim_width,
            rim: light.rim,
            gloss: light.gloss,
            caustic: light.caustic,
            mirror: light.mirror,
            fire: light.fire,
            shadow: light.shadow.darkness,
            shadow_sigma: light.shadow.sigma,
            shadow_drop: light.shadow.drop,
            contour: light.shadow.contour,
            saturation: light.tone.saturation,
            tint: light.tone.tint,
            tint_part: light.tone.part,
            veil: veil(light.tone.tint, light.tone.part),
            body: light.tone.body,
            body_log2: Vec3::from_array(light.tone.body.to_array().map(f32::log2)),
            taps: glass.optics.taps,
            adaptive: light.tone.adaptive,
            pressed: light.glow.place,
            glow_scale: 1.0 / light.glow.reach,
            glow: light.glow.strength,
            legible: glass.legible.map_or(0.0, |legible| legible.strength),
            ground: glass.legible.map_or(1.0, |legible| legible.ground),
            shade_first: Vec2::ZERO,
            shade_scale: Vec2::ZERO,
            frosted_scale: Vec2::ZERO,
            frosted_shift: Vec2::ZERO,
            displacement: glass.optics.displacement.unwrap_or_default(),
            frost_light: glass.widest_frost(),
            body_dark: body[0],
            body_light: body[1],
            body_opens: f32::from(u8::from(glass.system.is_some_and(|system| system.opens))),
        }
    }
}
