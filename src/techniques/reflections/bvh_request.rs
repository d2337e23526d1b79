//! Request for a bounding volume hierarchy, and the limits of its size.

use super::{Traversal, bvh::Limits};
use gpu::{Feature, Gpu};
use scene::world::World;
use std::sync::Arc;

pub type Wake = Arc<dyn Fn() + Send + Sync>;

pub struct BuildRequest<'a> {
    pub world: &'a Arc<World>,
    pub wake: Option<&'a Wake>,
    pub has_queues: bool,
    pub traversal: Traversal,
    pub limits: Limits,
}

/// An eighth of the device's memory. Ray queries get two levels: the driver's test may let rays through where leaves
/// are far from the origin.
pub fn limits(gpu: &Gpu, traversal: Traversal, flat: u64) -> Limits {
    let facts = gpu.info();
    let by_shader = traversal == Traversal::Shader || !gpu.has(Feature::RayQuery);
    let flat = if by_shader { flat } else { 0 };
    Limits { buffer: facts.storage_bytes.into(), all: facts.memory_bytes / 8, flat, is_thorough: false }
}
