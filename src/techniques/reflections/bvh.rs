//! Wide bounding-volume hierarchies of a world: one level, or one for each mesh and one of instances.

use base::text;
use bytemuck::Zeroable as _;
use glam::{Mat4, Vec3, Vec3A};
use gpu::{Buffer, Feature, Format, Frame, GpuStruct, Memory, PlacedMesh, Resource, Result, TopLevel, gpu_struct};
use obvhs::{
    BvhBuildParams,
    aabb::Aabb,
    cwbvh::{
        CwBvh,
        builder::{build_cwbvh, build_cwbvh_from_tris},
        node::CwBvhNode,
    },
    triangle::Triangle,
};
use scene::world::{Instance, MeshletInstance, VisibilityId, World};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

gpu_struct! {
    /// As in `shaders/reflections/trace.glsl`.
    pub struct InstanceTransform {
        pub mesh_from_world: [Vec3; 4],
        pub root: u32,
        pub first: u32,
    }
}

/// Three corners; the fourth word is added to [`InstanceTransform::first`].
pub type Leaf = [u32; 12];
/// As `obvhs` packs a node.
pub type Node = [u32; 20];

/// A leaf and its share of the nodes (measured: 20 to 27).
const BYTES_A_TRIANGLE: u64 = 48 + 32;

/// Mesa's driver for AMD keeps arrays of up to 256 bytes in registers and compares all indices; larger ones are in
/// memory, which saves 30 to 50 registers.
pub const STACK_LEAST: u32 = 40;

pub struct Bvh {
    pub nodes: Vec<Node>,
    pub leaves: Vec<Leaf>,
    pub placings: Vec<InstanceTransform>,
    pub parts: Arc<Parts>,
    pub stack: u32,
    /// Alpha masks are present.
    pub cuts: bool,
    pub is_flat: bool,
}

#[derive(Default)]
pub struct Parts {
    pub meshes: Vec<[u32; 2]>,
    pub placed: Vec<PlacedMesh>,
}

#[derive(Clone, Copy)]
pub struct Limits {
    pub buffer: u64,
    pub all: u64,
    pub flat: u64,
    /// A build five times as long; rays visit up to a tenth fewer nodes.
    pub is_thorough: bool,
}

impl Limits {
    pub fn refusal(self, triangles: u64, instances: u64) -> Option<String> {
        let bytes = triangles * BYTES_A_TRIANGLE + instances * size_of::<InstanceTransform>() as u64;
        let (needed, most) = (text::bytes(bytes), text::bytes(self.all.min(self.buffer)));
        let is_refused = bytes > self.all || triangles * size_of::<Leaf>() as u64 > self.buffer;
        is_refused.then(|| format!("{triangles} triangles need about {needed} to be traced; there is room for {most}"))
    }
}

pub fn params(leaf: u32) -> BvhBuildParams {
    BvhBuildParams { max_prims_per_leaf: leaf, ..BvhBuildParams::medium_build() }
}

/// Transparent instances come last.
pub fn solid(world: &World) -> &[MeshletInstance] {
    &world.meshlet_instances[..world.meshlet_instances.len() - world.blended as usize]
}

fn meshes_within(
    world: &World,
    solid: &[MeshletInstance],
    limits: Limits,
) -> std::result::Result<Vec<[u32; 2]>, String> {
    let meshlets = &world.geometry.meshlets;
    let used: HashSet<u32> = solid.iter().map(|placed| placed.meshlet).collect();
    let is_used = |[first, count]: &[u32; 2]| *count > 0 && used.contains(first);
    let meshes: Vec<[u32; 2]> = world.geometry.meshes.iter().copied().filter(is_used).collect();
    let triangles_of = |[first, count]: [u32; 2]| {
        meshlets[first as usize..(first + count) as usize].iter().map(|m| u64::from(m.triangles)).sum::<u64>()
    };
    let count: u64 = meshes.iter().map(|mesh| triangles_of(*mesh)).sum();
    limits.refusal(count, world.instances.len() as u64).map_or(Ok(meshes), Err)
}

impl Bvh {
    /// Without flat instances. The same world gives the same bits.
    pub fn build(world: &World, limits: Limits) -> std::result::Result<Self, String> {
        let solid = solid(world);
        let meshes = meshes_within(world, solid, limits)?;
        let mut made = Self {
            nodes: vec![],
            leaves: vec![],
            placings: vec![],
            parts: Arc::default(),
            stack: 0,
            cuts: world.masked > 0,
            is_flat: false,
        };
        let mut parts = Parts::default();
        let (mut lower, mut deepest) = (HashMap::new(), 0);
        for mesh in meshes {
            let (triangles, numbers) = triangles(world, mesh);
            let bounds = triangles.iter().fold(Aabb::INVALID, |all, t| all.union(&t.aabb()));
            let bvh = build_cwbvh_from_tris(&triangles, params(3), &mut Duration::default());
            deepest = deepest.max(depth(&bvh));
            lower.insert(mesh[0], (made.nodes.len() as u32, bounds, parts.meshes.len() as u32));
            let first = made.leaves.len() as u32;
            made.append(&bvh, first);
            parts.meshes.push([first, bvh.primitive_indices.len() as u32]);
            made.leaves.extend(bvh.primitive_indices.iter().map(|at| {
                let (t, number) = (&triangles[*at as usize], numbers[*at as usize]);
                leaf([t.v0, t.v1, t.v2], number)
            }));
        }
        let (mut boxes, mut placings, mut placed_meshes) = (vec![], vec![], vec![]);
        let mut last = u32::MAX;
        for (number, placed) in solid.iter().enumerate() {
            if std::mem::replace(&mut last, placed.instance) == placed.instance {
                continue;
            }
            let Some((root, bounds, mesh)) = lower.get(&placed.meshlet) else { continue };
            let world_from_mesh = matrix(&world.instances[placed.instance as usize]);
            let inverse = world_from_mesh.inverse();
            if !inverse.is_finite() {
                continue;
            }
            let columns = [inverse.x_axis, inverse.y_axis, inverse.z_axis, inverse.w_axis].map(|c| c.truncate());
            boxes.push(around(bounds, world_from_mesh));
            let custom = parts.meshes[*mesh as usize][0];
            placed_meshes.push(PlacedMesh { world_from_mesh, mesh: *mesh, custom });
            placings.push(InstanceTransform {
                mesh_from_world: columns,
                root: *root,
                first: VisibilityId::new(number as u32, 0).0,
            });
        }
        let lower_nodes = std::mem::take(&mut made.nodes);
        let upper = build_cwbvh(&boxes, params(1), &mut Duration::default());
        made.append(&upper, 0);
        if made.nodes.is_empty() {
            made.nodes.push(Node::zeroed());
        }
        let shift = made.nodes.len() as u32;
        made.placings = upper.primitive_indices.iter().map(|at| placings[*at as usize]).collect();
        parts.placed = upper.primitive_indices.iter().map(|at| placed_meshes[*at as usize]).collect();
        made.parts = Arc::new(parts);
        made.placings.iter_mut().for_each(|placing| placing.root += shift);
        made.nodes.extend(lower_nodes.into_iter().map(|mut node| {
            node[4] += shift;
            node
        }));
        // Each level of nodes leaves siblings on the stack; between the levels, the remaining instances too.
        made.stack = (depth(&upper) + deepest + 3).next_multiple_of(8).max(STACK_LEAST);
        let largest = [size_of_val(&*made.nodes), size_of_val(&*made.leaves), size_of_val(&*made.placings)];
        match largest.into_iter().find(|bytes| *bytes as u64 > limits.buffer) {
            None => Ok(made),
            Some(bytes) => Err(format!(
                "a list of {} would be traced; this device has buffers of {}",
                text::bytes(bytes as u64),
                text::bytes(limits.buffer)
            )),
        }
    }

    pub fn append(&mut self, bvh: &CwBvh, leaf: u32) {
        let base = self.nodes.len() as u32;
        self.nodes.extend(bvh.nodes.iter().map(|node| {
            let mut node: CwBvhNode = *node;
            node.child_base_idx += base;
            node.primitive_base_idx += leaf;
            bytemuck::cast::<_, Node>(node)
        }));
    }
}

pub fn triangles(world: &World, [first, count]: [u32; 2]) -> (Vec<Triangle>, Vec<u32>) {
    let (mut all, mut numbers) = (vec![], vec![]);
    for (nth, meshlet) in world.geometry.meshlets[first as usize..(first + count) as usize].iter().enumerate() {
        for triangle in 0..meshlet.triangles {
            let corners = world.geometry.corners(meshlet, triangle);
            let [v0, v1, v2] = corners.map(|vertex| Vec3A::from(world.geometry.vertices[vertex].position));
            all.push(Triangle { v0, v1, v2 });
            numbers.push(VisibilityId::new(nth as u32, triangle).0 - VisibilityId::new(0, 0).0);
        }
    }
    (all, numbers)
}

pub fn leaf(corners: [Vec3A; 3], number: u32) -> Leaf {
    let [a, b, c] = corners.map(|v| v.to_array().map(f32::to_bits));
    [a[0], a[1], a[2], number, b[0], b[1], b[2], 0, c[0], c[1], c[2], 0]
}

pub fn matrix(instance: &Instance) -> Mat4 {
    let [x, y, z, origin] = instance.world_from_mesh;
    Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), origin.extend(1.0))
}

/// Corners are rounded.
fn around(bounds: &Aabb, placed: Mat4) -> Aabb {
    let corner = |i: u32| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
        Vec3A::from(placed.transform_point3(Vec3::new(pick(0), pick(1), pick(2))))
    };
    let all = (0..8).map(corner).fold(Aabb::INVALID, |all, at| all.union(&Aabb::from_point(at)));
    let slack = 1e-6 * all.min.abs().max(all.max.abs());
    Aabb::new(all.min - slack, all.max + slack)
}

pub fn depth(bvh: &CwBvh) -> u32 {
    let mut level = if bvh.nodes.is_empty() { vec![] } else { vec![0] };
    let mut levels = 0;
    while !level.is_empty() {
        levels += 1;
        let below = |node: &CwBvhNode| node.child_base_idx..node.child_base_idx + node.imask.count_ones();
        level = level.iter().flat_map(|at| below(&bvh.nodes[*at as usize])).collect();
    }
    levels
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Shader { stack: u32, cuts: bool, is_flat: bool },
    Hardware { cuts: bool },
}

#[derive(Clone)]
pub struct ResidentBvh {
    nodes: Buffer,
    leaves: Buffer,
    placings: Buffer,
    stack: u32,
    cuts: bool,
    is_flat: bool,
    hardware: Option<TopLevel>,
    parts: Arc<Parts>,
    pub has_texels: bool,
}

impl ResidentBvh {
    pub fn new(frame: &mut Frame, bvh: &Bvh) -> Result<Self> {
        let nodes = filled(frame, "bvh nodes", &bvh.nodes)?;
        let size = size_of_val(&*bvh.leaves).max(size_of::<Leaf>()) as u64;
        let leaves = Buffer::to_build_of(frame.gpu(), "bvh leaves", size, Memory::Device)?;
        frame.upload_buffer(&leaves, &bvh.leaves)?;
        let placings = filled(frame, "bvh placings", &bvh.placings)?;
        let lists = [(&nodes, Format::Rgba32U), (&leaves, Format::Rgba32U), (&placings, Format::Rg32U)];
        let most = u64::from(frame.gpu().info().texels);
        let has_texels = lists.iter().all(|(list, format)| list.size() / u64::from(format.bytes()) <= most);
        if has_texels {
            lists.iter().try_for_each(|(list, format)| list.read_as_texels(*format))?;
        }
        let parts = if frame.gpu().has(Feature::RayQuery) { bvh.parts.clone() } else { Arc::default() };
        let Bvh { stack, cuts, is_flat, .. } = *bvh;
        Ok(Self { nodes, leaves, placings, stack, cuts, is_flat, hardware: None, parts, has_texels })
    }

    pub fn form(&self) -> Form {
        let Self { stack, cuts, is_flat, .. } = *self;
        if self.hardware.is_some() { Form::Hardware { cuts } } else { Form::Shader { stack, cuts, is_flat } }
    }

    /// Without acceleration structures.
    pub fn bytes(&self) -> u64 {
        self.nodes.size() + self.leaves.size() + self.placings.size()
    }

    pub fn for_hardware(&self) -> (&Buffer, &Parts) {
        (&self.leaves, &self.parts)
    }

    pub fn with_hardware(&self, hardware: TopLevel) -> Self {
        Self { hardware: Some(hardware), ..self.clone() }
    }

    pub fn bindings(&self) -> Vec<(&'static str, Resource)> {
        let Self { nodes, leaves, placings, .. } = self;
        let own = [
            ("Nodes", nodes),
            ("Leaves", leaves),
            ("Placings", placings),
            ("nodes_texels", nodes),
            ("leaves_texels", leaves),
            ("placings_texels", placings),
        ]
        .map(|(name, list)| (name, Resource::from(list)));
        own.into_iter().chain(self.hardware.iter().map(|top| ("placed_meshes", top.into()))).collect()
    }
}

fn filled<T: bytemuck::NoUninit>(frame: &mut Frame, name: &str, data: &[T]) -> Result<Buffer> {
    let size = size_of_val(data).max(size_of::<T>()) as u64;
    let buffer = Buffer::new(frame.gpu(), name, size, Memory::Device)?;
    frame.upload_buffer(&buffer, data)?;
    Ok(buffer)
}

const _: () =
    assert!(size_of::<CwBvhNode>() == size_of::<Node>() && <InstanceTransform as GpuStruct>::FIELDS.len() == 3);
