//! Particles: dust, spray, fireflies and bodies, moved on the compute queue while the state before is drawn.

mod bench;
mod blocks;
mod checks;
mod look_checks;
mod overlap;
mod passes;
mod reference;
mod settings;
mod system;
mod views;

pub use blocks::Ground;
pub use settings::{Draw, Kind, ParticlesSettings};

use self::{
    blocks::LookBlock,
    overlap::Overlap,
    passes::{Layer, Painters, Scene},
    system::{Movers, System, SystemKey},
};
use super::{COLOURS, Daylight, FrameContext, Measures, Output, OutputInfo, Stage, Technique, ViewInfo, WorldFrame};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Buffer, Feature, Frame, Gpu, ImageView, Memory, Queue, Result},
    lab::{Bench, Card, Check, Comparison},
};
use std::sync::Arc;

/// Most seconds of one step: after a pause the simulation continues where it was.
const STEP_MOST_S: f32 = 0.05;

/// The particle technique.
pub struct Particles {
    gpu: Arc<Gpu>,
    movers: Movers,
    painters: Painters,
    system: Option<System>,
    layer: Option<Layer>,
    tallies: Option<Buffer>,
    overlap: Overlap,
    /// Settings and light of the last drawn frame.
    drawn: Option<(ParticlesSettings, Daylight)>,
    queue: Queue,
    seconds: f32,
    moves: bool,
    is_read: bool,
}

impl Technique for Particles {
    const ID: &'static str = "particles";
    const TITLE: &'static str = "Particles";
    const DOC: &'static str = include_str!("../../../docs/particles.md");
    const STAGE: Stage = Stage::Picture;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[
        OutputInfo {
            name: "state",
            doc: "For each particle the bits of: position (3 floats), seed (of a body: its mass, a float), velocity (3 floats), and age in the lower and size in the upper 16 bits.",
            elements: &[Element::U32],
            shape: "count x 8",
            needs: NEEDS,
        },
        OutputInfo {
            name: "layer",
            doc: "Linear light of the particles alone, premultiplied by what the fourth channel says that they cover.",
            elements: &[Element::F16],
            shape: COLOURS,
            needs: NEEDS,
        },
    ];
    const MEASURES: Option<Measures> = Some(Measures {
        label: "Measure overlap",
        doc: "Frame times with and without the compute queue, in turns.",
        chooses: "",
    });
    const ACTION: Option<(&'static str, &'static str)> = Some(("Restart", "Start the simulation again."));
    type Settings = ParticlesSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            movers: Movers::new(gpu),
            painters: Painters::new(gpu),
            system: None,
            layer: None,
            tallies: None,
            overlap: Overlap::default(),
            drawn: None,
            queue: Queue::Graphics,
            seconds: 0.0,
            moves: false,
            is_read: false,
        })
    }

    fn views_world(_settings: &ParticlesSettings, _is_shown: bool) -> bool {
        true
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        _settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let (Some(system), Some(world)) = (&self.system, &context.world) else { return Ok(false) };
        let view = Self::view_index(name)?;
        let [width, height] = world.depth.size().map(u64::from);
        let bytes = 8 * width * height;
        let tallies = match self.tallies.take().filter(|tallies| tallies.size() == bytes) {
            Some(tallies) => tallies,
            None => Buffer::new(&self.gpu, "particle tallies", bytes, Memory::Device)?,
        };
        let look = LookBlock::new(world, &Daylight::default(), self.gpu.info(), false);
        let (kind, state) = (system.key.kind.number(), system.drawn());
        let scene = Scene { kind, state, motion: system.motion, look, world };
        self.painters.view(frame, view, Movers::tile(&self.gpu), &scene, &tallies, picture)?;
        self.tallies = Some(tallies);
        Ok(true)
    }

    fn prepare_outputs(&mut self, names: &[&str]) {
        self.is_read |= !names.is_empty();
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let system = self.system.as_ref().filter(|_| context.world.is_some())?;
        match name {
            "layer" => Some((&self.layer.as_ref()?.image.mip(0)).into()),
            "state" => Some(Output::Buffer {
                buffer: system.newest().clone(),
                element: Element::U32,
                shape: vec![system.key.count as usize, 8],
            }),
            _ => None,
        }
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.overlap.on_timing(timing);
        Ok(())
    }

    fn wants_frame(&self) -> bool {
        self.moves || self.overlap.comparison.is_active()
    }

    fn comparison(&mut self) -> Option<&mut Comparison> {
        Some(&mut self.overlap.comparison)
    }

    fn card(&self) -> Card {
        self.overlap.card()
    }

    fn why_not_measured(&self, settings: &ParticlesSettings) -> Option<String> {
        let why = match &self.system {
            _ if !self.gpu.has(Feature::AsyncCompute) => "This device has one queue: nothing can run at the same time",
            None => "No particles are shown",
            Some(_) if settings.speed <= 0.0 => "The simulation is paused",
            Some(_) => return None,
        };
        Some(why.into())
    }

    fn act(&mut self) {
        (self.system, self.drawn) = (None, None);
    }

    fn checks() -> Vec<Check> {
        checks::all()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::PARTICLES]
    }
}

/// [`OutputInfo::needs`] of all that is made here.
const NEEDS: &str = "a drawn world (scene.source = \"world\") and particles.kind other than \"none\"";

impl Particles {
    /// Starts, continues or ends the simulation for a frame with a world about `ground`; nothing is drawn yet. `is_viewed`: a view of the
    /// particles is shown. Whether there are any.
    pub fn step(
        &mut self,
        frame: &mut Frame,
        settings: &ParticlesSettings,
        ground: Option<Ground>,
        seconds: f32,
        is_viewed: bool,
    ) -> Result<bool> {
        let policy = self.gpu.policy();
        let kind = settings.kind(policy, is_viewed || self.is_read);
        let Some(ground) = ground.filter(|_| kind != Kind::None) else {
            (self.system, self.moves) = (None, false);
            return Ok(false);
        };
        let most = self.gpu.info().storage_bytes / system::BYTES as u32;
        let count = settings.count(kind, policy).min(most);
        let key = SystemKey { kind, count, exclusive: settings.exclusive, ground };
        let turn = self.overlap.begin(frame.number(), &format!("{} {count}", kind.name()));
        let parallel = turn.unwrap_or(settings.async_compute);
        self.queue = if parallel { Queue::Compute } else { Queue::Graphics };
        self.moves = settings.speed > 0.0;
        let mut system = match self.system.take().filter(|system| system.key == key) {
            Some(system) => system,
            None => System::new(frame, &mut self.movers, key)?,
        };
        let dt = seconds.min(STEP_MOST_S) * settings.speed;
        if self.moves {
            self.seconds += dt;
            system.step(frame, &mut self.movers, dt, self.queue)?;
        }
        self.system = Some(system);
        Ok(true)
    }

    /// Whether the layer has to be drawn again even where the world has not changed.
    #[must_use]
    pub fn has_changed(&self, settings: &ParticlesSettings, daylight: &Daylight) -> bool {
        let same = self.drawn.as_ref().is_some_and(|drawn| drawn.0 == *settings && drawn.1 == *daylight);
        self.system.is_some() && (self.moves || !same)
    }

    /// The world's light with the particles before it, where there are any.
    pub fn draw(
        &mut self,
        frame: &mut Frame,
        settings: &ParticlesSettings,
        world: &WorldFrame,
        daylight: &Daylight,
    ) -> Result<Option<ImageView>> {
        let Some(system) = &self.system else {
            (self.layer, self.drawn) = (None, None);
            return Ok(None);
        };
        let mut layer = Layer::fitting(&self.gpu, self.layer.take(), world.depth.size(), world.light.size())?;
        let look = LookBlock {
            seconds: self.seconds,
            brightness: settings.brightness,
            ..LookBlock::new(world, daylight, self.gpu.info(), settings.draw == Draw::Points)
        };
        let (kind, state) = (system.key.kind.number(), system.drawn());
        let scene = Scene { kind, state, motion: system.motion, look, world };
        self.painters.draw(frame, settings.draw, &scene, &mut layer)?;
        self.painters.join(frame, &world.light, &layer)?;
        system.has_been_drawn(frame, self.queue)?;
        self.drawn = Some((settings.clone(), *daylight));
        let joined = layer.joined.mip(0);
        self.layer = Some(layer);
        Ok(Some(joined))
    }
}
