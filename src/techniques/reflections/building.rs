//! A world's hierarchies, built on a thread beside the first frames.

use super::{
    bvh::{Bvh, Limits, ResidentBvh},
    pipelines::Pipelines,
};
use crate::{
    gpu::{Frame, Gpu, Result},
    scene::world::World,
};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, TryRecvError, channel},
    },
    thread,
};

/// Called when there is something new to draw.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

type Built = std::result::Result<Bvh, String>;

enum State {
    Building(Receiver<Built>),
    Ready(ResidentBvh),
    Refused(String),
}

/// The hierarchies of the world that is shown.
#[derive(Default)]
pub struct Building {
    of: Option<(Arc<World>, State)>,
}

/// What the hierarchies of one world may take: an eighth of the device's memory.
fn limits(gpu: &Gpu) -> Limits {
    let facts = gpu.facts();
    Limits { buffer: facts.storage_bytes.into(), all: facts.memory_bytes / 8 }
}

impl Building {
    /// The hierarchies of `world`, if they are there. Without `wake` it waits for them. Pipelines are made beside them but for those of
    /// queues, which are made one by one when they are warmed up.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn get(
        &mut self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        world: &Arc<World>,
        wake: Option<&Wake>,
        has_queues: bool,
    ) -> Result<Option<ResidentBvh>> {
        let state = match self.of.take() {
            Some((of, state)) if Arc::ptr_eq(&of, world) => state,
            _ => State::Building(start(pipelines, world.clone(), limits(frame.gpu()), wake.cloned(), has_queues)),
        };
        let state = match state {
            State::Building(result) => {
                let now = match wake {
                    Some(_) => result.try_recv(),
                    None => result.recv().map_err(|_| TryRecvError::Disconnected),
                };
                match now {
                    Ok(Ok(bvh)) => State::Ready(ResidentBvh::new(frame, &bvh)?),
                    Ok(Err(problem)) => refused(problem),
                    Err(TryRecvError::Empty) => State::Building(result),
                    Err(TryRecvError::Disconnected) => refused("building the hierarchy failed".into()),
                }
            }
            known => known,
        };
        let ready = if let State::Ready(bvh) = &state { Some(bvh.clone()) } else { None };
        self.of = Some((world.clone(), state));
        Ok(ready)
    }

    /// Why mirrors show the sky only, where that is so.
    pub fn refusal(&self) -> Option<&str> {
        match &self.of {
            Some((_, State::Refused(problem))) => Some(problem),
            _ => None,
        }
    }
}

fn refused(problem: String) -> State {
    log::warn!("mirrors show the sky only: {problem}");
    State::Refused(problem)
}

fn start(
    pipelines: &Pipelines,
    world: Arc<World>,
    limits: Limits,
    wake: Option<Wake>,
    has_queues: bool,
) -> Receiver<Built> {
    let (send, result) = channel();
    let pipelines = pipelines.clone();
    thread::spawn(move || {
        let built = Bvh::build(&world, limits);
        if let (Ok(bvh), false) = (&built, has_queues) {
            // What the first bounce would otherwise wait for; a failure shows there.
            pipelines.prepare(world.kinds(), bvh.stack);
        }
        if send.send(built).is_ok()
            && let Some(wake) = wake
        {
            wake();
        }
    });
    result
}
