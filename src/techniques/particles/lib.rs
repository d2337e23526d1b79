//! Particles: dust, spray, fireflies and bodies, moved on the compute queue while their previous state is drawn.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod beginning;
mod blocks;
#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod settings;
mod simulation;
mod views;

pub use blocks::Ground;
pub use settings::{Draw, Kind, ParticlesSettings};
pub use simulation::Particles;

use self::{
    blocks::LookBlock,
    passes::{
        draw::{Painters, Scene},
        step::{BODIES, COPY, Movers, STEP},
    },
};
use base::timing::FrameTiming;
use gpu::{Buffer, Frame, Gpu, ImageView, Memory, Queue, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{COLOURS, Daylight, FrameContext, Info, Output, OutputInfo, Stage, Technique};

impl Technique for Particles {
    const INFO: Info = Info {
        id: "particles",
        title: "Particles",
        doc: include_str!("../../../docs/particles.md"),
        stage: Stage::Picture,
        views: &views::VIEWS,
        outputs: &[
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
        ],
        action: Some(("Restart", "Start the simulation again.")),
        ..Info::NONE
    };
    type Settings = ParticlesSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            movers: Movers::new(gpu),
            painters: Painters::new(gpu),
            system: None,
            layer: None,
            tallies: None,
            timed_queue: None,
            last_step: None,
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
        if !timing.clocks_apart && timing.us_of(&[STEP, BODIES, COPY]).is_some() {
            self.last_step = Some(timing.clone());
        }
        Ok(())
    }

    fn wants_frame(&self) -> bool {
        self.moves
    }

    fn restart(&mut self) {
        (self.system, self.drawn, self.seconds) = (None, None, 0.0);
    }
}

const NEEDS: &str = "a drawn world (scene.source = \"world\") and particles.kind other than \"none\"";
