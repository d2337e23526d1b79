//! Liquid glass: a lens over the picture that refracts, frosts and lights the picture below it.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod bin;
mod copy_as;
mod frost;
mod ink;
#[cfg(feature = "lab")]
pub mod lab;
mod lens;
mod light;
mod optics;
mod panels;
mod passes;
pub mod settings;
mod system;
mod text;
mod views;

pub use copy_as::{GlassCopy, ShaderLanguage};
pub use ink::TextContrast;
pub use lens::outline::{check_paths, choose_font, fit_box, problem_of_outlines, reread_paths};
pub use lens::shape::MOST_LENSES;
pub use light::look_turn::{FADE_S, HOLD_S};
pub use panels::below::is_bright_at_first;
pub use panels::{BRIGHT_GROUND, PANEL_INK};
pub use passes::stack::{GlassStack, LensBody, MOST_LAYERS};
pub use passes::{BlurInput, BoxBlurRequest, GlassInput, source_half_extent};
pub use settings::{
    Blur, GlassSettings, LightFrom, Material, Mode, OpticsModel, PassSettings, Preset, SceneLight, SourceBlur,
};

use self::lens::outline;
use self::lens::shape;
use self::light::luminance_adaptation;
use self::panels::below;
use self::settings::Glass;
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{Frame, Gpu, Image, ImageView, Result};
use media::array::Element;
use scene::motif::Mark;
use scene::{GlassPanel, Lens, Press};
use std::sync::Arc;
use technique::{COLOURS, FrameContext, Info, Output, OutputInfo, Report, Stage, Technique};

pub struct LiquidGlass {
    gpu: Arc<Gpu>,
    passes: passes::Passes,
    plates: panels::GlassPanels,
    below: below::PanelBackdrop,
    inks: Option<ink::Inks>,
    light: Option<SceneLight>,
    press: Option<Press>,
    /// Groups of bodies recorded in this frame.
    rooms: usize,
}

impl Technique for LiquidGlass {
    const INFO: Info = Info {
        id: "glass",
        title: "Liquid glass",
        doc: include_str!("../../../docs/glass.md"),
        stage: Stage::Glass,
        views: &views::VIEWS,
        outputs: &[
            OutputInfo {
                name: "frosted",
                doc: "The blurred picture that the frost reads: the surroundings of the lenses in linear light, at the resolution of the blur, \
                  opaque.",
                elements: &[Element::F16],
                shape: COLOURS,
                needs: "a lens over the picture with glass.mode = \"lens\", glass.frost over half a pixel and a glass.blur that blurs \
                    beforehand (preblur, kawase, table), and nothing that measures or compares blurs",
            },
            OutputInfo {
                name: "brightness",
                doc: "Per lens: mean brightness of the picture below it, whether that counts as dark (0) or bright (1), the value in between \
                  during the transition, and the part of the time before the next turn for which the picture has been of the other kind.",
                elements: &[Element::F32],
                shape: "lenses x 4",
                needs: "a lens over the picture with glass.mode = \"lens\" and glass.adaptive over 0, or with the system's optics and a \
                    material that the picture decides",
            },
        ],
        ..Info::NONE
    };
    type Settings = GlassSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let mut passes = passes::Passes::new(gpu)?;
        passes.lens.makes_ahead = !gpu.policy().compiles_late;
        passes.adapt = Some(luminance_adaptation::Adapt::new(gpu)?);
        Ok(Self {
            gpu: gpu.clone(),
            passes,
            plates: panels::GlassPanels::new(gpu),
            below: below::PanelBackdrop::new(gpu),
            inks: None,
            light: None,
            press: None,
            rooms: 0,
        })
    }

    fn settle(before: Option<&GlassSettings>, now: &mut GlassSettings) {
        if before.is_none_or(|before| now.preset != before.preset) {
            *now = now.styled(now.preset);
        }
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        self.view(frame, name, settings, context, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        match name {
            "frosted" => self.passes.frosted.clone(),
            "brightness" => self.passes.brightness.clone(),
            _ => None,
        }
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.inks.as_mut().map_or(Ok(()), |inks| inks.on_timing(timing.frame))?;
        self.below.on_timing(timing.frame)
    }

    fn table(&self) -> Option<Report> {
        ink::table(self.text_contrast())
    }

    fn restart(&mut self) {
    /// Marks of a motif over its glass: `ground` has the picture and the glass, and so has `target`.
    pub fn record_marks(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        marks: &[Mark],
        ground: &ImageView,
        target: &ImageView,
    ) -> Result<()> {
        let inks = match self.inks.take() {
            Some(inks) => inks,
            None => ink::Inks::new(&self.gpu)?,
        };
        self.inks.insert(inks).record(frame, marks, settings.legible, ground, target)
    }

    /// Of the text on each piece of a motif, as it was last drawn.
    pub fn text_contrast(&self) -> &[TextContrast] {
        self.inks.as_ref().map_or(&[], ink::Inks::measured)
    }

    pub fn below_panels(&self) -> &below::PanelBackdrop {
        &self.below
    }

    /// `panels`: corners, pixels. `view` fills the window; `is_new`: the picture changed.
    pub fn look_below(
        &mut self,
        frame: &mut Frame,
        panels: &[[Vec2; 2]],
        picture: &ImageView,
        view: Option<&'static str>,
        is_new: bool,
    ) -> Result<()> {
        self.below.look(frame, panels, picture, view, is_new)
    }

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

    /// `picture`: encoded, a storage image of 8 bits a channel. The comparison of blurs is drawn by `lab`.
    fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &GlassSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let center = context.lenses.first().map_or(Vec2::ZERO, |lens| lens.center);
        let glass = self.lit(settings, settings.glass(&context.lenses, context.scale));
        if name == views::SHADE.name {
            return self.passes.record_shade_view(frame, &glass, &context.chain, picture);
        }
        self.passes.record_view(frame, view, &glass, center, picture)
    }
}

/// Pixels, negative inside. Words count as the box around them.
pub fn distance(lens: &Lens, point: Vec2, scale: f32) -> f32 {
    shape::lens_edge(&outline::box_of(lens, scale), point).d
}
