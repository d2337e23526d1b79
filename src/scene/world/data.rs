//! Worlds as data: meshlets, materials, textures and what the shaders take of them.

use super::camera::Viewpoint;
use super::lamp::{Lamp, LampKind};
use super::names::Names;
use super::visibility_id::VisibilityId;
use base::text;
use glam::{Mat4, Vec2, Vec3, Vec4};
use gpu::{gpu_consts, gpu_struct};

gpu_consts! { "include/world.glsl":
    pub const MESHLET_VERTICES: usize = 64;
    pub const MESHLET_TRIANGLES: usize = 124;
}

const _: () = assert!(MESHLET_TRIANGLES <= VisibilityId::TRIANGLES_MAX);

gpu_struct! {
    /// 32 bytes.
    pub struct Vertex {
        pub position: Vec3,
        /// [`octahedral`].
        pub normal: u32,
        pub uv: Vec2,
        /// [`octahedral`], the lowest bit set if the bitangent is tangent x normal, clear if normal x tangent. For
        /// cut-out or blended materials, bits 1 to 3 and 16 to 20 are the lower and the upper ones of 8 bits of alpha.
        pub tangent: u32,
        /// 8 bits each: linear red, green, blue; sky visibility in the highest byte.
        pub color: u32,
    }
}

gpu_struct! {
    /// 48 bytes.
    pub struct Meshlet {
        /// Bounding sphere, in the mesh's space.
        pub center: Vec3,
        pub radius: f32,
        /// All triangles face away from an eye where dot(center - eye, axis) >= cutoff * |center - eye| + radius.
        pub cone_axis: Vec3,
        /// Sine of the cone's half angle; 1: never all back-facing.
        pub cone_cutoff: f32,
        pub first_vertex: u32,
        pub first_triangle: u32,
        pub vertices: u32,
        pub triangles: u32,
    }
}

gpu_struct! {
    /// 56 bytes.
    pub struct Instance {
        /// Columns of a 3x4 matrix: three axes and the origin.
        pub world_from_mesh: [Vec3; 4],
        pub material: u32,
        pub scale: f32,
    }
}

gpu_struct! {
    pub struct MeshletInstance {
        pub instance: u32,
        pub meshlet: u32,
    }
}

gpu_struct! {
    /// 176 bytes; shaders/include/material.glsl declares the same.
    pub struct Material {
        /// Linear colour, and the alpha of cut-out or blended materials.
        pub base: Vec4,
        /// Linear, times its strength.
        pub emissive: Vec3,
        pub metallic: f32,
        /// Perceptual.
        pub roughness: f32,
        pub normal_scale: f32,
        pub kind: u32,
        /// Base colour, metallic (blue) and roughness (green), normal, emissive: indices or [`NO_TEXTURE`].
        pub textures: [u32; 4],
        /// Two columns, then the origin, of a 2x3 matrix.
        pub uv: [Vec2; 3],
        pub second: Vec3,
        /// Parameters of the kind: size of the pattern in metres, strength, thickness ...
        pub parameters: Vec4,
        /// Reflectance of non-metals at normal incidence: of [`MaterialKind::Layered`].
        pub dielectric: Vec3,
        /// An [`AlphaMode`] in [`COVER_BITS`], [`UNLIT`], [`WHOLE`], and [`SECOND_UV`] for each texture.
        pub flags: u32,
        /// Thin film: strength 0..1, refractive index, thickness in nm.
        pub film: Vec3,
        /// Alpha below which [`AlphaMode::Mask`] is cut out.
        pub cutoff: f32,
        /// As `uv`, for textures with [`SECOND_UV`].
        pub uv2: [Vec2; 3],
        /// First texel in [`Textures::paint`].
        pub paint: u32,
        pub spare: f32,
    }
}

#[derive(Clone)]
pub struct Shadow {
    pub depth: gpu::ImageView,
    pub clip_from_world: Mat4,
}

/// Bit of [`World::kinds`]: [`Textures::paint`] has all textures, which share size, border and mapping within a
/// material.
pub const ALIKE: u32 = 1 << 31;

pub const LAMPS: u32 = 1 << 30;

/// As [`ALIKE`], and all textures repeat and are squares of a power of two.
pub const TILED: u32 = 1 << 29;

pub const TRAITS: u32 = ALIKE | LAMPS | TILED;

gpu_consts! { "include/material.glsl":
    pub const NO_TEXTURE: u32 = u32::MAX;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum MaterialKind {
    Plain = 0,
    Textured = 1,
    Marble = 2,
    CarPaint = 3,
    Subsurface = 4,
    Iridescent = 5,
    Velvet = 6,
    Brushed = 7,
    Wood = 8,
    Ember = 9,
    Layered = 10,
}

impl MaterialKind {
    pub const ALL: [Self; 11] = [
        Self::Plain,
        Self::Textured,
        Self::Marble,
        Self::CarPaint,
        Self::Subsurface,
        Self::Iridescent,
        Self::Velvet,
        Self::Brushed,
        Self::Wood,
        Self::Ember,
        Self::Layered,
    ];

    pub fn built_in() -> &'static [Self] {
        &Self::ALL[..10]
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Textured => "textured",
            Self::Marble => "marble",
            Self::CarPaint => "car paint",
            Self::Subsurface => "subsurface",
            Self::Iridescent => "iridescent",
            Self::Velvet => "velvet",
            Self::Brushed => "brushed metal",
            Self::Wood => "wood",
            Self::Ember => "ember",
            Self::Layered => "layered",
        }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            base: Vec4::ONE,
            emissive: Vec3::ZERO,
            metallic: 0.0,
            roughness: 0.5,
            normal_scale: 1.0,
            kind: MaterialKind::Plain as u32,
            textures: [NO_TEXTURE; 4],
            uv: [Vec2::X, Vec2::Y, Vec2::ZERO],
            second: Vec3::ZERO,
            parameters: Vec4::ZERO,
            dielectric: Vec3::splat(0.04),
            flags: 0,
            film: Vec3::ZERO,
            cutoff: 0.5,
            uv2: [Vec2::X, Vec2::Y, Vec2::ZERO],
            paint: 0,
            spare: 0.0,
        }
    }
}

gpu_struct! {
    /// Layout in [`Textures::texels`]: level after level, each half as large (rounded down, at least 1), row by row.
    pub struct Texture {
        pub first: u32,
        pub width: u32,
        pub height: u32,
        pub levels: u32,
        /// 1: colours are sRGB-encoded; 0: values are linear.
        pub srgb: u32,
        /// 0: repeats; 1: mirrors; 2: clamps. Bits 0..1 across, 2..3 down; then [`MAGNIFIED_NEAREST`] and the like.
        pub wrap: u32,
    }
}

gpu_consts! { "include/texture.glsl":
    /// Bits of [`Texture::wrap`].
    pub const MAGNIFIED_NEAREST: u32 = 16;
    pub const MINIFIED_NEAREST: u32 = 32;
    pub const LEVEL_NEAREST: u32 = 64;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    pub vertices: Vec<Vertex>,
    /// One per vertex; empty if no material uses them.
    pub second_uvs: Vec<Vec2>,
    /// Indices into [`Geometry::vertices`], by meshlet.
    pub meshlet_vertices: Vec<u32>,
    /// Corners as indices into the meshlet's vertices, 8 bits each from the lowest.
    pub triangles: Vec<u32>,
    pub meshlets: Vec<Meshlet>,
    /// First meshlet, and the number.
    pub meshes: Vec<[u32; 2]>,
}

impl Geometry {
    /// Of a triangle of `meshlet`: indices into [`Geometry::vertices`].
    pub fn corners(&self, meshlet: &Meshlet, triangle: u32) -> [usize; 3] {
        let packed = self.triangles[(meshlet.first_triangle + triangle) as usize];
        [0, 8, 16]
            .map(|shift| self.meshlet_vertices[(meshlet.first_vertex + (packed >> shift & 0xFF)) as usize] as usize)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Textures {
    pub layouts: Vec<Texture>,
    pub texels: Vec<u32>,
    /// If [`ALIKE`]: base colour, normal and alpha, roughness and metallic, emission, side by side.
    pub paint: Vec<[u32; 4]>,
}

/// Its indices are in range: [`Builder`] and the loader guarantee that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    pub geometry: Geometry,
    pub instances: Vec<Instance>,
    pub meshlet_instances: Vec<MeshletInstance>,
    pub masked: u32,
    pub blended: u32,
    pub materials: Vec<Material>,
    pub textures: Textures,
    pub lamps: Vec<Lamp>,
    /// Factor on the haze of the settings: 1 if lengths are metres.
    pub haze: f32,
    pub bounds: [Vec3; 2],
    pub focus: [Vec3; 2],
    pub viewpoint: Viewpoint,
    /// The distance follows from the picture's shape: [`World::home`].
    pub is_framed: bool,
    pub names: Names,
}

impl World {
    /// `center`: [`Camera::center`](super::Camera::center).
    pub fn home(&self, size: [u32; 2], center: Vec2) -> Viewpoint {
        if self.is_framed { self.viewpoint.framing(self.bounds, size, center) } else { self.viewpoint }
    }

    pub fn lit_lamps(&self, lanterns: f32) -> Vec<Lamp> {
        let lit = |lamp: &Lamp| {
            let power = if lamp.kind == LampKind::Lantern as u32 { lanterns } else { 1.0 };
            (power > 0.0).then(|| Lamp { light: lamp.light * power, ..*lamp })
        };
        self.lamps.iter().filter_map(lit).collect()
    }

    /// `None` also for invalid values: a device may return garbage.
    pub fn meshlet_of(&self, visibility: u32) -> Option<&MeshletInstance> {
        self.meshlet_instances.get(VisibilityId(visibility).meshlet()?)
    }

    #[cfg(test)]
    pub(super) fn corners(&self) -> Vec<[(Vec3, Vec3); 3]> {
        let triangles = self.meshlet_instances.iter().enumerate().flat_map(|(number, placed)| {
            let count = self.geometry.meshlets[placed.meshlet as usize].triangles;
            (0..count).map(move |triangle| VisibilityId::new(number as u32, triangle).0)
        });
        let corners = |id| {
            let (at, normals) = (self.corners_of(id).unwrap(), self.normals_of(id).unwrap());
            [0, 1, 2].map(|k| (at[k], normals[k]))
        };
        triangles.map(corners).collect()
    }

    pub fn triangle_of(&self, visibility: u32) -> Option<[usize; 3]> {
        let meshlet = self.geometry.meshlets.get(self.meshlet_of(visibility)?.meshlet as usize)?;
        let triangle = VisibilityId(visibility).triangle();
        let first = meshlet.first_triangle.checked_add(triangle).filter(|_| triangle < meshlet.triangles)?;
        let packed = *self.geometry.triangles.get(first as usize)?;
        let vertex = |shift: u32| {
            let place = meshlet.first_vertex.checked_add(packed >> shift & 0xFF)?;
            self.geometry.meshlet_vertices.get(place as usize).map(|vertex| *vertex as usize)
        };
        Some([vertex(0)?, vertex(8)?, vertex(16)?])
    }

    pub fn corners_of(&self, visibility: u32) -> Option<[Vec3; 3]> {
        let instance = self.instances.get(self.meshlet_of(visibility)?.instance as usize)?;
        let [a, b, c] = self.triangle_of(visibility)?.map(|vertex| self.geometry.vertices.get(vertex));
        Some([a?, b?, c?].map(|vertex| instance.point(vertex.position)))
    }

    pub fn normals_of(&self, visibility: u32) -> Option<[Vec3; 3]> {
        let instance = self.instances.get(self.meshlet_of(visibility)?.instance as usize)?;
        let [a, b, c] = self.triangle_of(visibility)?.map(|vertex| self.geometry.vertices.get(vertex));
        Some([a?, b?, c?].map(|vertex| instance.normal(unit_from_octahedral(vertex.normal))))
    }

    pub fn counts(&self) -> Vec<[String; 2]> {
        let counts = [
            ("meshes", self.geometry.meshes.len() as u64),
            ("instances", self.instances.len() as u64),
            ("meshlets in all", self.meshlet_instances.len() as u64),
            ("triangles in all", self.triangle_count()),
            ("materials", self.materials.len() as u64),
            ("textures", self.textures.layouts.len() as u64),
        ];
        let mut counts: Vec<_> = counts.map(|(what, number)| [what.into(), text::thousands(number)]).into();
        counts.push(["texels".into(), text::bytes(4 * self.textures.texels.len() as u64)]);
        counts
    }

    pub fn triangle_count(&self) -> u64 {
        self.meshlet_instances
            .iter()
            .map(|placed| u64::from(self.geometry.meshlets[placed.meshlet as usize].triangles))
            .sum()
    }
}

impl Instance {
    /// Affine, not mirroring.
    pub fn new(world_from_mesh: Mat4, material: u32) -> Self {
        let axes = [world_from_mesh.x_axis, world_from_mesh.y_axis, world_from_mesh.z_axis].map(Vec4::truncate);
        let longest = axes.iter().map(|axis| axis.length()).fold(0.0, f32::max);
        let [x, y, z] = axes;
        let world_from_mesh = [x, y, z, world_from_mesh.w_axis.truncate()];
        Self { world_from_mesh, material, scale: longest }
    }

    pub fn point(&self, at: Vec3) -> Vec3 {
        let [x, y, z, origin] = self.world_from_mesh;
        x * at.x + y * at.y + z * at.z + origin
    }

    /// By the transposed cofactors: also under unequal scales.
    pub fn normal(&self, of: Vec3) -> Vec3 {
        let [x, y, z, _] = self.world_from_mesh;
        (y.cross(z) * of.x + z.cross(x) * of.y + x.cross(y) * of.z).normalize_or_zero()
    }
}

/// Two signed normalized 16-bit numbers on the unfolded octahedron (Cigolla et al., "A Survey of Efficient
/// Representations for Independent Unit Vectors", 2014).
pub fn octahedral(unit: Vec3) -> u32 {
    let flat = unit / (unit.x.abs() + unit.y.abs() + unit.z.abs()).max(1e-20);
    let sign = |x: f32| if x >= 0.0 { 1.0 } else { -1.0 };
    let (x, y) = if flat.z >= 0.0 {
        (flat.x, flat.y)
    } else {
        ((1.0 - flat.y.abs()) * sign(flat.x), (1.0 - flat.x.abs()) * sign(flat.y))
    };
    let snorm = |x: f32| u32::from(((x.clamp(-1.0, 1.0) * 32767.0).round() as i16).cast_unsigned());
    snorm(x) | snorm(y) << 16
}

pub fn unit_from_octahedral(bits: u32) -> Vec3 {
    let snorm = |bits: u32| (f32::from((bits as u16).cast_signed()) / 32767.0).max(-1.0);
    let (x, y) = (snorm(bits), snorm(bits >> 16));
    let z = 1.0 - x.abs() - y.abs();
    let t = (-z).max(0.0);
    let fold = |x: f32| if x >= 0.0 { x - t } else { x + t };
    Vec3::new(fold(x), fold(y), z).normalize()
}
