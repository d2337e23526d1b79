//! Request for a bounding volume hierarchy, and the limits of its size.

use super::{Traversal, bvh::Limits};
use crate::{gpu::Gpu, scene::world::World};
use std::sync::Arc;

/// Called when there is something new to draw.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Request for hierarchies.
pub struct BuildRequest<'a> {
    pub world: &'a Arc<World>,
    /// Without it hierarchies are waited for.
    pub wake: Option<&'a Wake>,
    pub has_queues: bool,
    pub traversal: Traversal,
}

/// Memory limit for the hierarchies of one world: an eighth of the device's memory.
pub fn limits(gpu: &Gpu) -> Limits {
    let facts = gpu.info();
    Limits { buffer: facts.storage_bytes.into(), all: facts.memory_bytes / 8 }
}
