//! Simulation of the particles, and their layer over a world's light.

use super::{
    blocks::{Ground, LookBlock},
    passes::{
        draw::{Layer, Painters, Scene},
        step::{BYTES, Movers, System, SystemKey},
    },
    settings::{Draw, Kind, ParticlesSettings},
};
use base::timing::FrameTiming;
use gpu::{Buffer, Frame, Gpu, ImageView, Queue, Result};
use std::sync::Arc;
use technique::{Daylight, WorldFrame};

/// After a pause the simulation continues where it was.
const STEP_MOST_S: f32 = 0.05;

pub struct Particles {
    pub(super) gpu: Arc<Gpu>,
    pub(super) movers: Movers,
    pub(super) painters: Painters,
    pub(super) system: Option<System>,
    pub(super) layer: Option<Layer>,
    pub(super) tallies: Option<Buffer>,
    /// A comparison runs, and times this queue.
    pub(super) timed_queue: Option<Queue>,
    /// The last frame that moved particles, on an axis of time that both queues share.
    pub(super) last_step: Option<FrameTiming>,
    pub(super) drawn: Option<(ParticlesSettings, Daylight)>,
    pub(super) queue: Queue,
    pub(super) seconds: f32,
    pub(super) moves: bool,
    pub(super) is_read: bool,
}

impl Particles {
    /// Without drawing. Returns whether there are any particles.
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
        let most = self.gpu.info().storage_bytes / BYTES as u32;
        let count = settings.count(kind, policy).min(most);
        let key = SystemKey { kind, count, exclusive: settings.exclusive, ground };
        let chosen = if settings.async_compute { Queue::Compute } else { Queue::Graphics };
        self.queue = self.timed_queue.unwrap_or(chosen);
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

    pub fn has_changed(&self, settings: &ParticlesSettings, daylight: &Daylight) -> bool {
        let same = self.drawn.as_ref().is_some_and(|drawn| drawn.0 == *settings && drawn.1 == *daylight);
        self.system.is_some() && (self.moves || !same)
    }

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
        let method = settings.draw(self.gpu.policy());
        let look = LookBlock {
            seconds: self.seconds,
            brightness: settings.brightness,
            ..LookBlock::new(world, daylight, self.gpu.info(), method == Draw::Points)
        };
        let (kind, state) = (system.key.kind.number(), system.drawn());
        let scene = Scene { kind, state, motion: system.motion, look, world };
        self.painters.draw(frame, method, &scene, &world.light, &mut layer)?;
        system.has_been_drawn(frame, self.queue)?;
        self.drawn = Some((settings.clone(), *daylight));
        let joined = layer.joined.mip(0);
        self.layer = Some(layer);
        Ok(Some(joined))
    }
}
