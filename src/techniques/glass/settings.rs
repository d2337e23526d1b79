//! Values for the shaders, from outlines and glass of lenses and from the settings that all lenses share.

use super::frost::blur::{SHARP_SIGMA, bicubic_lod, lod_from_sigma};
use super::lens::outline::outline_of;
use super::lens::shape::{Lens, Lenses, MOST_LENSES};
use super::lens::tiles::Outskirts;
pub use super::light::SceneLight;
use super::light::{SHADOW_REACH, directions, fire, halfway, rim_reach};
use super::optics::{footprint_sigma, row_reach, sight, widest_split};
use super::passes::uniforms::GlassBlock;
use super::system::{self, AROUND_EDGE_LOD, LARGE_FROST, Line};
use super::text::contrast::Legible;
use base::choices;
use bytemuck::Zeroable as _;
use glam::{Vec2, Vec3};
pub use scene::{Blur, GlassSettings, LightFrom, Material, Mode, OpticsModel, Preset};
use std::collections::HashMap;

choices! {
    /// Blur of the mode "source".
    pub enum SourceBlur {
        /// The article's 81 taps at half-pixel steps.
        Box81 = "box81" as "81-tap box",
        /// One tap of the mip chain of the same width, as the article itself suggests.
        Mips = "mips" as "Mip chain (1 tap)",
    }
}

/// Pixels. Wider bevels may be as wide as leaves a face, narrower ones have a part of that, two thirds at least.
const WIDE_BEVEL: f32 = 60.0;
const NARROW_PART: f32 = 2.0 / 3.0;
const DARKEST_BODY: f32 = 1.0 / 255.0;
/// Least part of the tint, and least frost in pixels.
const OPAQUE: f32 = 0.8;
pub(super) const CALM_FROST: f32 = 10.0;
/// 2 is a quarter circle with a visible crease at the face, 3 meets it smoothly.
const PROFILE: f32 = 3.0;
const SYSTEM_PROFILE: f32 = 2.0;
/// Pixels at a display scale of 1, at which half is left, and strength.
const GLOW_REACH: f32 = 70.0;
pub(super) const GLOW: f32 = 0.7;
const RIM_WIDTH: f32 = 1.3;
/// Blur, and distance below the lens, pixels.
const SHADOW_SIGMA: f32 = 20.0;
const SHADOW_DROP: f32 = 14.0;
const CONTOUR: f32 = 0.16;

gpu::gpu_consts! { "glass/refraction.glsl":
    const AROUND_LOD: f32 = 4.0;
}

/// Of a body of lenses: what its shaders take, and what its passes are planned with.
#[derive(Clone, Debug)]
pub struct Glass {
    pub block: GlassBlock,
    /// Those in the block, with their letters.
    pub lenses: Lenses,
    pub optics: OpticsModel,
    pub blur: Blur,
    /// The look of a lens follows the brightness below it.
    pub needs_brightness: bool,
    pub is_legible: bool,
    /// Only the tiles of the lenses are drawn; the result is the same.
    pub is_bounded: bool,
}

/// Radians over the screen: never straight above the bevel, nor behind the glass.
const ELEVATIONS: [f32; 2] = [0.06, 0.5];

impl Glass {
    pub fn with_lenses(self, lenses: Lenses) -> Glass {
        let block = GlassBlock { count: lenses.lens.len() as u32, melt: lenses.melt, ..self.block };
        Glass { block, lenses, ..self }
    }

    pub fn lit_by(mut self, light: &SceneLight) -> Glass {
        let across = Vec2::new(light.toward.x, -light.toward.y);
        let axis = (across + Vec2::new(0.0, -0.02)).normalize_or(Vec2::NEG_Y);
        let elevation = light.toward.z.clamp(-1.0, 1.0).asin().clamp(ELEVATIONS[0], ELEVATIONS[1]);
        (self.block.axis, self.block.halfway, self.block.light_color) = (axis, halfway(elevation), light.color);
        self
    }

    pub fn pressed(mut self, place: Vec2, strength: f32) -> Glass {
        (self.block.pressed, self.block.glow) = (place, strength);
        self
    }

    pub fn shaded(mut self, Legible { ground, strength }: Legible) -> Glass {
        (self.block.ground, self.block.legible) = (ground, strength);
        Glass { is_legible: true, ..self }
    }

    pub fn outskirts(&self) -> Outskirts {
        let block = &self.block;
        let shadow_reach = if block.shadow > 0.0 { SHADOW_REACH * block.shadow_sigma } else { 0.0 };
        let shadow_drop = if shadow_reach > 0.0 { block.shadow_drop } else { 0.0 };
        Outskirts { shadow_reach, shadow_drop, rim_reach: rim_reach(block.rim_width) }
    }

    pub fn longest_offset(&self) -> f32 {
        let pull = self.lenses.lens.iter().map(|l| l.reach().length()).fold(0.0, f32::max);
        let mut bevels: Vec<f32> = self.lenses.lens.iter().map(|l| l.bevel.max(1.0)).collect();
        bevels.sort_by(f32::total_cmp);
        bevels.dedup();
        1.02 * bevels.into_iter().map(|bevel| self.longest_reach(bevel)).fold(0.0, f32::max)
            + 2.0
            + pull * (1.0 - 1.0 / self.block.magnify).abs()
    }

    /// Pixels. Smooth but for the rim, whose first pixels are sampled closely.
    fn longest_reach(&self, bevel: f32) -> f32 {
        let depths = (0..16).map(|i| i as f32 * 0.25).chain((1..=32).map(|i| 4.0 + bevel * i as f32 / 32.0));
        let reach = |z: f32| {
            let sight = sight(-z, bevel, 1.0, &self.block, self.optics);
            sight.offset.abs() + row_reach(&sight, &self.block)
        };
        depths.map(reach).fold(0.0, f32::max)
    }
}

/// Lenses of one container after each other, in the order of its first one: those without one are of one, too. And the
/// container's number.
pub fn by_container(lenses: &[scene::Lens]) -> Vec<(usize, u32)> {
    let mut known: HashMap<Option<u32>, u32> = HashMap::new();
    let mut number = |lens: &scene::Lens| {
        let next = known.len() as u32;
        *known.entry(lens.container).or_insert(next)
    };
    let mut all: Vec<(usize, u32)> = lenses.iter().map(&mut number).enumerate().collect();
    all.sort_by_key(|(_, container)| *container);
    all.truncate(MOST_LENSES);
    all
}

/// What the passes need of the settings.
pub trait PassSettings {
    /// `scale`: pixels per unit of the settings. Without lenses nothing is drawn.
    fn glass(&self, lenses: &[scene::Lens], scale: f32) -> Glass;
    fn reads_far(&self) -> bool;
    fn source_blur(&self) -> SourceBlur;
    /// Of the frost, the bevel's footprint, and the mirrored surroundings.
    fn levels_needed(&self, scale: f32) -> u32;
}

impl PassSettings for GlassSettings {
    fn glass(&self, lenses: &[scene::Lens], scale: f32) -> Glass {
        let is_system = self.optics == OpticsModel::System;
        let fixed = if is_system { self.material.brightness() } else { None };
        let outline = |(at, container): (usize, u32)| {
            let outline = outline_of(&lenses[at], scale);
            let (bevel, bright) = (bevel_of(self, &outline, scale), fixed.unwrap_or(outline.bright));
            Lens { bevel, bright, container, ..outline }
        };
        let some: Vec<Lens> = by_container(lenses).into_iter().map(outline).collect();
        let (axis, halfway) = directions(self.light_angle.to_radians());
        let dark_part = if is_regular(self) { system::DARK_FROST } else { 1.0 };
        let largest = some.iter().map(|lens| system::largeness(lens, scale)).fold(0.0, f32::max);
        let grown = if is_regular(self) { 1.0 + (LARGE_FROST - 1.0) * largest } else { 1.0 };
        let [dark, light] = [grown * dark_part, grown].map(|part| frost_px(self, part, scale));
        let frost = if fixed == Some(1.0) { light } else { dark };
        let frost_light = if is_system && fixed != Some(0.0) { light.max(frost) } else { frost };
        let of_light = if is_system { 0.0 } else { 1.0 };
        // The Abbe number spans the whole visible range; the taps go half of it to either side.
        let spread = if self.taps > 1 && !is_system { 0.5 * (self.ior - 1.0) / self.abbe } else { 0.0 };
        let tint_part = if self.reduced_transparency { self.tint_part.max(OPAQUE) } else { self.tint_part };
        let body = Vec3::from_array(self.body).max(Vec3::splat(DARKEST_BODY));
        let [body_dark, body_light] = if is_system { system_body(self) } else { [Vec3::ZERO; 2] };
        let block = GlassBlock {
            magnify: self.magnify,
            height: self.bevel_height * scale,
            profile: if is_system { SYSTEM_PROFILE } else { PROFILE },
            eta: self.ior,
            spread,
            gap: self.gap * scale,
            axis,
            light_color: Vec3::ONE,
            halfway,
            rim_width: RIM_WIDTH * scale,
            rim: self.rim,
            gloss: of_light * self.gloss,
            caustic: of_light * self.caustic,
            mirror: of_light * self.mirror,
            fire: fire(spread / (self.ior - 1.0).max(1e-3)),
            shadow: self.shadow,
            shadow_sigma: SHADOW_SIGMA * scale,
            shadow_drop: SHADOW_DROP * scale,
            contour: CONTOUR,
            saturation: self.saturation,
            body,
            body_log2: Vec3::from_array(body.to_array().map(f32::log2)),
            taps: self.taps,
            adaptive: self.adaptive,
            glow_scale: 1.0 / (GLOW_REACH * scale),
            ground: 1.0,
            displacement: if is_system { self.bevel_height / self.bevel_width } else { 0.0 },
            body_dark,
            body_light,
            body_opens: if opens(self) { 1.0 } else { 0.0 },
            ..GlassBlock::zeroed()
        };
        let block = block.with_frost(frost, frost_light).with_tint(Vec3::from_array(self.tint), tint_part);
        let can_melt = some.windows(2).any(|pair| pair[0].container == pair[1].container);
        let melt = if can_melt { self.melt * scale } else { 0.0 };
        let glass = Glass {
            block,
            lenses: Lenses::default(),
            optics: self.optics,
            blur: self.blur,
            needs_brightness: if is_system { fixed.is_none() } else { self.adaptive > 0.0 },
            is_legible: false,
            is_bounded: true,
        };
        let glass = glass.with_lenses(Lenses { lens: some, melt });
        if self.legible { glass.shaded(Legible::of_ink(1.0)) } else { glass }
    }

    fn reads_far(&self) -> bool {
        matches!(self.blur, Blur::Box81 | Blur::Table) || self.legible
    }

    fn source_blur(&self) -> SourceBlur {
        if self.blur == Blur::Trilinear { SourceBlur::Mips } else { SourceBlur::Box81 }
    }

    fn levels_needed(&self, scale: f32) -> u32 {
        if self.mode == Mode::Source {
            return if self.source_blur() == SourceBlur::Mips { 3 } else { 1 };
        }
        // Beyond a footprint of 16 px there is only the rim's last pixel.
        let is_system = self.optics == OpticsModel::System;
        let grown = if is_regular(self) { LARGE_FROST } else { 1.0 };
        let frost = (grown * self.frost * scale).max(1.0);
        let bevel = footprint_sigma(16.0_f32).hypot(widest_split(&self.glass(&[], scale).block));
        let widest = frost.hypot(bevel.max(footprint_sigma(1.0 / self.magnify)));
        let above = |lod: f32| lod.ceil() as u32 + 1;
        let frosted = match self.blur {
            Blur::Box81 | Blur::Kawase | Blur::Table => 1,
            Blur::Preblur => frost.log2().floor() as u32 + 1,
            Blur::Bicubic => above(bicubic_lod(widest * widest)) + 1,
            Blur::Trilinear => above(lod_from_sigma(widest)),
        };
        let light = if is_system { above(bicubic_lod(widest * widest)) + 1 } else { 0 };
        let text = if self.legible { above(lod_from_sigma(frost)) } else { 0 };
        let opens = if opens(self) { above(AROUND_EDGE_LOD) } else { 0 };
        frosted.max(light).max(opens).max(text).max(above(lod_from_sigma(widest))).max(above(AROUND_LOD))
    }
}

/// Pixels. A face that makes smaller shows several pixels in one.
fn frost_px(settings: &GlassSettings, part: f32, scale: f32) -> f32 {
    let frost = part * if settings.reduced_transparency { settings.frost.max(CALM_FROST) } else { settings.frost };
    let px = if frost > SHARP_SIGMA { frost * scale } else { frost };
    px.hypot(footprint_sigma(1.0 / settings.magnify))
}

/// Over dark pictures, and over bright ones.
fn system_body(settings: &GlassSettings) -> [Vec3; 2] {
    let body =
        if settings.material.is_regular() || settings.reduced_transparency { system::REGULAR } else { system::CLEAR };
    let body = if settings.reduced_transparency { body.map(Line::flattened) } else { body };
    body.map(Line::packed)
}

fn is_regular(settings: &GlassSettings) -> bool {
    settings.optics == OpticsModel::System && settings.material.is_regular()
}

fn opens(settings: &GlassSettings) -> bool {
    is_regular(settings) && !settings.reduced_transparency
}

fn bevel_of(settings: &GlassSettings, lens: &Lens, scale: f32) -> f32 {
    let widest = lens.widest_bevel();
    match settings.optics {
        OpticsModel::System => (system::bevel_growth(lens, scale) * settings.bevel_width * scale).min(widest),
        OpticsModel::Snell if lens.letters.is_some() => (settings.bevel_width * scale).min(widest),
        OpticsModel::Snell => {
            let part = (settings.bevel_width / WIDE_BEVEL).clamp(NARROW_PART, 1.0);
            (settings.bevel_width * scale).min(part * widest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_seen_through_clear_glass_whatever_the_preset() {
        for preset in Preset::ALL {
            let settings = GlassSettings { mode: Mode::Source, legible: true, ..Default::default() }.styled(*preset);
            let clear = settings.cleared();
            assert_eq!(
                (clear.mode, clear.magnify, clear.melt),
                (Mode::Lens, settings.magnify, settings.melt),
                "{preset:?}"
            );
            let [own, plain] = [&clear, &GlassSettings::default()].map(|glass| {
                let glass = GlassSettings { magnify: 1.0, melt: 0.0, ..glass.clone() }.glass(&[], 1.0);
                (glass.block, glass.optics, glass.is_legible)
            });
            assert_eq!(own, plain, "{preset:?}");
            assert!((clear.frost, clear.tint_part) == (0.5, 0.02), "{preset:?}");
        }
    }

    #[test]
    fn the_light_of_a_scene_comes_from_where_the_sun_is_seen() {
        let settings = GlassSettings::default();
        let fixed = settings.glass(&[settings.placed(Vec2::ZERO)], 1.0);
        let color = Vec3::new(1.0, 0.5, 0.25);
        let lit = |x, y, z| fixed.clone().lit_by(&SceneLight { toward: Vec3::new(x, y, z).normalize(), color }).block;
        assert!((lit(1.0, 0.3, 0.2).axis.x > 0.9) && (lit(-1.0, 0.3, 0.2).axis.x < -0.9));
        assert!((lit(0.0, 1.0, 0.1).axis - Vec2::NEG_Y).length() < 0.01, "above is up on the screen");
        assert_eq!(lit(0.0, 0.0, 1.0).axis, Vec2::NEG_Y);
        let steepness = |z: f32| lit(1.0, 0.0, z).halfway.x;
        assert!(
            steepness(0.1) > steepness(0.3) && steepness(5.0) == steepness(50.0) && steepness(-5.0) == steepness(0.0)
        );
        assert_eq!((lit(1.0, 0.0, 0.0).light_color, fixed.block.light_color), (color, Vec3::ONE));
        assert_eq!(fixed.block.axis, directions(settings.light_angle.to_radians()).0);
    }

    #[test]
    fn a_small_lens_beside_a_large_one_reaches_as_far_as_alone() {
        let settings = GlassSettings::default();
        let lens = |half: Vec2| settings.placed(Vec2::ZERO).sized(half);
        let (large, small) = (lens(Vec2::new(190.0, 120.0)), lens(Vec2::splat(40.0)));
        let reach = |lenses: &[scene::Lens]| settings.glass(lenses, 1.0).longest_offset();
        let alone = [reach(&[large]), reach(&[small])];
        assert!(alone[1] > alone[0] + 5.0, "{alone:?}");
        assert!(reach(&[large, small]) >= alone[1], "{alone:?}");
    }

    #[test]
    fn scale_multiplies_lengths_only() {
        let settings = GlassSettings { frost: 4.0, ..Default::default() };
        let [one, two] = [1.0, 2.0].map(|scale| settings.glass(&[settings.placed(Vec2::ZERO)], scale));
        assert_eq!(two.block.frost, 8.0);
        assert_eq!(two.lenses.lens[0].half, one.lenses.lens[0].half * 2.0);
        assert_eq!(two.block.eta, one.block.eta);
        assert_eq!(two.lenses.lens[0].exponent, one.lenses.lens[0].exponent);
    }
}
