//! Results of a frame by name, for views and techniques.

use crate::base::timing::PassId;
use crate::{
    gpu::{Buffer, Frame, Image, ImageView, Resource, Result},
    scene::{
        Lens,
        world::{Camera, GpuScene, Shadow},
    },
};
use glam::{Vec2, Vec3};

/// Texels of each level beyond a part of the mip chain that readers may access.
pub const READ_BEYOND: i32 = 3;

/// Clones share images and buffers.
#[derive(Clone)]
pub struct FrameContext {
    /// sRGB-encoded, under the glass.
    pub picture: ImageView,
    /// Linear light.
    pub chain: Image,
    /// Whether its levels are means after a blur by (1 2 1) / 4; otherwise the means alone.
    pub chain_is_tent: bool,
    /// Bottom one first; pixels of the target.
    pub lenses: Vec<Lens>,
    /// Pixels per unit of the settings' lengths.
    pub scale: f32,
    pub world: Option<WorldFrame>,
    pub boxed: Option<BoxBlur>,
    pub sums: Option<Sums>,
}

#[derive(Clone)]
pub struct SumsRequest {
    pub picture: ImageView,
    /// The whole number that 1 becomes.
    pub unit: f32,
}

/// Per channel and pixel the sum of all pixels at or left of it and at or above it, in whole numbers modulo 2^32.
#[derive(Clone)]
pub struct Sums {
    pub words: Buffer,
    pub size: [u32; 2],
    /// Words from row to row.
    pub pitch: u32,
    /// Words from channel to channel.
    pub plane: u32,
    /// Stored value of 1.
    pub unit: f32,
}

/// A part of a picture blurred by three boxes ([`Boxes`](crate::base::boxes::Boxes)), mirrored beyond the picture's
/// border; valid until the next one is made.
#[derive(Clone)]
pub struct BoxBlur {
    /// Linear light, opaque, a texel a pixel; read at the given coordinates, clamped.
    pub light: ImageView,
    /// The pixel of the picture that is its first texel.
    pub first: [i32; 2],
    /// Texels, from the first one on.
    pub size: [u32; 2],
    pub passes: PassId,
}

/// Valid until the world is drawn again.
#[derive(Clone)]
pub struct WorldFrame {
    pub resident: GpuScene,
    /// From where; in its pixels samples were taken where its shift says.
    pub camera: Camera,
    /// Towards the sun, of length 1.
    pub sun: Vec3,
    pub shadow: Shadow,
    /// R32U, [`VisibilityId`](crate::scene::world::VisibilityId).
    pub ids: ImageView,
    /// R32F or D32: distance of the near plane over the distance ahead, 0 where nothing is seen.
    pub depth: ImageView,
    /// The order in which pixels were shaded; none by raster.
    pub list: Option<PixelList>,
    /// Linear light, Rgba16F.
    pub light: ImageView,
    /// The same light, or its mean with earlier frames: then as large as the picture.
    pub resolved: ImageView,
}

impl WorldFrame {
    /// Without the shift of its samples.
    pub fn shown(&self) -> Self {
        let camera = Camera { shift: Vec2::ZERO, ..self.camera };
        Self { camera, light: self.resolved.clone(), ..self.clone() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Daylight {
    /// On a surface that faces the sun.
    pub sun: Vec3,
    /// Radiance from all sides.
    pub sky: Vec3,
    /// Radiance of white paper in the sun: what exposure is made for.
    pub white: f32,
    /// In the shadow map's depth: what is hardly behind something is not in its shadow.
    pub shadow_bias: f32,
}

#[derive(Clone)]
pub struct Surroundings {
    /// The world, the sky, the shadow and the per-frame uniforms, as `shaders/shade` names them: for `bind_named`.
    pub bindings: Vec<(&'static str, Resource)>,
    pub kinds: u32,
}

#[derive(Clone)]
pub struct MirrorlessShading {
    /// Linear light, Rgba16F, without the mirrors that can be traced.
    pub light: ImageView,
    /// Those mirrors, Rg32U, as `shaders/include/mirror.glsl` packs them. Anything where no geometry is seen.
    pub mirrors: ImageView,
    pub around: Surroundings,
}

/// The pixels with geometry, as `shaders/include/pixel_list.glsl` reads them.
#[derive(Clone)]
pub struct PixelList {
    /// `y << 16 | x` in 32 bits each, or short ones; all ones is padding.
    pub entries: Buffer,
    /// Short lists: the tile of each 32 entries. Otherwise anything.
    pub tiles: Buffer,
    /// By tile: first entry and number of entries.
    pub regions: Buffer,
    /// Offset of the arguments of an indirect dispatch: a workgroup for each 128 entries.
    pub arguments: Buffer,
    /// Bytes.
    pub arguments_at: u64,
    /// Offset of the number of entries, padding included: 32 bits.
    pub count_at: u64,
    /// 16 bits an entry.
    pub short: bool,
}

pub trait ListByMaterial {
    /// `ids`: an R32U image of visibility values that shaders may sample; value 0 is not listed. `material_of`: the
    /// material of each placed meshlet. The list is valid until the next call.
    fn list(&self, frame: &mut Frame, pass: &str, ids: &ImageView, material_of: &Buffer) -> Result<PixelList>;
}

impl PixelList {
    /// Pixels.
    pub const TILE: u32 = 64;

    /// The first `count` entries in their 32-bit form, as `entry_at` in `shaders/include/pixel_list.glsl`; `across`:
    /// tiles in a row. `None` where there are fewer, or one names a tile that no picture has.
    pub fn unpacked(short: bool, entries: &[u32], tiles: &[u32], count: usize, across: u32) -> Option<Vec<u32>> {
        if !short {
            return entries.get(..count).map(<[u32]>::to_vec);
        }
        let entry = |at: usize| {
            let within = entries.get(at / 2)? >> (16 * (at % 2)) & 0xFFFF;
            let tile = *tiles.get(at / 32)?;
            if within == 0xFFFF {
                return Some(u32::MAX);
            }
            let x = (tile % across) * Self::TILE + (within & 63);
            let y = (tile / across).checked_mul(Self::TILE)?.checked_add(within >> 6)?;
            (y < 1 << 16).then_some(y << 16 | x)
        };
        (0..count).map(entry).collect()
    }
}
