//! Request for a bounding volume hierarchy, and the limits of its size.

use super::{Traversal, bvh::Limits};
use crate::{
    gpu::{Feature, Gpu},
    scene::world::World,
};
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
    pub limits: Limits,
}

/// Limits for the hierarchies of one world: an eighth of the device's memory, and one level for up to `flat` triangles. Those for ray queries
/// have two levels: the driver's test of ray and triangle may let rays through where leaves are far from the origin.
pub fn limits(gpu: &Gpu, traversal: Traversal, flat: u64) -> Limits {
    let facts = gpu.info();
    let by_shader = traversal == Traversal::Shader || !gpu.has(Feature::RayQuery);
    let flat = if by_shader { flat } else { 0 };
    Limits { buffer: facts.storage_bytes.into(), all: facts.memory_bytes / 8, flat, is_thorough: false }
}
