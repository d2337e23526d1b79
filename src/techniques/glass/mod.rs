//! Liquid glass: a lens over the picture that refracts, frosts and lights the picture below it.

mod below;
mod bench;
mod blur_judge;
mod blur_method;
mod blur_quality;
mod blur_quality_check;
mod blur_similarity;
#[cfg(test)]
mod border_tests;
mod breaks;
mod check_fixture;
mod checks;
mod compute_path;
mod copy_as;
mod draw_vs_dispatch_check;
mod fonts;
mod layers;
mod lens_glass;
mod lens_work;
pub mod luminance_adaptation;
mod luminance_adaptation_check;
mod materials;
pub mod model;
mod outline;
mod panels;
mod passes;
mod path_check;
mod path_shape;
mod preblur;
mod presets;
pub mod reference;
mod replay;
pub mod settings;
mod stack;
mod story;
mod system_glass_check;
mod text_contrast;
mod text_contrast_check;
mod text_outline;
mod text_outline_check;
pub mod tiles;
mod uniforms;
mod variant;
mod variants;
mod view_checks;
mod views;
mod work;

pub use blur_judge::JudgeInput;
pub use copy_as::{GlassCopy, ShaderLanguage};
pub use lens_glass::is_of_lens;
pub use luminance_adaptation::FOLLOW_S;
pub use outline::{check_paths, choose_font, problem_of_outlines, reread_paths};
pub use panels::{BRIGHT_GROUND, PANEL_INK};
pub use passes::{BoxBlurRequest, GlassInput};
pub use reference::cross_section::{
    Body, ColorRay, CrossSection, Footprint, RayPencil, SurfacePoint, Tap, TapBlur, ray_pencil,
};
pub use settings::{Blur, GlassSettings, LightFrom, Material, Mode, OpticsModel, Preset, SceneLight, SourceBlur};
pub use stack::{GlassStack, LensBody, MOST_LAYERS};

use self::model::{lens::Glass, shape};
use self::outline::outlines;
use super::{
    COLOURS, FrameContext, Measures, Output, OutputInfo, Replay, Stage, Step, StoryPixel, Technique, ViewInfo,
};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Frame, Gpu, ImageView, Result},
    lab::{Bench, BreakInfo, Card, Check, Comparison},
    scene::{GlassPanel, Lens, Press},
};
use glam::{IVec2, UVec2, Vec2};
use std::sync::Arc;

/// The glass technique.
pub struct LiquidGlass {
    gpu: Arc<Gpu>,
    passes: passes::Passes,
    /// Those of bodies over the first one.
    more: Vec<passes::Passes>,
    plates: panels::GlassPanels,
    below: below::PanelBackdrop,
    /// The view shown compares blurs, whatever the settings measure.
    compares: bool,
    /// Light of the scene below, if there is one.
    light: Option<SceneLight>,
    /// Pressed place of the glass.
    press: Option<Press>,
}

impl Technique for LiquidGlass {
    const ID: &'static str = "glass";
    const TITLE: &'static str = "Liquid glass";
    const DOC: &'static str = include_str!("../../../docs/glass.md");
    const STAGE: Stage = Stage::Glass;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[
        OutputInfo {
            name: "frosted",
            doc: "The blurred picture that the frost reads: the surroundings of the lenses in linear light, at the resolution of the blur, \
                  opaque.",
            elements: &[Element::F16],
            shape: COLOURS,
            needs: "a lens over the picture with glass.mode = \"lens\", glass.frost over half a pixel and a glass.blur that blurs \
                    beforehand (preblur, preblur1, kawase, table), and nothing that measures or compares blurs",
        },
        OutputInfo {
            name: "brightness",
            doc: "Per lens: mean brightness of the picture below it, whether that counts as dark (0) or bright (1), and the smoothed \
                  value in between that the glass uses.",
            elements: &[Element::F32],
            shape: "lenses x 3",
            needs: "a lens over the picture with glass.mode = \"lens\" and glass.adaptive over 0, or with the system's optics and a \
                    material that the picture decides",
        },
    ];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Compare blurs",
        doc: "Every blur at this frost against a true Gaussian: time, PSNR, samples per pixel.",
        chooses: "blur",
    });
    const REPLAYS: &'static str =
        "A pixel: cross-section, rays, footprint, looks, layers of light; of the reference glass its masks.";
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
    type Settings = GlassSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let mut passes = passes::Passes::new(gpu)?;
        passes.lens.makes_ahead = !gpu.policy().compiles_late;
        passes.adapt = Some(luminance_adaptation::Adapt::new(gpu)?);
        Ok(Self {
            gpu: gpu.clone(),
            passes,
            more: Vec::new(),
            plates: panels::GlassPanels::new(gpu),
            below: below::PanelBackdrop::new(gpu),
            compares: false,
            light: None,
            press: None,
        })
    }

    fn settle(before: &GlassSettings, now: &mut GlassSettings) {
        if now.preset != before.preset {
            Self::apply_preset(now);
        }
    }

    fn apply_preset(now: &mut GlassSettings) {
        now.preset.apply(now);
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let below = JudgeInput { chain: &context.chain, boxed: context.boxed.as_ref() };
        self.view(frame, name, settings, &context.lenses, context.scale, (below, picture))?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        match name {
            "frosted" => self.passes.frosted.clone(),
            "brightness" => self.passes.brightness.clone(),
            _ => None,
        }
    }

    fn evidence(&self, context: &FrameContext) -> Vec<(&'static str, Output)> {
        story::evidence(self.output("brightness", context), context)
    }

    fn explain(&self, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        story::explain((self.light, self.press), settings, pixel)
    }

    fn record_replay(
        &self,
        _: &mut Frame,
        _: &GlassSettings,
        context: &FrameContext,
    ) -> Result<Vec<(&'static str, Output)>> {
        Ok(self.evidence(context))
    }

    fn replay(&self, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> std::result::Result<Replay, String> {
        replay::replay((self.light, self.press), settings, pixel)
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.below.on_timing(timing.frame)?;
        self.passes.judge.on_timing(timing)
    }

    fn wants_frame(&self) -> bool {
        self.passes.judge.is_pending()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.passes.judge.comparison)
    }

    fn card(&self) -> Card {
        self.passes.judge.card()
    }

    fn restart(&mut self) {
        let all = [&mut self.passes].into_iter().chain(&mut self.more);
        all.filter_map(|passes| passes.adapt.as_mut()).for_each(luminance_adaptation::Adapt::restart);
    }

    fn checks() -> Vec<Check> {
        vec![
            Check::of::<checks::LensOracle>().draws(),
            Check::of::<draw_vs_dispatch_check::WaysOracle>().draws(),
            Check::of::<checks::SourceOracle>().draws(),
            Check::of::<checks::DistanceOracle>(),
            Check::of::<text_outline_check::FieldOracle>(),
            Check::of::<path_check::PathOracle>(),
            Check::of::<text_outline_check::LettersOracle>().draws(),
            Check::of::<blur_quality_check::BlurOracle>(),
            Check::of::<luminance_adaptation_check::BrightnessOracle>(),
            Check::of::<view_checks::ViewOracle>(),
            Check::of::<view_checks::ComparisonOracle>(),
            Check::of::<text_contrast_check::ContrastOracle>().draws(),
            Check::of::<text_contrast_check::ShadeOracle>(),
            Check::of::<system_glass_check::SystemOracle>().draws(),
        ]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::LENS, bench::SOURCE]
    }
}

/// Requirements of the glass for the mip chain of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassNeeds {
    /// Number of levels, counted from level 0.
    pub levels: u32,
    /// Region that may be read, to within [`READ_BEYOND`](super::READ_BEYOND) texels of each level: left, top, right, bottom; pixels of
    /// level 0. `None`: all of it. Beyond a border the picture is mirrored.
    pub region: Option<[i32; 4]>,
}

impl LiquidGlass {
    /// The comparison of blurs keeps to n pixels from the left: panels cover the rest.
    pub fn keep_within(&mut self, width_px: u32) {
        self.passes.judge.within_px = width_px;
    }

    /// Advances the adaptation by the seconds since the last frame: the glass follows the brightness of the picture slowly.
    pub fn pass_time(&mut self, seconds: f32) {
        let all = [&mut self.passes].into_iter().chain(&mut self.more);
        all.filter_map(|passes| passes.adapt.as_mut()).for_each(|adapt| adapt.pass_time(seconds));
    }

    /// Sets the light of the scene below; none for a picture.
    pub fn light_by(&mut self, light: Option<SceneLight>) {
        self.light = light;
    }

    /// The lenses as a shader for other programs; lengths in pixels of a picture of `size`.
    ///
    /// # Errors
    /// One line: what cannot be copied, and what was expected.
    pub fn copied(
        &self,
        language: ShaderLanguage,
        settings: &GlassSettings,
        lenses: &[Lens],
        (size, scale): (Vec2, f32),
    ) -> std::result::Result<String, String> {
        GlassCopy { settings, lenses, light: self.light, size, scale }.text(language)
    }

    /// Sets the pressed place of the glass.
    pub fn press(&mut self, press: Option<Press>) {
        self.press = press;
    }

    fn lit(&self, settings: &GlassSettings, lenses: &[Lens], scale: f32) -> Glass {
        let glass = settings.glass(&outlines(lenses), scale);
        let glass = match &self.light {
            Some(light) if settings.light == LightFrom::Scene => glass.lit_by(light),
            _ => glass,
        };
        match self.press {
            Some(press) => glass.pressed(press.at, press.strength * settings::GLOW),
            None => glass,
        }
    }

    /// Draws the glass over `target`, which holds the picture already and has its size; pixels that no glass touches are
    /// left alone. `lenses` are in pixels of the target, at most [`shape::MAX_LENSES`] of them are drawn, and only the
    /// first in the mode "source". `scale` is the display's scale: lengths in the settings are multiplied by it.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        (self.passes.frosted, self.passes.brightness) = (None, None);
        self.record_body(frame, 0, (settings, lenses, scale), below, target)
    }

    /// Requirements of these lenses, and of glass panels if there are some, for a picture of `full` pixels.
    #[must_use]
    pub fn needs(
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
        has_panels: bool,
    ) -> GlassNeeds {
        let panels = if has_panels { panels::GlassPanels::levels_needed(scale) } else { 0 };
        let stack = GlassStack::new(settings, lenses, scale, full);
        let bodies = stack.bodies();
        let levels = bodies.iter().map(|body| body.settings.levels_needed(scale)).fold(panels, u32::max);
        let is_near = settings.mode == Mode::Lens && !lenses.is_empty();
        let region = || match bodies {
            [body] if body.settings.reads_far() => None,
            [body] => passes::readable(&body.settings.glass(&outlines(&body.lenses), scale), full),
            _ => stack.region(0).map(|[left, top, right, bottom]| (IVec2::new(left, top), IVec2::new(right, bottom))),
        };
        let region = is_near.then(region).flatten();
        let region = region.filter(|_| !has_panels).map(|(low, high)| [low.x, low.y, high.x, high.y]);
        GlassNeeds { levels, region }
    }

    /// Brightness below panels, of glass or not.
    #[must_use]
    pub fn below_panels(&self) -> &below::PanelBackdrop {
        &self.below
    }

    /// Measures the part of `picture`, which is encoded, below `panels`: low and high corners in pixels. `seen`: the view that it is, if it
    /// fills the window, and whether it is another picture than before.
    pub fn look_below(
        &mut self,
        frame: &mut Frame,
        panels: &[[Vec2; 2]],
        picture: &ImageView,
        seen: (Option<&'static str>, bool),
    ) -> Result<()> {
        self.below.look(frame, panels, picture, seen)
    }

    /// Draws plates of glass over `target`, above the lenses. They show the picture below the lenses.
    pub fn record_plates(
        &mut self,
        frame: &mut Frame,
        plates: &[GlassPanel],
        scale: f32,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        self.plates.record(frame, (plates, self.press, self.light.as_ref()), scale, below, target)
    }

    /// Blur by tables that [`measure`](Self::measure) requires; nothing if nothing is measured.
    #[must_use]
    pub fn boxes_to_measure(
        &self,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
    ) -> Option<BoxBlurRequest> {
        let (first, sigma) = (lenses.first()?, judged_sigma(settings, scale));
        let area = blur_quality::measured_area(first.center, UVec2::from_array(full));
        let is_wanted = self.is_measuring() && self.passes.judge.wants(sigma);
        is_wanted.then(|| BoxBlurRequest::around(sigma, blur_judge::whole_numbers(area)))
    }

    /// Blur by tables that the view of the comparison requires; nothing for any other.
    #[must_use]
    pub fn boxes_to_compare(
        &self,
        view: &str,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
    ) -> Option<BoxBlurRequest> {
        let center = lenses.first().map_or(Vec2::ZERO, |lens| lens.center);
        let full = UVec2::from_array(full);
        // The view measures as well.
        let (shown, measured) =
            (self.passes.judge.compared_area(center, full), blur_quality::measured_area(center, full));
        let area = (shown.0.min(measured.0), shown.1.max(measured.1));
        let sigma = judged_sigma(settings, scale);
        (view == views::COMPARE).then(|| BoxBlurRequest::around(sigma, blur_judge::whole_numbers(area)))
    }

    /// Discards the measurements of the last picture.
    pub fn forget_measured(&mut self) {
        self.passes.judge.forget();
    }

    /// Whether a comparison of the blurs runs.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        self.passes.judge.comparison.is_active()
    }

    /// PSNR of each blur where they were compared, dB, in the order of the view's columns.
    #[must_use]
    pub fn psnr_db(&self) -> Vec<f64> {
        self.passes.judge.psnr_db()
    }

    /// While a comparison runs: compares every way to blur around the first lens.
    pub fn measure(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        below: JudgeInput,
    ) -> Result<()> {
        match lenses.first() {
            Some(first) if self.is_measuring() || std::mem::take(&mut self.compares) => {
                self.passes.record_measure(frame, below, settings.frost * scale, first.center)
            }
            Some(_) => {
                self.passes.judge.forget();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The picture of a view, encoded, over the whole of `picture` (a storage image of 8 bits a
    /// channel); `below`: the picture below the glass, and its blur by tables as [`boxes_to_compare`](Self::boxes_to_compare) says.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        (below, picture): (JudgeInput, &ImageView),
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let center = lenses.first().map_or(Vec2::ZERO, |lens| lens.center);
        if name == views::COMPARE {
            // The signs over the columns say what was measured.
            self.compares = true;
            let JudgeInput { chain, boxed } = below;
            self.passes.record_comparison(frame, chain, settings.frost * scale, center, boxed, picture)?;
            return self.passes.record_measure(frame, below, settings.frost * scale, center);
        }
        let glass = self.lit(settings, lenses, scale);
        if name == views::SHADE.name {
            return self.passes.record_shade_view(frame, &glass, below.chain, picture);
        }
        self.passes.record_view(frame, view, &glass, center, picture)
    }
}

/// Signed distance in pixels from `point` to the outline of one lens, negative inside: the hit test of the manipulator. Words are taken
/// hold of anywhere in the box around them.
#[must_use]
pub fn distance(lens: &Lens, point: Vec2) -> f32 {
    shape::lens_edge(&outline::box_of(lens), point).d
}

/// Pixels.
fn judged_sigma(settings: &GlassSettings, scale: f32) -> f32 {
    (settings.frost * scale).max(blur_quality::LEAST_SIGMA)
}
