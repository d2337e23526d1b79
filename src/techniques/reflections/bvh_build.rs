//! Construction of a world's hierarchies, on a thread beside the first frames.

use super::{
    Traversal,
    bvh::{Bvh, Form, Limits, ResidentBvh},
    bvh_request::{Asked, limits},
    hardware::{Hardware, TRIANGLES},
    pipelines::Pipelines,
};
use crate::{
    gpu::{Frame, Result},
    scene::world::World,
};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, TryRecvError, channel},
    },
    thread,
};

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
    hardware: Hardware,
    /// Whether ray queries were requested last.
    asks_hardware: bool,
}

impl Building {
    /// The hierarchies of a world, if they are there. Pipelines are made beside them but for those of
    /// queues, which are made one by one when they are warmed up.
    pub fn get(&mut self, frame: &mut Frame, pipelines: &Pipelines, asked: &Asked<'_>) -> Result<Option<ResidentBvh>> {
        let state = match self.of.take() {
            Some((of, state)) if Arc::ptr_eq(&of, asked.world) => state,
            _ => {
                self.hardware = Hardware::default();
                State::Building(start(pipelines, asked, limits(frame.gpu())))
            }
        };
        let state = match state {
            State::Building(result) => {
                let now = match asked.wake {
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
        self.of = Some((asked.world.clone(), state));
        self.asks_hardware = asked.traversal == Traversal::Hardware;
        match ready {
            Some(own) if self.asks_hardware => self.hardware.get(frame, pipelines, &own, asked, TRIANGLES),
            ready => Ok(ready),
        }
    }

    /// Whether the device builds its own hierarchies, in the frames to come.
    pub fn is_building_hardware(&self) -> bool {
        self.asks_hardware && matches!(self.hardware, Hardware::Building { .. } | Hardware::Built(..))
    }

    /// Reason why rays are traced in the shader although ray queries are requested.
    pub fn hardware_refusal(&self) -> Option<&str> {
        self.hardware.refusal().filter(|_| self.asks_hardware)
    }

    /// Reason why mirrors show only the sky, if they do.
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

fn start(pipelines: &Pipelines, asked: &Asked<'_>, limits: Limits) -> Receiver<Built> {
    let (send, result) = channel();
    let (pipelines, world, wake) = (pipelines.clone(), asked.world.clone(), asked.wake.cloned());
    let prepares = !asked.has_queues && asked.traversal == Traversal::Shader;
    thread::spawn(move || {
        let built = Bvh::build(&world, limits);
        if let (Ok(bvh), true) = (&built, prepares) {
            // The first bounce would otherwise wait for these; a failure shows there.
            pipelines.prepare(world.kinds(), Form::Shader { stack: bvh.stack, cuts: bvh.cuts });
        }
        if send.send(built).is_ok()
            && let Some(wake) = wake
        {
            wake();
        }
    });
    result
}
