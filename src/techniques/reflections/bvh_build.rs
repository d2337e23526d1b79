//! Construction of a world's hierarchies, on a thread beside the first frames.

use super::{
    Traversal,
    bvh::{Bvh, Form, Limits, ResidentBvh},
    bvh_request::{BuildRequest, limits},
    hardware::{Hardware, TRIANGLES},
    pipelines::Pipelines,
};
use crate::{
    base::job::Job,
    gpu::{Frame, Result},
    scene::world::World,
};
use std::{sync::Arc, time::Duration};

type BuildResult = std::result::Result<Bvh, String>;

enum State {
    Building(Job<BuildResult>),
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
    pub fn get(
        &mut self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        asked: &BuildRequest<'_>,
    ) -> Result<Option<ResidentBvh>> {
        let state = match self.of.take() {
            Some((of, state)) if Arc::ptr_eq(&of, asked.world) => state,
            _ => {
                self.hardware = Hardware::default();
                State::Building(start(pipelines, asked, limits(frame.gpu())))
            }
        };
        let state = match state {
            State::Building(mut job) => {
                let most = if asked.wake.is_some() { Duration::ZERO } else { Duration::MAX };
                match job.wait(most).map(std::result::Result::flatten) {
                    Some(Ok(bvh)) => State::Ready(ResidentBvh::new(frame, &bvh)?),
                    Some(Err(problem)) => refused(problem),
                    None => State::Building(job),
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

fn start(pipelines: &Pipelines, asked: &BuildRequest<'_>, limits: Limits) -> Job<BuildResult> {
    let (pipelines, world) = (pipelines.clone(), asked.world.clone());
    let prepares = !asked.has_queues && asked.traversal == Traversal::Shader;
    let job = Job::spawn("BVH", move |_| {
        let built = Bvh::build(&world, limits);
        if let (Ok(bvh), true) = (&built, prepares) {
            // The first bounce would otherwise wait for these; a failure shows there.
            pipelines.prepare(world.kinds(), Form::Shader { stack: bvh.stack, cuts: bvh.cuts });
        }
        built
    });
    if let Some(wake) = asked.wake.cloned() {
        job.on_end(move || wake());
    }
    job
}
