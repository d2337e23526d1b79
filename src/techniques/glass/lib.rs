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

pub use copy_as::{GlassCopy, PAGE_PICTURES, ShaderLanguage};
pub use ink::{Inks, TextContrast};
pub use lens::outline::{check_paths, choose_font, fit_box, problem_of_outlines, reread_paths};
pub use lens::shape::MOST_LENSES;
pub use light::look_turn::{FADE_S, HOLD_S};
pub use panels::below::{PanelBackdrop, is_bright_at_first};
pub use panels::{BRIGHT_GROUND, PANEL_INK};
pub use passes::stack::{GlassStack, LensBody, MOST_LAYERS};
pub use passes::{BlurInput, BoxBlurRequest, GlassInput, source_half_extent};
pub use settings::{
    Blur, GlassSettings, LightFrom, Material, Mode, OpticsModel, PassSettings, Preset, SceneLight, SourceBlur,
};
pub use views::TEXT_CONTRAST;

use self::lens::outline;
use self::lens::shape;
use self::light::luminance_adaptation;
use self::panels::below;
use self::settings::Glass;
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{Frame, Gpu, Image, ImageView, Result};
use media::array::Element;
use scene::{GlassPanel, Lens, Press};
use std::sync::Arc;
use technique::{COLOURS, FrameContext, Info, Output, OutputInfo, Report, Stage, Technique};

pub struct LiquidGlass {
    passes: passes::Passes,
    plates: panels::GlassPanels,
    pub below: below::PanelBackdrop,
    /// Of the marks of a motif, over its glass.
    pub inks: ink::Inks,
    pub light: Option<SceneLight>,
    pub press: Option<Press>,
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
            passes,
            plates: panels::GlassPanels::new(gpu),
            below: below::PanelBackdrop::new(gpu),
            inks: ink::Inks::new(gpu)?,
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
        // That of the text is drawn with it.
        let is_drawn = name != views::TEXT_CONTRAST.name;
        if is_drawn {
            self.view(frame, name, settings, context, picture)?;
        }
        Ok(is_drawn)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        match name {
            "frosted" => self.passes.frosted.clone(),
            "brightness" => self.passes.brightness.clone(),
            _ => None,
        }
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.inks.on_timing(timing.frame)?;
        self.below.on_timing(timing.frame)
    }

    fn table(&self) -> Option<Report> {
        ink::table(self.inks.measured())
    }

    fn restart(&mut self) {
        self.inks.forget();
        self.passes.adapt.iter_mut().for_each(luminance_adaptation::Adapt::restart);
    }
}

impl LiquidGlass {
    pub fn pass_time(&mut self, seconds: f32) {
        self.passes.adapt.iter_mut().for_each(|adapt| adapt.pass_time(seconds));
        self.below.pass_time(seconds);
        self.inks.pass_time(seconds);
    }

    pub fn adopt_adaptation(&mut self, other: &Self) {
        if let Some((own, other)) = self.passes.adapt.as_mut().zip(other.passes.adapt.as_ref()) {
            own.adopt(other);
        }
    }

    /// Lengths are pixels of a picture of `size`.
    pub fn copied(
        &self,
        language: ShaderLanguage,
        settings: &GlassSettings,
        lenses: &[Lens],
        size: Vec2,
        scale: f32,
    ) -> std::result::Result<String, String> {
        GlassCopy { settings, lenses, light: self.light, size, scale }.text(language)
    }

    fn lit(&self, settings: &GlassSettings, glass: Glass) -> Glass {
        let glass = match &self.light {
            Some(light) if settings.light == LightFrom::Scene => glass.lit_by(light),
            _ => glass,
        };
        match self.press {
            Some(press) => glass.pressed(press.at, press.strength * settings::GLOW),
            None => glass,
        }
    }

    /// Over `target`, which holds the picture. `lenses`: at most [`MOST_LENSES`], only the first in the mode "source".
    /// `scale`: pixels per unit of the settings.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        self.record_layer(frame, &GlassStack::of_one(settings, lenses, scale), 0, below, target)
    }

    pub fn record_layer(
        &mut self,
        frame: &mut Frame,
        stack: &GlassStack,
        layer: usize,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        if layer == 0 {
            self.passes.begin();
            self.rooms = 0;
        }
        let mut glasses = Vec::new();
        for body in stack.bodies().iter().filter(|body| body.layer == layer) {
            let Some(first) = body.lenses.first() else { continue };
            if body.settings.mode == Mode::Source {
                return self.passes.record_source(frame, below, first.center, body.settings.source_blur(), target);
            }
            glasses.push(self.lit(&body.settings, body.glass.clone()));
        }
        for group in self.passes.groups(glasses, target) {
            self.passes.record_bodies(frame, self.rooms, below, &group, target)?;
            self.rooms += 1;
        }
        Ok(())
    }

    /// `onto` holds the picture; `reduce` makes the mip chain of the part that is read. Returns the last layer's input.
    pub fn record_lower_layers<'a>(
        &mut self,
        frame: &mut Frame,
        stack: &GlassStack,
        below: GlassInput<'_>,
        (onto, chain): (&'a ImageView, &'a Image),
        mut reduce: impl FnMut(&mut Frame, Option<[i32; 4]>) -> Result<()>,
    ) -> Result<GlassInput<'a>> {
        let lower = GlassInput { picture: onto, chain, behind: onto, around: chain, boxed: None };
        for layer in 1..stack.layers() {
            let seen = if layer == 1 { below } else { lower };
            self.record_layer(frame, stack, layer - 1, seen, onto)?;
            reduce(frame, stack.region(layer))?;
        }
        Ok(lower)
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

    /// `picture`: encoded, a storage image of 8 bits a channel.
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
