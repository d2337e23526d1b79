//! Acceleration structures (VK_KHR_acceleration_structure): a bottom level for each mesh, and a top level of placed meshes, traced by ray
//! queries (VK_KHR_ray_query). Both are stored in buffers, and a pass binds the top level's by name as any other.
use super::{
    Gpu,
    access::Access,
    bind::{Resource, ResourceUse},
    buffer::{Buffer, Memory},
    error::{Context, Error, Result},
    frame::Frame,
};
use ash::{khr, vk};
use glam::Mat4;
use std::{ops::Range, sync::Arc};
use vk::AccelerationStructureTypeKHR as Level;

pub(super) struct Structures {
    raw: Vec<vk::AccelerationStructureKHR>,
    below: Option<Buffer>,
}

impl Structures {
    pub fn destroy(self, gpu: &Gpu) {
        let Some(structures) = &gpu.structures else { return };
        for raw in self.raw {
            // SAFETY: frames in flight keep the buffer that stores them, so the GPU is done with them.
            unsafe { structures.destroy_acceleration_structure(raw, None) };
        }
    }
}

impl Buffer {
    pub(super) fn structure(&self) -> Result<vk::AccelerationStructureKHR> {
        let refuse =
            || Error::Pass { pass: self.0.name.clone(), problem: "no acceleration structure lies in it".into() };
        self.0.structures.get().and_then(|structures| structures.raw.first()).copied().ok_or_else(refuse)
    }

    pub(super) fn below(&self) -> Option<&Buffer> {
        self.0.structures.get()?.below.as_ref()
    }

    fn address(&self, gpu: &Gpu) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.0.raw);
        // SAFETY: the buffer has memory, and its usage has the address among it.
        unsafe { gpu.device.get_buffer_device_address(&info) }
    }
}

struct Room {
    buffer: Buffer,
    raw: Vec<vk::AccelerationStructureKHR>,
    scratch: Buffer,
    scratch_at: u64,
}

const ALIGNED: u64 = 256;

impl Room {
    /// `None` if it would need more than `most` bytes.
    fn new(
        gpu: &Arc<Gpu>,
        functions: &khr::acceleration_structure::Device,
        name: &str,
        level: Level,
        below: Option<&Buffer>,
        sizes: &[vk::AccelerationStructureBuildSizesInfoKHR<'_>],
        most: u64,
    ) -> Result<std::result::Result<Self, u64>> {
        let mut limits = vk::PhysicalDeviceAccelerationStructurePropertiesKHR::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
        // SAFETY: a query about the device of this instance.
        unsafe { gpu.instance.raw.get_physical_device_properties2(gpu.physical, &mut all) };
        let aligned = u64::from(limits.min_acceleration_structure_scratch_offset_alignment.max(1));
        let scratch = sizes.iter().map(|size| size.build_scratch_size).max().unwrap_or(0) + aligned;
        let bytes: u64 = sizes.iter().map(|size| size.acceleration_structure_size.next_multiple_of(ALIGNED)).sum();
        if bytes + scratch > most {
            return Ok(Err(bytes + scratch));
        }
        use vk::BufferUsageFlags as U;
        let usage = U::ACCELERATION_STRUCTURE_STORAGE_KHR | U::SHADER_DEVICE_ADDRESS;
        let buffer = Buffer::make(gpu, name, bytes, Memory::Device, None, usage)?;
        let scratch_name = format!("{name} scratch");
        let scratch = Buffer::make(gpu, &scratch_name, scratch, Memory::Device, None, U::SHADER_DEVICE_ADDRESS)?;
        let scratch_at = scratch.address(gpu).next_multiple_of(aligned);
        let mut made = Structures { raw: Vec::with_capacity(sizes.len()), below: below.cloned() };
        let mut at = 0;
        for size in sizes {
            let bytes = size.acceleration_structure_size;
            let info = vk::AccelerationStructureCreateInfoKHR::default().buffer(buffer.0.raw).offset(at);
            let info = info.size(bytes).ty(level);
            // SAFETY: the buffer has room for it there, and outlives it.
            let raw = unsafe { functions.create_acceleration_structure(&info, None) }.context(name);
            match raw {
                Ok(raw) => made.raw.push(raw),
                Err(problem) => {
                    made.destroy(gpu);
                    return Err(problem);
                }
            }
            gpu.name(made.raw[made.raw.len() - 1], name);
            at += bytes.next_multiple_of(ALIGNED);
        }
        let raw = made.raw.clone();
        if let Err(made) = buffer.0.structures.set(made) {
            made.destroy(gpu);
        }
        Ok(Ok(Self { buffer, raw, scratch, scratch_at }))
    }

    fn touches(&self, more: &[(&Buffer, Access)]) -> Vec<ResourceUse> {
        let own = [(&self.buffer, Access::Build), (&self.scratch, Access::Build)];
        own.iter()
            .chain(more)
            .map(|(buffer, how)| ResourceUse { resource: Resource::from(*buffer), how: *how })
            .collect()
    }
}

fn functions(gpu: &Gpu) -> Result<&khr::acceleration_structure::Device> {
    let problem = "this GPU has no ray queries (VK_KHR_ray_query)".to_owned();
    gpu.structures.as_ref().ok_or(Error::Pass { pass: "acceleration structures".into(), problem })
}

type Geometry = [vk::AccelerationStructureGeometryKHR<'static>; 1];

fn info(level: Level, geometry: &Geometry) -> vk::AccelerationStructureBuildGeometryInfoKHR<'_> {
    vk::AccelerationStructureBuildGeometryInfoKHR::default()
        .ty(level)
        .mode(vk::BuildAccelerationStructureModeKHR::BUILD)
        .flags(vk::BuildAccelerationStructureFlagsKHR::PREFER_FAST_TRACE)
        .geometries(geometry)
}

fn sizes(
    functions: &khr::acceleration_structure::Device,
    level: Level,
    geometry: &Geometry,
    count: u32,
) -> vk::AccelerationStructureBuildSizesInfoKHR<'static> {
    let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
    let by = vk::AccelerationStructureBuildTypeKHR::DEVICE;
    // SAFETY: a query.
    unsafe { functions.get_acceleration_structure_build_sizes(by, &info(level, geometry), &[count], &mut sizes) };
    sizes
}

pub struct BottomLevels {
    room: Room,
    corners: Buffer,
    stride: u32,
    meshes: Vec<[u32; 2]>,
    addresses: Vec<u64>,
    built: usize,
}

impl BottomLevels {
    /// Three corners per triangle, `stride` bytes apart, each beginning with three floats. Returns the number of bytes
    /// if that is more than `most`.
    pub fn new(
        gpu: &Arc<Gpu>,
        name: &str,
        corners: &Buffer,
        stride: u32,
        meshes: Vec<[u32; 2]>,
        most: u64,
    ) -> Result<std::result::Result<Self, u64>> {
        let functions = functions(gpu)?;
        let of = |mesh: &[u32; 2]| sizes(functions, Level::BOTTOM_LEVEL, &triangles(0, stride, mesh[1]), mesh[1]);
        let sizes: Vec<_> = meshes.iter().map(of).collect();
        let room = match Room::new(gpu, functions, name, Level::BOTTOM_LEVEL, None, &sizes, most)? {
            Ok(room) => room,
            Err(bytes) => return Ok(Err(bytes)),
        };
        let address = |raw: &vk::AccelerationStructureKHR| {
            let info = vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(*raw);
            // SAFETY: it was just made.
            unsafe { functions.get_acceleration_structure_device_address(&info) }
        };
        let addresses = room.raw.iter().map(address).collect();
        Ok(Ok(Self { room, corners: corners.clone(), stride, meshes, addresses, built: 0 }))
    }

    pub fn bytes(&self) -> u64 {
        self.room.buffer.size() + self.room.scratch.size()
    }

    fn next(&self, triangles: u32) -> Range<usize> {
        let (mut end, mut sum) = (self.built, 0);
        while end < self.meshes.len() && (end == self.built || sum + self.meshes[end][1] <= triangles) {
            sum += self.meshes[end][1];
            end += 1;
        }
        self.built..end
    }
}

fn triangles(address: u64, stride: u32, count: u32) -> Geometry {
    let corners = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
        .vertex_format(vk::Format::R32G32B32_SFLOAT)
        .vertex_data(vk::DeviceOrHostAddressConstKHR { device_address: address })
        .vertex_stride(stride.into())
        .max_vertex((3 * count).saturating_sub(1))
        .index_type(vk::IndexType::NONE_KHR);
    [vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::TRIANGLES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { triangles: corners })
        .flags(vk::GeometryFlagsKHR::OPAQUE)]
}

fn instances(address: u64) -> Geometry {
    let data = vk::AccelerationStructureGeometryInstancesDataKHR::default()
        .data(vk::DeviceOrHostAddressConstKHR { device_address: address });
    [vk::AccelerationStructureGeometryKHR::default()
        .geometry_type(vk::GeometryTypeKHR::INSTANCES)
        .geometry(vk::AccelerationStructureGeometryDataKHR { instances: data })
        .flags(vk::GeometryFlagsKHR::OPAQUE)]
}

#[derive(Clone, Copy)]
pub struct PlacedMesh {
    pub world_from_mesh: Mat4,
    pub mesh: u32,
    /// 24 bits.
    pub custom: u32,
}

#[derive(Clone)]
pub struct TopLevel(Buffer);

impl From<&TopLevel> for Resource {
    fn from(top: &TopLevel) -> Self {
        Self::Buffer(top.0.clone())
    }
}

const EVERY_RAY: u32 = 0xFF << 24;

impl Frame {
    /// Builds the next bottom levels: `triangles` in all, but at least one mesh. Returns whether all are built.
    pub fn build_bottom_levels(&mut self, name: &str, levels: &mut BottomLevels, triangles_most: u32) -> Result<bool> {
        let next = levels.next(triangles_most);
        if next.is_empty() {
            return Ok(true);
        }
        let touches = levels.room.touches(&[(&levels.corners, Access::BuildInput)]);
        let corners = levels.corners.address(self.gpu());
        let (stride, scratch_at) = (levels.stride, levels.room.scratch_at);
        let meshes = levels.meshes[next.clone()].iter().zip(&levels.room.raw[next.clone()]);
        self.pass(name, &touches, |gpu, cmd, _| {
            for ([first, count], raw) in meshes {
                let at = corners + 3 * u64::from(*first) * u64::from(stride);
                build(gpu, cmd, Level::BOTTOM_LEVEL, *raw, &triangles(at, stride, *count), *count, scratch_at)?;
            }
            Ok(())
        })?;
        levels.built = next.end;
        Ok(levels.built == levels.meshes.len())
    }

    pub fn build_top_level(
        &mut self,
        name: &str,
        levels: &BottomLevels,
        placed: &[PlacedMesh],
        most: u64,
    ) -> Result<std::result::Result<TopLevel, u64>> {
        let gpu = self.gpu().clone();
        let functions = functions(&gpu)?;
        let word = |placed: &PlacedMesh| {
            let rows = placed.world_from_mesh.transpose().to_cols_array().map(f32::to_bits);
            let address = levels.addresses[placed.mesh as usize];
            let mut words = [0; 16];
            words[..12].copy_from_slice(&rows[..12]);
            words[12] = placed.custom | EVERY_RAY;
            // No flags: clockwise winding in left-handed space is counterclockwise in right-handed space.
            (words[14], words[15]) = (address as u32, (address >> 32) as u32);
            words
        };
        let words: Vec<[u32; 16]> = placed.iter().map(word).collect();
        let size = size_of_val(&*words) as u64;
        let input = Buffer::to_build_of(&gpu, &format!("{name} instances"), size, Memory::Upload)?;
        input.write(&words)?;
        let (geometry, count) = (instances(input.address(&gpu)), placed.len() as u32);
        let sizes = [sizes(functions, Level::TOP_LEVEL, &geometry, count)];
        let below = Some(&levels.room.buffer);
        let room = match Room::new(&gpu, functions, name, Level::TOP_LEVEL, below, &sizes, most)? {
            Ok(room) => room,
            Err(bytes) => return Ok(Err(bytes)),
        };
        let touches = room.touches(&[(&input, Access::BuildInput), (&levels.room.buffer, Access::BuildOver)]);
        self.pass(name, &touches, |gpu, cmd, _| {
            build(gpu, cmd, Level::TOP_LEVEL, room.raw[0], &geometry, count, room.scratch_at)
        })?;
        Ok(Ok(TopLevel(room.buffer)))
    }
}

fn build(
    gpu: &Gpu,
    cmd: vk::CommandBuffer,
    level: Level,
    raw: vk::AccelerationStructureKHR,
    geometry: &Geometry,
    count: u32,
    scratch_at: u64,
) -> Result<()> {
    let functions = functions(gpu)?;
    let scope = Access::Build.scope();
    let behind = [vk::MemoryBarrier2::default()
        .src_stage_mask(scope.stage)
        .src_access_mask(scope.access)
        .dst_stage_mask(scope.stage)
        .dst_access_mask(scope.access)];
    let scratch = vk::DeviceOrHostAddressKHR { device_address: scratch_at };
    let info = info(level, geometry).dst_acceleration_structure(raw).scratch_data(scratch);
    let range = [vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(count)];
    // SAFETY: the frame keeps input, structure and scratch memory, which has the bytes that this takes.
    unsafe {
        gpu.device.cmd_pipeline_barrier2(cmd, &vk::DependencyInfo::default().memory_barriers(&behind));
        functions.cmd_build_acceleration_structures(cmd, &[info], &[&range]);
    }
    Ok(())
}
