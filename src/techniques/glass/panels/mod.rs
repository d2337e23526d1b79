//! Glass of panels and toolbars: frosted, and dark enough for the text on it.

pub mod below;

use super::passes::{GlassInput, Passes};
use super::settings::{Blur, Glass, GlassSettings, SceneLight};
use super::text::contrast::Legible;
use crate::PassSettings as _;
use gpu::{Frame, Gpu, ImageView, Result};
use scene::{GlassPanel, GlassPanelKind, Lens, LensOutline, Press, Shape};
use std::sync::Arc;

const KINDS: [GlassPanelKind; 2] = [GlassPanelKind::Panel, GlassPanelKind::Toolbar];
const INKS: [f32; 2] = [PANEL_INK, 1.0];
pub const PANEL_INK: f32 = 0.37;

pub struct GlassPanels {
    gpu: Arc<Gpu>,
    passes: [Option<Passes>; 2],
}

fn settings() -> GlassSettings {
    GlassSettings {
        shape: Shape::Rounded,
        exponent: 2.0,
        frost: 14.0,
        // No tables are made for panels: a pre-blur, read with one bilinear tap.
        blur: Blur::Table,
        melt: 0.0,
        bevel_width: 11.0,
        bevel_height: 20.0,
        gap: 18.0,
        abbe: 60.0,
        taps: 4,
        rim: 0.8,
        gloss: 0.25,
        caustic: 0.1,
        shadow: 0.0,
        saturation: 1.35,
        adaptive: 0.0,
        ..GlassSettings::default()
    }
}

/// `bright`: 0..1. On bright plates dark text is legible over any picture by the tint alone.
fn settings_at(plates: &[GlassPanel], bright: f32) -> GlassSettings {
    let is_panel = plates.first().is_some_and(|plate| plate.kind == GlassPanelKind::Panel);
    let (dark, part) = (settings(), if is_panel { BRIGHT_PARTS[0] } else { BRIGHT_PARTS[1] });
    let channel = |index: usize| between(dark.tint[index], BRIGHT_TINT[index], bright);
    GlassSettings {
        tint: [0, 1, 2].map(channel),
        tint_part: between(dark.tint_part, part, bright),
        saturation: between(dark.saturation, BRIGHT_SATURATION, bright),
        ..dark
    }
}

fn between(dark: f32, bright: f32, part: f32) -> f32 {
    dark * (1.0 - part) + bright * part
}

/// Linear light.
const BRIGHT_TINT: [f32; 3] = [0.94, 0.955, 0.98];
const BRIGHT_PARTS: [f32; 2] = [0.74, 0.5];
const BRIGHT_SATURATION: f32 = 1.8;
/// By the tint alone.
pub const BRIGHT_GROUND: f32 = 0.69;

impl GlassPanels {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), passes: [None, None] }
    }

    pub fn levels_needed(scale: f32) -> u32 {
        settings().levels_needed(scale)
    }

    pub fn record(
        &mut self,
        frame: &mut Frame,
        (plates, press, light): (&[GlassPanel], Option<Press>, Option<&SceneLight>),
        scale: f32,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        for ((kind, ink), passes) in KINDS.into_iter().zip(INKS).zip(&mut self.passes) {
            let some: Vec<GlassPanel> = plates.iter().filter(|plate| plate.kind == kind).copied().collect();
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

fn glass_of(plates: &[GlassPanel], ink: f32, scale: f32) -> Option<Glass> {
    let bright = plates.first().map_or(0.0, |plate| plate.bright);
    let settings = settings_at(plates, bright);
    let there = plates.iter().filter(|plate| plate.presence > 0.0 && plate.low.cmplt(plate.high).all());
    let lens = |plate: &GlassPanel| {
        let lens = settings.placed(0.5 * (plate.low + plate.high));
        let outline = LensOutline { radius: plate.radius / scale, ..lens.outline };
        Lens { outline, ..lens }.sized(0.5 * (plate.high - plate.low) / scale)
    };
    let lenses: Vec<Lens> = there.clone().map(lens).collect();
    let presence = there.map(|plate| plate.presence).reduce(f32::min)?;
    let mut glass = settings.glass(&lenses, scale);
    glass.block.contour = between(0.25, 0.12, bright);
    let legible = (bright < 1.0).then(|| Legible { strength: 1.0 - bright, ..Legible::of_ink(ink) });
    let glass = match legible {
        Some(legible) => glass.shaded(legible),
        None => glass,
    };
    Some(glass.faded(presence.min(1.0)))
}

impl Glass {
    pub fn faded(mut self, presence: f32) -> Glass {
        let block = &mut self.block;
        for part in [
            &mut block.height,
            &mut block.gap,
            &mut block.rim,
            &mut block.gloss,
            &mut block.caustic,
            &mut block.mirror,
            &mut block.shadow,
            &mut block.contour,
            &mut block.legible,
        ] {
            *part *= presence;
        }
        block.saturation = 1.0 + (block.saturation - 1.0) * presence;
        let faded = block.with_frost(block.frost * presence, block.frost_light * presence);
        self.block = faded.with_tint(block.tint, block.tint_part * presence);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::checks::{drawn, painted, test_picture};
    use crate::lab::reference::picture::Picture;
    use crate::light::LUMA;
    use base::srgb;
    use glam::{UVec2, Vec2, Vec3};
    use lab::TestBench;
    use scene::picture::Motif;

    const SIZE: UVec2 = UVec2::new(260, 170);

    fn shown(picture: &Picture, plate: GlassPanel) -> Vec<Vec3> {
        let glass = glass_of(&[plate], PANEL_INK, 1.0).unwrap();
        let drawn = drawn(&mut TestBench::validated(), picture, &glass).unwrap();
        drawn.iter().map(|c| Vec3::new(c[0].into(), c[1].into(), c[2].into()) / 255.0).collect()
    }

    fn plate(presence: f32) -> GlassPanel {
        let (low, high) = (Vec2::new(60.0, 40.0), Vec2::new(200.0, 120.0));
        GlassPanel { low, high, radius: 14.0, kind: GlassPanelKind::Panel, bright: 0.0, presence }
    }

    #[test]
    fn plates_come_out_of_nothing() {
        assert!(glass_of(&[], 1.0, 1.0).is_none() && glass_of(&[plate(0.0)], 1.0, 1.0).is_none());
        let picture = test_picture(SIZE);
        let change = |presence: f32| {
            let shown = shown(&picture, plate(presence));
            let all = shown.iter().zip(&picture.encoded.texels);
            all.map(|(a, b)| (*a - *b).abs().max_element()).sum::<f32>() / picture.encoded.texels.len() as f32
        };
        let [hardly, half, whole] = [1e-3, 0.5, 1.0].map(change);
        assert!(hardly < 0.004 && hardly < 0.1 * half && half < whole, "{hardly} {half} {whole}");
    }

    #[test]
    fn plates_fade_from_dark_to_bright() {
        let picture = test_picture(SIZE);
        let mean = |bright: f32| {
            let shown = shown(&picture, GlassPanel { bright, ..plate(1.0) });
            shown.iter().map(|color| color.element_sum()).sum::<f32>() / (3 * shown.len()) as f32
        };
        let steps = [0.0, 0.25, 0.5, 0.75, 1.0].map(mean);
        let whole = steps[4] - steps[0];
        let is_even = |pair: &[f32]| pair[1] > pair[0] && pair[1] - pair[0] < 0.6 * whole;
        assert!(whole > 0.05 && steps.windows(2).all(is_even), "{steps:?}");
    }

    #[test]
    fn dark_text_can_be_read_on_bright_plates_over_any_picture() {
        for (motif, kind) in [
            (Motif::Paper, GlassPanelKind::Panel),
            (Motif::Code, GlassPanelKind::Panel),
            (Motif::Paper, GlassPanelKind::Toolbar),
        ] {
            let plate = GlassPanel { bright: 1.0, kind, ..plate(1.0) };
            let shown = shown(&painted(motif, SIZE), plate);
            let inner = (55..105).flat_map(|y| (75..185).map(move |x| (y * 260 + x) as usize));
            let least = inner.map(|at| shown[at]).fold(1.0_f32, |least, encoded| {
                let linear = Vec3::from_array(encoded.to_array().map(srgb::decode));
                least.min(linear.dot(LUMA))
            });
            let ground = if kind == GlassPanelKind::Panel { BRIGHT_GROUND } else { 0.4 };
            assert!(least >= ground, "{motif:?} {kind:?}: {least}");
        }
    }

    #[test]
    fn a_plate_covers_its_rectangle() {
        let shown = shown(&painted(Motif::Paper, SIZE), plate(1.0));
        let at = |x: u32, y: u32| shown[(y * 260 + x) as usize].max_element();
        assert!(
            at(130, 80) < 0.3 && at(62, 80) < 0.95 && at(20, 20) > 0.9,
            "{} {} {}",
            at(130, 80),
            at(62, 80),
            at(20, 20)
        );
    }
}
