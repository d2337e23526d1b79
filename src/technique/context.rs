//! Results of a frame by name, for views and techniques.

use base::timing::PassId;
use glam::{Vec2, Vec3};
use gpu::{Buffer, Frame, Image, ImageView, Resource, Result};
use scene::{
    Lens,
    world::{Camera, GpuScene, Shadow},
};

/// Texels of each level beyond a part of the chain that readers may access.
pub const READ_BEYOND: i32 = 3;

#[derive(Clone)]
pub struct FrameContext {
    /// sRGB-encoded, under the glass.
    pub picture: ImageView,
    /// Linear light.
    pub chain: Image,
    /// By (1 2 1) / 4; otherwise means alone.
    pub chain_is_tent: bool,
    /// Bottom one first; pixels.
    pub lenses: Vec<Lens>,
    /// Pixels per unit of the settings' lengths.
    pub scale: f32,
    pub world: Option<WorldFrame>,
    pub sums: Option<Sums>,
}

#[derive(Clone)]
pub struct SumsRequest {
    pub picture: ImageView,
    pub unit: f32,
}

/// Sums of all pixels at or left of it and at or above it, modulo 2^32, per channel.
#[derive(Clone)]
pub struct Sums {
    pub words: Buffer,
    pub size: [u32; 2],
    /// Words from row to row.
    pub pitch: u32,
    /// Words from channel to channel.
    pub plane: u32,
    pub unit: f32,
}

/// By three boxes ([`Boxes`](base::boxes::Boxes)), mirrored beyond the border; valid until the next one is made.
#[derive(Clone)]
pub struct BoxBlur {
    /// Linear light, a texel a pixel; clamped.
    pub light: ImageView,
    pub first: [i32; 2],
    pub size: [u32; 2],
    pub passes: PassId,
}

/// Valid until the world is drawn again.
#[derive(Clone)]
pub struct WorldFrame {
    pub resident: GpuScene,
    pub camera: Camera,
    /// Of length 1.
    pub sun: Vec3,
    pub shadow: Shadow,
    /// R32U, [`VisibilityId`](scene::world::VisibilityId).
    pub ids: ImageView,
    /// R32F or D32: distance of the near plane over the distance ahead, 0 where nothing is seen.
    pub depth: ImageView,
    /// `None`: by raster.
    pub list: Option<PixelList>,
    /// Linear light, Rgba16F.
    pub light: ImageView,
    /// Or its mean with earlier frames: then as large as the picture.
    pub resolved: ImageView,
}

impl WorldFrame {
    pub fn shown(&self) -> Self {
        let camera = Camera { shift: Vec2::ZERO, ..self.camera };
        Self { camera, light: self.resolved.clone(), ..self.clone() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Daylight {
    pub sun: Vec3,
    /// Radiance from all sides.
    pub sky: Vec3,
    /// Radiance of white paper in the sun: what exposure is made for.
    pub white: f32,
    /// In the shadow map's depth.
    pub shadow_bias: f32,
}

#[derive(Clone)]
pub struct Surroundings {
    /// As `shaders/shade` names them, for `bind_named`.
    pub bindings: Vec<(&'static str, Resource)>,
    pub kinds: u32,
}

#[derive(Clone)]
pub struct MirrorlessShading {
    /// Linear light, Rgba16F, without the mirrors that can be traced.
    pub light: ImageView,
    /// Rg32U, as in `shaders/include/mirror.glsl`.
    pub mirrors: ImageView,
    pub around: Surroundings,
}

/// As in `shaders/include/pixel_list.glsl`.
#[derive(Clone)]
pub struct PixelList {
    /// `y << 16 | x` in 32 bits, or short ones; all ones is padding.
    pub entries: Buffer,
    /// Short lists: the tile of each 32 entries.
    pub tiles: Buffer,
    /// Arguments of an indirect dispatch: a workgroup for each 128 entries.
    pub arguments: Buffer,
    pub arguments_at: u64,
    /// Padding included, 32 bits.
    pub count_at: u64,
    /// 16 bits an entry.
    pub short: bool,
}

pub trait ListByMaterial {
    /// `ids`: R32U visibility values that shaders may sample; 0 is not listed. `material_of`: by placed meshlet. Valid
    /// until the next call.
    fn list(&self, frame: &mut Frame, pass: &str, ids: &ImageView, material_of: &Buffer) -> Result<PixelList>;
}

impl PixelList {
    pub const TILE: u32 = 64;

    /// As `entry_at` in `shaders/include/pixel_list.glsl`; `across`: tiles in a row. `None` if there are fewer, or a
    /// tile is invalid.
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
