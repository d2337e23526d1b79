//! Worlds as data: meshlets, materials, textures and what the shaders take of them.

use super::camera::Viewpoint;
use super::lamp::{Lamp, LampKind};
use super::visibility_id::VisibilityId;
use crate::{base::text, gpu_consts, gpu_struct};
use glam::{Mat4, Vec2, Vec3, Vec4};

gpu_consts! { "include/world.glsl":
    /// Largest number of vertices of a meshlet.
    pub const MESHLET_VERTICES: usize = 64;
    /// Largest number of triangles of a meshlet.
    pub const MESHLET_TRIANGLES: usize = 124;
}

const _: () = assert!(MESHLET_TRIANGLES <= VisibilityId::TRIANGLES_MAX);

gpu_struct! {
    /// A vertex, 32 bytes.
    pub struct Vertex {
        /// In the mesh's space.
        pub position: Vec3,
        /// [`octahedral`].
        pub normal: u32,
        /// Texture coordinates.
        pub uv: Vec2,
        /// [`octahedral`], the lowest bit set if the bitangent is tangent x normal, clear if normal x tangent. For cut-out or blended
        /// materials, bits 1 to 3 and 16 to 20 are the lower and the upper ones of 8 bits of alpha.
        pub tangent: u32,
        /// 8 bits each: linear red, green, blue; sky visibility in the highest byte.
        pub color: u32,
    }
}

gpu_struct! {
    /// At most 64 vertices and 124 triangles of a mesh, 48 bytes.
    pub struct Meshlet {
        /// Of the bounding sphere, in the mesh's space.
        pub center: Vec3,
        /// Of the bounding sphere.
        pub radius: f32,
        /// All triangles face away from an eye where dot(center - eye, axis) >= cutoff * |center - eye| + radius.
        pub cone_axis: Vec3,
        /// Sine of the cone's half angle; 1: never all back-facing.
        pub cone_cutoff: f32,
        /// In [`Geometry::meshlet_vertices`].
        pub first_vertex: u32,
        /// In [`Geometry::triangles`].
        pub first_triangle: u32,
        /// Number of vertices.
        pub vertices: u32,
        /// Number of triangles.
        pub triangles: u32,
    }
}

gpu_struct! {
    /// A mesh in the world, 56 bytes.
    pub struct Instance {
        /// Columns of a 3x4 matrix: three axes and the origin.
        pub world_from_mesh: [Vec3; 4],
        /// In [`World::materials`].
        pub material: u32,
        /// The longest of the three axes.
        pub scale: f32,
    }
}

gpu_struct! {
    /// One meshlet of one instance.
    pub struct MeshletInstance {
        /// In [`World::instances`].
        pub instance: u32,
        /// In [`Geometry::meshlets`].
        pub meshlet: u32,
    }
}

gpu_struct! {
    /// A surface material, 176 bytes; shaders/include/material.glsl declares the same.
    pub struct Material {
        /// Linear colour, and the alpha of cut-out or blended materials.
        pub base: Vec4,
        /// Linear, times its strength.
        pub emissive: Vec3,
        /// 0: dielectric, 1: metal.
        pub metallic: f32,
        /// Perceptual roughness.
        pub roughness: f32,
        /// Strength of the normal map.
        pub normal_scale: f32,
        /// A [`MaterialKind`].
        pub kind: u32,
        /// Textures of base colour, metallic (blue) and roughness (green), normal, emissive: indices, [`NO_TEXTURE`] for none.
        pub textures: [u32; 4],
        /// Texture coordinates: two columns, then the origin, of a 2x3 matrix.
        pub uv: [Vec2; 3],
        /// A second colour, if the kind has one.
        pub second: Vec3,
        /// Parameters of the kind: size of the pattern in metres, strength, thickness ...
        pub parameters: Vec4,
        /// Reflectance of non-metals at normal incidence: of [`MaterialKind::Layered`].
        pub dielectric: Vec3,
        /// A [`AlphaMode`] in [`COVER_BITS`], [`UNLIT`], and [`SECOND_UV`] for each texture.
        pub flags: u32,
        /// Of [`MaterialKind::Layered`], a thin film: strength 0..1, refractive index, thickness in nm.
        pub film: Vec3,
        /// Alpha below which [`AlphaMode::Mask`] is cut out.
        pub cutoff: f32,
        /// As `uv`, of the second texture coordinates: for textures with [`SECOND_UV`].
        pub uv2: [Vec2; 3],
        /// Start of its texels in [`Textures::paint`].
        pub paint: u32,
        /// Padding.
        pub spare: f32,
    }
}

/// Orthographic shadow map of the sun.
#[derive(Clone)]
pub struct Shadow {
    /// Reversed depth: 1 nearest to the sun.
    pub depth: crate::gpu::ImageView,
    /// From the world to the map: x and y -1..1 (y down), z the depth.
    pub clip_from_world: Mat4,
}

/// Bit of [`World::kinds`]: all textures of a material share size, border and mapping, and [`Textures::paint`] has them.
pub const ALIKE: u32 = 1 << 31;

/// Bit of [`World::kinds`]: there are lamps.
pub const LAMPS: u32 = 1 << 30;

/// Like [`ALIKE`], and all textures repeat in both directions and are squares with a power of two as their side: their texels are addressed
/// in fewer steps.
pub const TILED: u32 = 1 << 29;

/// Bits of [`World::kinds`] besides the kinds.
pub const TRAITS: u32 = ALIKE | LAMPS | TILED;

gpu_consts! { "include/material.glsl":
    /// No texture: the factor alone is used.
    pub const NO_TEXTURE: u32 = u32::MAX;
}

/// Shading code of a material: the kinds differ greatly in length and memory use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum MaterialKind {
    /// One colour, metallic and roughness.
    Plain = 0,
    /// Colour, roughness, normal and emission from textures.
    Textured = 1,
    /// Veined stone: octaves of noise.
    Marble = 2,
    /// Flakes below a clear coat: two specular lobes.
    CarPaint = 3,
    /// Translucency: wax, jade.
    Subsurface = 4,
    /// A thin film whose colour changes with the angle.
    Iridescent = 5,
    /// Fibres that shine at grazing angles.
    Velvet = 6,
    /// Metal with a grain: two roughnesses.
    Brushed = 7,
    /// Rings and fibres of a solid.
    Wood = 8,
    /// Cells of a cracked glaze, some of them glowing.
    Ember = 9,
    /// A file's material: textures, with clear coat, sheen, a thin film, and transmission.
    Layered = 10,
}

impl MaterialKind {
    /// Every kind, in the order of its numbers.
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

    /// Those used by the built-in worlds.
    #[must_use]
    pub fn built_in() -> &'static [Self] {
        &Self::ALL[..10]
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
    /// Layout of a texture in [`Textures::texels`]: level after level, each half as large (rounded down, at least 1), row by row.
    pub struct Texture {
        /// Index of the first texel.
        pub first: u32,
        /// Texels.
        pub width: u32,
        /// Texels.
        pub height: u32,
        /// Number of levels.
        pub levels: u32,
        /// 1: colours are sRGB-encoded; 0: values are linear.
        pub srgb: u32,
        /// 0: repeats; 1: mirrors; 2: clamps. Bits 0..1 across, 2..3 down; then [`MAGNIFIED_NEAREST`] and the like.
        pub wrap: u32,
    }
}

gpu_consts! { "include/texture.glsl":
    /// In [`Texture::wrap`]: nearest filtering for magnification.
    pub const MAGNIFIED_NEAREST: u32 = 16;
    /// In [`Texture::wrap`]: nearest filtering within a level for minification.
    pub const MINIFIED_NEAREST: u32 = 32;
    /// In [`Texture::wrap`]: the nearest level alone.
    pub const LEVEL_NEAREST: u32 = 64;
}

/// Meshes cut into meshlets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// Of all meshes.
    pub vertices: Vec<Vertex>,
    /// Second texture coordinates of each vertex; empty if no material uses them.
    pub second_uvs: Vec<Vec2>,
    /// For each vertex of each meshlet: its index in [`Geometry::vertices`].
    pub meshlet_vertices: Vec<u32>,
    /// For each triangle of each meshlet: its corners as indices into the meshlet's vertices, 8 bits each from the lowest.
    pub triangles: Vec<u32>,
    /// Of all meshes.
    pub meshlets: Vec<Meshlet>,
    /// For each mesh: its first meshlet, and the number.
    pub meshes: Vec<[u32; 2]>,
}

/// Textures with all their levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Textures {
    /// One for each texture.
    pub layouts: Vec<Texture>,
    /// Their texels, red in the lowest byte.
    pub texels: Vec<u32>,
    /// For each material with textures their texels side by side, if [`ALIKE`]: base colour, normal and alpha, roughness and metallic,
    /// emission; as shaders/include/paint.glsl reads them.
    pub paint: Vec<[u32; 4]>,
}

/// A complete world. Its indices are in range: [`Builder`] and the loader guarantee that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// Of all meshes.
    pub geometry: Geometry,
    /// Meshes in the world.
    pub instances: Vec<Instance>,
    /// All meshlets of all instances: opaque ones, cut-out ones, blended ones.
    pub meshlet_instances: Vec<MeshletInstance>,
    /// Number of cut-out ones.
    pub masked: u32,
    /// Number of blended ones.
    pub blended: u32,
    /// At least one.
    pub materials: Vec<Material>,
    /// Of all materials.
    pub textures: Textures,
    /// Lamps that light their surroundings; through walls, too.
    pub lamps: Vec<Lamp>,
    /// Factor on the haze of the settings: 1 if lengths are metres.
    pub haze: f32,
    /// Corners of the bounding box.
    pub bounds: [Vec3; 2],
    /// Corners of the shadow region: the smaller, the finer the shadows.
    pub focus: [Vec3; 2],
    /// Initial viewpoint.
    pub viewpoint: Viewpoint,
}

impl World {
    /// The lit lamps, with lanterns scaled by this factor.
    #[must_use]
    pub fn lit_lamps(&self, lanterns: f32) -> Vec<Lamp> {
        let lit = |lamp: &Lamp| {
            let power = if lamp.kind == LampKind::Lantern as u32 { lanterns } else { 1.0 };
            (power > 0.0).then(|| Lamp { light: lamp.light * power, ..*lamp })
        };
        self.lamps.iter().filter_map(lit).collect()
    }

    /// The meshlet instance of a visibility value. `None` for 0, and for invalid values: a device may return garbage.
    #[must_use]
    pub fn meshlet_of(&self, visibility: u32) -> Option<&MeshletInstance> {
        self.meshlet_instances.get(VisibilityId(visibility).meshlet()?)
    }

    /// The vertices of a visibility value's triangle, as indices into [`Geometry::vertices`]; `None` if invalid.
    #[must_use]
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

    /// The corners of that triangle in the world.
    #[must_use]
    pub fn corners_of(&self, visibility: u32) -> Option<[Vec3; 3]> {
        let instance = self.instances.get(self.meshlet_of(visibility)?.instance as usize)?;
        let [a, b, c] = self.triangle_of(visibility)?.map(|vertex| self.geometry.vertices.get(vertex));
        Some([a?, b?, c?].map(|vertex| instance.point(vertex.position)))
    }

    /// Unit normals of a visible triangle's vertices in the world.
    #[must_use]
    pub fn normals_of(&self, visibility: u32) -> Option<[Vec3; 3]> {
        let instance = self.instances.get(self.meshlet_of(visibility)?.instance as usize)?;
        let [a, b, c] = self.triangle_of(visibility)?.map(|vertex| self.geometry.vertices.get(vertex));
        Some([a?, b?, c?].map(|vertex| instance.normal(unit_from_octahedral(vertex.normal))))
    }

    /// What it consists of, with its number, as text.
    #[must_use]
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

    /// Triangles of all instances.
    #[must_use]
    pub fn triangle_count(&self) -> u64 {
        self.meshlet_instances
            .iter()
            .map(|placed| u64::from(self.geometry.meshlets[placed.meshlet as usize].triangles))
            .sum()
    }
}

impl Instance {
    /// A mesh placed by `world_from_mesh`: affine, and not mirroring ([`Builder::place`] accepts those too).
    #[must_use]
    pub fn new(world_from_mesh: Mat4, material: u32) -> Self {
        let axes = [world_from_mesh.x_axis, world_from_mesh.y_axis, world_from_mesh.z_axis].map(Vec4::truncate);
        let longest = axes.iter().map(|axis| axis.length()).fold(0.0, f32::max);
        let [x, y, z] = axes;
        let world_from_mesh = [x, y, z, world_from_mesh.w_axis.truncate()];
        Self { world_from_mesh, material, scale: longest }
    }

    /// A point of the mesh in the world.
    #[must_use]
    pub fn point(&self, at: Vec3) -> Vec3 {
        let [x, y, z, origin] = self.world_from_mesh;
        x * at.x + y * at.y + z * at.z + origin
    }

    /// A normal of the mesh in the world, by the transposed cofactors: also under unequal scales.
    #[must_use]
    pub fn normal(&self, of: Vec3) -> Vec3 {
        let [x, y, z, _] = self.world_from_mesh;
        (y.cross(z) * of.x + z.cross(x) * of.y + x.cross(y) * of.z).normalize_or_zero()
    }
}

/// A unit vector in 32 bits: two signed normalized 16-bit numbers on the unfolded octahedron (Cigolla et al., "A Survey of Efficient
/// Representations for Independent Unit Vectors", 2014).
#[must_use]
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

/// Unpacks [`octahedral`] as shaders do.
#[must_use]
pub fn unit_from_octahedral(bits: u32) -> Vec3 {
    let snorm = |bits: u32| (f32::from((bits as u16).cast_signed()) / 32767.0).max(-1.0);
    let (x, y) = (snorm(bits), snorm(bits >> 16));
    let z = 1.0 - x.abs() - y.abs();
    let t = (-z).max(0.0);
    let fold = |x: f32| if x >= 0.0 { x - t } else { x + t };
    Vec3::new(fold(x), fold(y), z).normalize()
}
