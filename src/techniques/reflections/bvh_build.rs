//! Construction of a world's hierarchies, on a thread beside the first frames.

use super::{
    Traversal,
    bvh::{Bvh, Form, Limits, ResidentBvh},
    bvh_request::BuildRequest,
    flat,
    passes::hardware::{Hardware, TRIANGLES},
    pipelines::Pipelines,
};
use base::job::Job;
use gpu::{Frame, Result};
use scene::world::World;
use std::{sync::Arc, time::Duration};

type BuildResult = std::result::Result<Bvh, String>;

enum State {
    Building(Job<BuildResult>),
    Ready(ResidentBvh, Option<Job<BuildResult>>),
    Refused(String),
}

#[derive(Default)]
pub struct Building {
    of: Option<(Arc<World>, State)>,
    flat: u64,
    hardware: Hardware,
    asks_hardware: bool,
}

impl Building {
    pub fn get(
        &mut self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        asked: &BuildRequest<'_>,
    ) -> Result<Option<ResidentBvh>> {
        let state = match self.of.take() {
            Some((of, state)) if Arc::ptr_eq(&of, asked.world) && self.flat == asked.limits.flat => state,
            _ => {
                self.flat = asked.limits.flat;
                self.hardware = Hardware::default();
                let limits = Limits { is_thorough: asked.wake.is_none(), ..asked.limits };
                let job = start(pipelines, asked, limits);
                if let Some(wake) = asked.wake.cloned() {
                    job.on_end(move || wake());
                }
                State::Building(job)
            }
        };
        let state = match state {
            State::Building(mut job) => {
                let most = if asked.wake.is_some() { Duration::ZERO } else { Duration::MAX };
                match job.wait(most).map(std::result::Result::flatten) {
                    Some(Ok(bvh)) => {
                        let limits = Limits { is_thorough: true, ..asked.limits };
                        let begins = bvh.is_flat && asked.wake.is_some();
                        State::Ready(ResidentBvh::new(frame, &bvh)?, begins.then(|| start(pipelines, asked, limits)))
                    }
                    Some(Err(problem)) => refused(problem),
                    None => State::Building(job),
                }
            }
            State::Ready(own, Some(mut job)) => match job.wait(Duration::ZERO).map(std::result::Result::flatten) {
                Some(Ok(bvh)) => State::Ready(ResidentBvh::new(frame, &bvh)?, None),
                Some(Err(_)) => State::Ready(own, None),
                None => State::Ready(own, Some(job)),
            },
            known => known,
        };
        let ready = if let State::Ready(bvh, _) = &state { Some(bvh.clone()) } else { None };
        self.of = Some((asked.world.clone(), state));
        self.asks_hardware = asked.traversal == Traversal::Hardware;
        match ready {
            Some(own) if self.asks_hardware => self.hardware.get(frame, pipelines, &own, asked, TRIANGLES),
            ready => Ok(ready),
        }
    }

    pub fn is_building_hardware(&self) -> bool {
        self.asks_hardware && matches!(self.hardware, Hardware::Building { .. } | Hardware::Built(..))
    }

    pub fn hardware_refusal(&self) -> Option<&str> {
        self.hardware.refusal().filter(|_| self.asks_hardware)
    }

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
    Job::spawn("BVH", move |_| {
        let built = flat::build(&world, limits);
        if let (Ok(bvh), true) = (&built, prepares) {
            pipelines.prepare(world.kinds(), Form::Shader { stack: bvh.stack, cuts: bvh.cuts, is_flat: bvh.is_flat });
        }
        built
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::lab::{LIMITS, mirror_room},
        *,
    };
    use gpu::Gpu;
    use lab::TestBench;

    #[test]
    fn a_thorough_hierarchy_takes_the_place_of_the_first_in_a_window() {
        let gpu = Gpu::headless(true).unwrap();
        let (messages, world) = (gpu.messages(), Arc::new(mirror_room()));
        let (mut bench, pipelines) = (TestBench::on(&gpu).unwrap(), Pipelines::new(&gpu));
        let wake: crate::Wake = Arc::new(|| ());
        let mut after = |wake, flat| {
            let (limits, traversal) = (Limits { flat, ..LIMITS }, Traversal::Shader);
            let asked = BuildRequest { world: &world, wake, has_queues: true, traversal, limits };
            let (mut building, mut stages) = (Building::default(), vec![]);
            for _ in 0..1000 {
                bench.run(|frame| building.get(frame, &pipelines, &asked)).unwrap();
                let stage = match &building.of {
                    Some((_, State::Building(_))) => "building",
                    Some((_, State::Ready(_, Some(_)))) => "another is built",
                    Some((_, State::Ready(..))) => "done",
                    _ => "refused",
                };
                if stages.last() != Some(&stage) {
                    stages.push(stage);
                }
                if stage == "done" {
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            stages.retain(|stage| *stage != "building");
            stages
        };
        let found = [after(Some(&wake), u64::MAX), after(Some(&wake), 0), after(None, u64::MAX)];
        drop((bench, gpu));
        assert_eq!(found, [vec!["another is built", "done"], vec!["done"], vec!["done"]]);
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
