//! Plates of glass for panels and toolbars: the same glass as the lens', frosted, and dark enough for the text that stands on it.

use super::model::text_contrast::Legible;
use super::model::lens::Glass;
use super::model::light::LUMA;
use super::passes::{GlassInput, Passes};
use super::settings::{Blur, GlassSettings, SceneLight};
use crate::base::{half::to_f64, srgb};
use crate::gpu::{Delayed, Frame, Gpu, Image, ImageView, ReadBack, Result};
use crate::scene::{Lens, Plate, PlateKind, Press, Shape};
use glam::{UVec2, Vec2, Vec3};
use std::sync::Arc;

const KINDS: [PlateKind; 2] = [PlateKind::Panel, PlateKind::Toolbar];
/// Luminance of the faintest text that plates of each kind carry.
const INKS: [f32; 2] = [PANEL_INK, 1.0];
/// The same of panels: their quiet text.
pub const PANEL_INK: f32 = 0.37;

/// From this mean of the picture below them on plates are bright, until it falls below the second: sRGB, 0..1. Between them they stay as
/// they are.
const BRIGHT: [f32; 2] = [0.62, 0.52];
/// Least width in pixels of the level that the mean is taken from.
const LOOK_PX: u32 = 24;

/// The passes of each kind.
pub struct Plates {
    gpu: Arc<Gpu>,
    passes: [Option<Passes>; 2],
    /// A coarse level of the picture, and where plates were in it, on their way back.
    looks: Delayed<Look>,
    is_bright: bool,
}

/// A level of the picture's chain, and plates in it.
struct Look {
    texels: ReadBack,
    size: UVec2,
    /// Low and high corners, in texels.
    plates: Vec<[Vec2; 2]>,
}

/// Mean luminance of the texels below plates, linear light; nothing where none is below any.
fn mean_below(texels: &[[u16; 4]], size: UVec2, plates: &[[Vec2; 2]]) -> Option<f32> {
    let (mut sum, mut count) = (0.0, 0.0);
    for [low, high] in plates {
        let low = low.floor().max(Vec2::ZERO).as_uvec2().min(size);
        let high = high.ceil().max(Vec2::ZERO).as_uvec2().min(size);
        for y in low.y..high.y {
            for x in low.x..high.x {
                let Some(texel) = texels.get((y * size.x + x) as usize) else { continue };
                let [red, green, blue, _] = texel.map(|bits| to_f64(bits) as f32);
                sum += Vec3::new(red, green, blue).dot(LUMA).clamp(0.0, 1.0);
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}

/// Whether plates over a picture of this mean luminance are bright; `was`: they are now.
fn is_bright(mean: f32, was: bool) -> bool {
    srgb::encode(mean) >= if was { BRIGHT[1] } else { BRIGHT[0] }
}

/// What plates are made of.
fn settings() -> GlassSettings {
    GlassSettings {
        shape: Shape::Rounded,
        exponent: 2.0,
        frost: 14.0,
        blur: Blur::PreblurBilinear,
        melt: 0.0,
        bevel_width: 11.0,
        bevel_height: 20.0,
        gap: 18.0,
        abbe: 60.0,
        taps: 4,
        rim: 0.8,
        gloss: 0.25,
        caustic: 0.1,
        // A shadow would be of the picture alone, and hide the lenses near a plate.
        shadow: 0.0,
        contour: 0.25,
        saturation: 1.35,
        adaptive: 0.0,
        ..GlassSettings::default()
    }
}

/// What bright plates are made of: dark text is legible on them over any picture, for the tint alone is bright enough.
fn bright_settings(plates: &[Plate]) -> GlassSettings {
    let is_panel = plates.first().is_some_and(|plate| plate.kind == PlateKind::Panel);
    GlassSettings {
        tint: BRIGHT_TINT,
        tint_part: if is_panel { BRIGHT_PARTS[0] } else { BRIGHT_PARTS[1] },
        saturation: 1.8,
        contour: 0.12,
        ..settings()
    }
}

/// Tint of bright plates, linear light, and its part in panels and in toolbars.
const BRIGHT_TINT: [f32; 3] = [0.94, 0.955, 0.98];
const BRIGHT_PARTS: [f32; 2] = [0.74, 0.5];
/// The least luminance of bright panels, which their tint alone has.
pub const BRIGHT_GROUND: f32 = 0.69;

impl Plates {
    /// None yet.
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), passes: [None, None], looks: Delayed::default(), is_bright: false }
    }

    /// Whether the picture below the plates asks for bright ones with dark text.
    pub fn is_bright(&self) -> bool {
        self.is_bright
    }

    /// A frame has ended.
    pub fn on_timing(&mut self, ended: u64) -> Result<()> {
        if let Some(Look { texels, size, plates }) = self.looks.take(ended)
            && let Some(mean) = mean_below(&texels.read::<[u16; 4]>()?, size, &plates)
        {
            self.is_bright = is_bright(mean, self.is_bright);
        }
        Ok(())
    }

    /// Looks at what is below the plates.
    fn look(&mut self, frame: &mut Frame, plates: &[Plate], chain: &Image) -> Result<()> {
        let whole = UVec2::from_array(chain.mip(0).size()).as_vec2();
        let wide = |level: &u32| chain.mip(*level).size()[0] >= LOOK_PX;
        let level = (0..chain.mips()).rev().find(wide).unwrap_or(0);
        let size = UVec2::from_array(chain.mip(level).size());
        let scale = size.as_vec2() / whole.max(Vec2::ONE);
        let there = plates.iter().filter(|plate| plate.presence > 0.0);
        let plates: Vec<_> = there.map(|plate| [plate.low * scale, plate.high * scale]).collect();
        if !plates.is_empty() {
            let texels = frame.read_image(&chain.mip(level))?;
            self.looks.put(frame.number(), Look { texels, size, plates });
        }
        Ok(())
    }

    /// Levels of the picture's chain that plates read.
    pub fn levels_needed(scale: f32) -> u32 {
        settings().levels_needed(scale)
    }

    /// Draws them over `target`.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        (plates, press, light): (&[Plate], Option<Press>, Option<&SceneLight>),
        scale: f32,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        self.look(frame, plates, below.chain)?;
        for ((kind, ink), passes) in KINDS.into_iter().zip(INKS).zip(&mut self.passes) {
            let some: Vec<Plate> = plates.iter().filter(|plate| plate.kind == kind).copied().collect();
            let Some(glass) = glass_of(&some, ink, scale) else { continue };
            let lit = light.map_or_else(|| glass.clone(), |light| glass.clone().lit_by(light));
            let on_plate = press.filter(|press| {
                some.iter().any(|plate| press.at.cmpge(plate.low).all() && press.at.cmple(plate.high).all())
            });
            let glass = on_plate.map_or_else(|| lit.clone(), |press| lit.clone().pressed(press.at, press.strength));
            if passes.is_none() {
                *passes = Some(Passes::new(&self.gpu)?);
            }
            passes.iter_mut().try_for_each(|passes| passes.record_lens(frame, below, &glass, target))?;
        }
        Ok(())
    }
}

/// Plates of one kind as one glass; nothing where none is there.
fn glass_of(plates: &[Plate], ink: f32, scale: f32) -> Option<Glass> {
    let is_bright = plates.first().is_some_and(|plate| plate.is_bright);
    let settings = if is_bright { bright_settings(plates) } else { settings() };
    let there = plates.iter().filter(|plate| plate.presence > 0.0 && plate.low.cmplt(plate.high).all());
    let lens = |plate: &Plate| Lens {
        center: 0.5 * (plate.low + plate.high),
        half: 0.5 * (plate.high - plate.low),
        radius: plate.radius,
        ..settings.placed(plate.low, scale)
    };
    let lenses: Vec<_> = there.clone().map(|plate| super::outline::outline_of(&lens(plate))).collect();
    let presence = there.map(|plate| plate.presence).reduce(f32::min)?;
    let glass = settings.glass(&lenses, scale);
    let legible = (!is_bright).then(|| Legible::of_ink(ink));
    Some(Glass { legible, ..glass }.faded(presence.min(1.0)))
}

impl Glass {
    /// The same, there only in part: at 0 nothing of it is seen.
    #[must_use]
    pub fn faded(mut self, presence: f32) -> Glass {
        let light = &mut self.light;
        for part in [
            &mut self.frost,
            &mut self.bevel.height,
            &mut self.optics.height,
            &mut self.optics.gap,
            &mut light.rim,
            &mut light.gloss,
            &mut light.caustic,
            &mut light.mirror,
            &mut light.shadow,
            &mut light.contour,
            &mut light.tint_part,
        ] {
            *part *= presence;
        }
        light.saturation = 1.0 + (light.saturation - 1.0) * presence;
        self.legible = self.legible.map(|legible| Legible { strength: legible.strength * presence, ..legible });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::picture::Motif;
    use crate::techniques::glass::checks::{painted, test_picture};
    use crate::techniques::glass::model::lens::render;
    use glam::{UVec2, Vec2};

    fn plate(presence: f32) -> Plate {
        let (low, high) = (Vec2::new(60.0, 40.0), Vec2::new(200.0, 120.0));
        Plate { low, high, radius: 14.0, kind: PlateKind::Panel, is_bright: false, presence }
    }

    #[test]
    fn plates_come_out_of_nothing() {
        assert!(glass_of(&[], 1.0, 1.0).is_none() && glass_of(&[plate(0.0)], 1.0, 1.0).is_none());
        let picture = test_picture(UVec2::new(260, 170));
        let change = |presence: f32| {
            let glass = glass_of(&[plate(presence)], PANEL_INK, 1.0).unwrap();
            let shown = render(&picture, &glass);
            let all = shown.texels.iter().zip(&picture.encoded.texels);
            all.map(|(a, b)| (*a - *b).abs().max_element()).sum::<f32>() / picture.encoded.texels.len() as f32
        };
        let [hardly, half, whole] = [1e-3, 0.5, 1.0].map(change);
        assert!(hardly < 0.004 && hardly < 0.1 * half && half < whole, "{hardly} {half} {whole}");
    }

    #[test]
    fn dark_text_can_be_read_on_bright_plates_over_any_picture() {
        for (motif, kind) in
            [(Motif::Paper, PlateKind::Panel), (Motif::Code, PlateKind::Panel), (Motif::Paper, PlateKind::Toolbar)]
        {
            let plate = Plate { is_bright: true, kind, ..plate(1.0) };
            let glass = glass_of(&[plate], PANEL_INK, 1.0).unwrap();
            let shown = render(&painted(motif, UVec2::new(260, 170)), &glass);
            // Within the bevel, whose rim is drawn by the light.
            let inner = (55..105).flat_map(|y| (75..185).map(move |x| (y * 260 + x) as usize));
            let least = inner.map(|at| shown.texels[at]).fold(1.0_f32, |least, encoded| {
                let linear = Vec3::from_array(encoded.to_array().map(srgb::decode));
                least.min(linear.dot(LUMA))
            });
            let ground = if kind == PlateKind::Panel { BRIGHT_GROUND } else { 0.4 };
            assert!(least >= ground, "{motif:?} {kind:?}: {least}");
        }
    }

    #[test]
    fn plates_are_bright_over_bright_pictures_and_do_not_flicker() {
        let half = |value: f32| if value == 0.0 { 0 } else { 0x3c00 }; // 0 and 1
        let texels: Vec<[u16; 4]> = (0..8 * 4).map(|at| [half(if at % 8 < 4 { 1.0 } else { 0.0 }); 4]).collect();
        let mean =
            |low: f32, high: f32| mean_below(&texels, UVec2::new(8, 4), &[[Vec2::new(low, 0.0), Vec2::new(high, 4.0)]]);
        assert_eq!(
            (mean(0.0, 4.0), mean(4.0, 8.0), mean(0.0, 8.0), mean(9.0, 12.0)),
            (Some(1.0), Some(0.0), Some(0.5), None)
        );
        assert!(is_bright(1.0, false) && !is_bright(0.0, true));
        // sRGB 0.57 is 0.286 in linear light: between the two bounds plates stay as they are.
        assert!(is_bright(0.286, true) && !is_bright(0.286, false));
    }

    #[test]
    fn a_plate_covers_its_rectangle() {
        let glass = glass_of(&[plate(1.0)], PANEL_INK, 1.0).unwrap();
        let picture = painted(Motif::Paper, UVec2::new(260, 170));
        let shown = render(&picture, &glass);
        let at = |x: u32, y: u32| shown.texels[(y * 260 + x) as usize].max_element();
        assert!(
            at(130, 80) < 0.3 && at(62, 80) < 0.95 && at(20, 20) > 0.9,
            "{} {} {}",
            at(130, 80),
            at(62, 80),
            at(20, 20)
        );
    }
}
