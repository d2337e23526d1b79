//! A frame from top to bottom. No Vulkan in it: it reads like a score.

use super::{
    backdrop::Backdrop,
    pays::Pays,
    shown::{Place, Shown},
    targets::{Layer, Targets, upload},
    world::{self, Drawn, Sunlit},
    worlds::Worlds,
};
use crate::{
    base::timing::FrameTiming,
    gpu::{Format, Frame, Gpu, RasterDesc, RasterPipeline, Result, Sampler, View},
    scene::{
        Lens, Source,
        world::{Resident, Viewpoint},
    },
    techniques::{
        Report, Settings, Technique, Techniques,
        glass::{Below, LiquidGlass},
        meshlets::Meshlets,
        mip_chain::MipChain,
        pixel_sort::{Input, Keys, PixelSort},
        shade::Shade,
    },
};
use std::{collections::HashMap, sync::Arc};

/// What a frame is to look like.
pub struct Look<'a> {
    /// All settings.
    pub settings: &'a Settings,
    /// Lenses, bottom one first; pixels of the target.
    pub lenses: &'a [Lens],
    /// A view, if one is shown.
    pub shown: Option<Shown>,
    /// Where the line of a split view lies, 0 (left) to 1 (right).
    pub split: f32,
    /// Pixels for one unit of the settings' lengths: the display's scale.
    pub scale: f32,
    /// Seconds since the last frame, for what takes its time; a second is enough for anything to be there.
    pub seconds: f32,
    /// Seconds for which the camera has drifted.
    pub drifted_s: f32,
    /// Part of its pixels that the world is drawn with, along each side, besides what the settings say.
    pub detail: f32,
}

impl Look<'_> {
    /// Whether a view of one of the world's techniques is shown.
    pub(super) fn shows_world_inside(&self) -> bool {
        self.shown.is_some_and(|shown| match shown.technique {
            Meshlets::ID | Shade::ID => true,
            PixelSort::ID => self.sorts_world(),
            _ => false,
        })
    }

    /// Whether it is the world's IDs that are sorted.
    fn sorts_world(&self) -> bool {
        self.settings.scene.source == Source::World && self.settings.pixel_sort.input == Input::Scene
    }
}

/// Everything that a frame needs and that outlives it.
pub struct Renderer {
    gpu: Arc<Gpu>,
    pub(super) techniques: Techniques,
    show: HashMap<Format, RasterPipeline>,
    targets: Targets,
    backdrop: Backdrop,
    pub(super) worlds: Worlds,
    pub(super) resident: Option<Resident>,
    pub(super) drawn: Option<Drawn>,
    pub(super) sunlit: Option<Sunlit>,
    /// While `pixel_sort.measure` is on.
    pub(super) pays: Option<Pays>,
    /// The backdrop shows the world as it was drawn last.
    world_below: bool,
}

impl Renderer {
    /// Makes every pipeline that does not depend on the target's format.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn new(gpu: &Arc<Gpu>, backdrop: Backdrop, worlds: Worlds) -> Result<Self> {
        let techniques = Techniques::new(gpu)?;
        let targets = Targets::new(gpu);
        Ok(Self {
            gpu: gpu.clone(),
            techniques,
            show: HashMap::new(),
            targets,
            backdrop,
            worlds,
            resident: None,
            drawn: None,
            sunlit: None,
            pays: None,
            world_below: false,
        })
    }

    /// Where the picture under the glass comes from.
    pub fn backdrop(&mut self) -> &mut Backdrop {
        &mut self.backdrop
    }

    /// Where the world under the glass comes from.
    pub fn worlds(&mut self) -> &mut Worlds {
        &mut self.worlds
    }

    /// Where the world begins to be looked at from.
    #[must_use]
    pub fn home(&self) -> Viewpoint {
        self.resident.as_ref().map_or_else(Viewpoint::default, |resident| resident.world.viewpoint)
    }

    /// Takes what techniques measure out of a frame that has ended.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn heed(&mut self, timing: &FrameTiming) -> Result<()> {
        self.techniques.meshlets.heed(timing)?;
        self.techniques.pixel_sort.heed(timing)?;
        if let Some(pays) = &mut self.pays {
            pays.heed(timing);
        }
        self.techniques.mip_chain.heed(timing)?;
        self.techniques.glass.heed(timing)
    }

    /// Whether a measurement waits for another frame.
    #[must_use]
    pub fn is_measuring(&mut self) -> bool {
        let pays = self.world_below && self.pays.as_ref().is_some_and(Pays::is_measuring);
        let sort = self.techniques.pixel_sort.is_measuring() || pays;
        self.techniques.glass.is_measuring() || self.techniques.mip_chain.is_measuring() || sort
    }

    /// What the techniques have measured: the id of each, and its table.
    #[must_use]
    pub fn reports(&mut self) -> Vec<(&'static str, Report)> {
        let glass = self.techniques.glass.report().map(|report| (LiquidGlass::ID, report));
        let chain = self.techniques.mip_chain.report().map(|report| (MipChain::ID, report));
        let meshlets = self.techniques.meshlets.report().map(|report| (Meshlets::ID, report));
        let world = self.resident.as_ref().map(|resident| ("scene", world::report(&resident.world)));
        let sort = self.techniques.pixel_sort.report().map(|report| (PixelSort::ID, report));
        let pays = self.pays.as_ref().filter(|_| self.world_below);
        let pays = pays.and_then(|pays| pays.report(self.techniques.pixel_sort.figures()));
        let sort = sort.into_iter().chain(pays.map(|report| (PixelSort::ID, report)));
        let of_world = world.into_iter().chain(meshlets).filter(|_| self.world_below);
        glass.into_iter().chain(chain).chain(sort).chain(of_world).collect()
    }

    /// Records one frame into `target`.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn record(&mut self, frame: &mut Frame, look: &Look<'_>, target: &View) -> Result<()> {
        let settings = look.settings;
        let fresh = self.lay_backdrop(frame, look, target)?;
        // All levels where something looks at the chain itself, else those that the glass reads.
        let all = look.shown.is_some() || settings.glass.measure;
        let needed = if all { u32::MAX } else { settings.glass.levels_needed(look.scale) };
        let anew = self.targets.fit_levels(settings.mip_chain.levels.min(needed))?;
        let backdrop = self.targets.backdrop()?;
        let picture = backdrop.picture.mip(0);
        self.techniques.mip_chain.measure(frame, &settings.mip_chain, &picture)?;
        if fresh || anew || settings.mip_chain.every_frame {
            self.techniques.mip_chain.record(frame, &settings.mip_chain, &picture, &backdrop.chain)?;
        }
        self.techniques.glass.pass_time(look.seconds);
        if settings.pixel_sort.every_frame
            && !look.sorts_world()
            && look.shown.is_none_or(|shown| shown.technique != PixelSort::ID)
        {
            let ids = self.techniques.pixel_sort.input(frame, &settings.pixel_sort, target.size())?;
            self.techniques.pixel_sort.record(frame, &settings.pixel_sort, &ids, Keys::Whole)?;
        }
        match look.shown {
            None => self.present(frame, look, target, None)?,
            Some(shown) => self.present_view(frame, look, shown, target)?,
        }
        Ok(())
    }

    /// What lies under the glass: the world, or the flat picture while no world is there. True where it is another than before.
    fn lay_backdrop(&mut self, frame: &mut Frame, look: &Look<'_>, target: &View) -> Result<bool> {
        let settings = look.settings;
        if self.targets.fit(target) {
            self.backdrop.forget();
            self.world_below = false;
        }
        let shows_world = settings.scene.source == Source::World;
        let anew = match shows_world || look.shows_world_inside() {
            true => self.draw_world(frame, look, target.size())?,
            false => None,
        };
        let backdrop = self.targets.backdrop()?;
        if let (true, Some(anew), Some(drawn)) = (shows_world, anew, &self.drawn) {
            if anew || !self.world_below {
                self.techniques.shade.tone(frame, &settings.shade, &drawn.light, &backdrop.picture.mip(0))?;
                self.backdrop.forget();
                self.world_below = true;
                return Ok(true);
            }
            return Ok(false);
        }
        self.world_below = false;
        let fresh = self.backdrop.fresh(settings.scene.motif, target.size());
        if let Some(picture) = &fresh {
            upload(frame, backdrop, picture)?;
        }
        Ok(fresh.is_some())
    }

    /// The picture, then the glass over it; through the glass one sees `below` instead, if given.
    fn present(&mut self, frame: &mut Frame, look: &Look<'_>, target: &View, below: Option<&Layer>) -> Result<()> {
        let backdrop = self.targets.backdrop()?.clone();
        self.show(frame, "renderer/picture", &backdrop.picture.mip(0), target, None)?;
        let seen = below.unwrap_or(&backdrop);
        let (picture, behind) = (seen.picture.mip(0), backdrop.picture.mip(0));
        let below = Below { picture: &picture, chain: &seen.chain, behind: &behind, around: &backdrop.chain };
        self.techniques.glass.record(frame, &look.settings.glass, look.lenses, look.scale, below, target)
    }

    fn present_view(&mut self, frame: &mut Frame, look: &Look<'_>, shown: Shown, target: &View) -> Result<()> {
        let settings = look.settings;
        let backdrop = self.targets.backdrop()?;
        let chain = backdrop.chain.clone();
        let view = self.targets.view()?;
        let picture = view.picture.mip(0);
        let view = view.clone();
        let drawn = self.drawn.clone();
        match shown.technique {
            MipChain::ID => {
                let name = shown.view.name;
                self.techniques.mip_chain.view(frame, name, &settings.mip_chain, &chain, &picture)?;
            }
            Meshlets::ID => {
                let Some(drawn) = drawn else { return self.present(frame, look, target, None) };
                let (name, meshlets) = (shown.view.name, &mut self.techniques.meshlets);
                meshlets.view(frame, name, &settings.meshlets, &drawn.world, &drawn.camera, &picture)?;
            }
            PixelSort::ID => {
                let (sort, settings) = (&mut self.techniques.pixel_sort, &settings.pixel_sort);
                match drawn.filter(|_| look.sorts_world()) {
                    Some(drawn) => {
                        let keys = settings.keys(&drawn.world.material_of);
                        sort.view(frame, shown.view.name, settings, (&drawn.visibility.ids, keys), &picture)?;
                    }
                    None => {
                        let ids = sort.input(frame, settings, picture.size())?;
                        sort.view(frame, shown.view.name, settings, (&ids, Keys::Whole), &picture)?;
                    }
                }
            }
            Shade::ID => {
                let Some(drawn) = drawn else { return self.present(frame, look, target, None) };
                let (name, shade, ids) = (shown.view.name, &mut self.techniques.shade, &drawn.visibility.ids);
                shade.view(frame, name, &settings.shade, &drawn.scene(), ids, &drawn.light, &picture)?;
            }
            LiquidGlass::ID => {
                let (name, scale) = (shown.view.name, look.scale);
                self.techniques.glass.view(frame, name, &settings.glass, look.lenses, scale, (&chain, &picture))?;
            }
            other => log::error!("{other} has no call in the score"),
        }
        match shown.place {
            Place::Full => self.show(frame, "renderer/view", &picture, target, None),
            Place::Lens => {
                self.techniques.mip_chain.record(frame, &settings.mip_chain, &picture, &view.chain)?;
                self.present(frame, look, target, Some(&view))
            }
            Place::Split => {
                self.present(frame, look, target, None)?;
                let [width, height] = target.size().map(|n| n as i32);
                let line = (look.split.clamp(0.0, 1.0) * width as f32) as i32;
                self.show(frame, "renderer/view", &picture, target, Some([line, 0, width, height]))
            }
        }
    }

    /// Copies an encoded picture to the target, texel for texel.
    fn show(
        &mut self,
        frame: &mut Frame,
        pass: &str,
        picture: &View,
        target: &View,
        only: Option<[i32; 4]>,
    ) -> Result<()> {
        let format = target.format();
        if only.is_none() && picture.format() == format && target.image().takes_copies() {
            return frame.copy(pass, picture, target);
        }
        let pipeline = match self.show.get(&format) {
            Some(pipeline) => pipeline.clone(),
            None => {
                let shaders = ["include/screen.vert", "renderer/show.frag"];
                let desc = RasterDesc {
                    shaders: shaders.map(String::from).to_vec(),
                    color: vec![format],
                    constants: vec![("TARGET_IS_SRGB".into(), u32::from(format.is_srgb()))],
                    ..Default::default()
                };
                let made = RasterPipeline::new(&self.gpu, desc)?;
                self.show.insert(format, made.clone());
                made
            }
        };
        let source = picture.clone().through(Sampler::NearestClamp);
        let mut draw = pipeline.draw(3).bind("picture", source);
        if let Some(only) = only {
            draw = draw.scissor(only);
        }
        frame.raster(pass).color(target, None).draw(draw).finish()
    }
}
