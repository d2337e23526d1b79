//! Acceleration structures for ray queries, built from the leaves of the shader hierarchy, over several frames.

use crate::{
    Traversal,
    bvh::{Form, ResidentBvh},
    bvh_request::{BuildRequest, limits},
    pipelines::Pipelines,
};
use base::text;
use gpu::{BottomLevels, Feature, Frame, Result};
use std::thread::{JoinHandle, spawn};

pub const TRIANGLES: u32 = 1 << 15;
const CORNER: u32 = 16;
const CUSTOM: u32 = 1 << 24;

pub const NO_RAY_QUERIES: &str = "this GPU has no ray queries (VK_KHR_ray_query)";

#[derive(Default)]
pub enum Hardware {
    #[default]
    Unasked,
    Building {
        levels: BottomLevels,
        pipelines: Option<JoinHandle<()>>,
    },
    Built(ResidentBvh, Option<JoinHandle<()>>),
    Refused(String),
}

impl Hardware {
    pub fn refusal(&self) -> Option<&str> {
        if let Self::Refused(problem) = self { Some(problem) } else { None }
    }

    /// Without a `wake` at once, else about `triangles` triangles a call.
    pub fn get(
        &mut self,
        frame: &mut Frame,
        pipelines: &Pipelines,
        own: &ResidentBvh,
        asked: &BuildRequest<'_>,
        triangles: u32,
    ) -> Result<Option<ResidentBvh>> {
        if matches!(self, Self::Unasked) {
            *self = begin(frame, pipelines, own, asked)?;
        }
        if let Self::Building { levels, pipelines } = self {
            let triangles = if asked.wake.is_some() { triangles } else { u32::MAX };
            if !frame.build_bottom_levels("reflections/build meshes", levels, triangles)? {
                return Ok(None);
            }
            let placed = &own.for_hardware().1.placed;
            let most = room(frame, own).saturating_sub(levels.bytes());
            *self = match frame.build_top_level("reflections/build instances", levels, placed, most)? {
                Ok(top) => Self::Built(own.with_hardware(top), pipelines.take()),
                Err(bytes) => refused(frame, &too_large(bytes, most)),
            };
        }
        match self {
            Self::Built(_, Some(pipelines)) if !pipelines.is_finished() => Ok(None),
            Self::Built(bvh, _) => Ok(Some(bvh.clone())),
            _ => Ok(Some(own.clone())),
        }
    }
}

fn room(frame: &Frame, own: &ResidentBvh) -> u64 {
    limits(frame.gpu(), Traversal::Hardware, 0).all.saturating_sub(own.bytes())
}

fn too_large(bytes: u64, most: u64) -> String {
    format!("acceleration structures would take {}; there is room for {}", text::bytes(bytes), text::bytes(most))
}

fn refused(frame: &Frame, problem: &str) -> Hardware {
    log::warn!("{}: rays are traced in the shader: {problem}", frame.gpu().info().name);
    Hardware::Refused(problem.into())
}

fn begin(frame: &mut Frame, pipelines: &Pipelines, own: &ResidentBvh, asked: &BuildRequest<'_>) -> Result<Hardware> {
    if !frame.gpu().has(Feature::RayQuery) {
        return Ok(refused(frame, NO_RAY_QUERIES));
    }
    let (leaves, parts) = own.for_hardware();
    if parts.placed.iter().any(|placed| placed.custom >= CUSTOM) {
        return Ok(refused(frame, &format!("more triangles than the {CUSTOM} that a placed mesh can begin at")));
    }
    let (gpu, most) = (frame.gpu().clone(), room(frame, own));
    match BottomLevels::new(&gpu, "reflections meshes", leaves, CORNER, parts.meshes.clone(), most)? {
        Ok(levels) => {
            let (made, kinds, cuts) = (pipelines.clone(), asked.world.kinds(), asked.world.masked > 0);
            let is_beside = asked.wake.is_some() && !asked.has_queues;
            // A frame would wait for the compiler; those of queues are made one by one when they are warmed up.
            let pipelines = is_beside.then(|| spawn(move || made.prepare(kinds, Form::Hardware { cuts })));
            Ok(Hardware::Building { levels, pipelines })
        }
        Err(bytes) => Ok(refused(frame, &too_large(bytes, most))),
    }
}
