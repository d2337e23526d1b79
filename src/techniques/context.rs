//! Registry of a frame's results by name, for views and for other techniques.

use crate::base::timing::PassId;
use crate::{
    gpu::{Buffer, Frame, Image, ImageView, Resource, Result},
    scene::{
        Lens,
        world::{Camera, GpuScene, Shadow},
    },
};
use glam::{Vec2, Vec3};

/// Texels of each level beyond a part of the mip chain that its readers may access.
pub const READ_BEYOND: i32 = 3;

/// Results of the last frame. A technique takes the ones that it needs and reports a missing one. Images and buffers
/// are shared: a clone costs a few counts of references.
#[derive(Clone)]
pub struct FrameContext {
    /// The picture under the glass, sRGB-encoded.
    pub picture: ImageView,
    /// Its mip chain, linear light.
    pub chain: Image,
    /// Whether its levels are means after a blur by (1 2 1) / 4; otherwise the means alone.
    pub chain_is_tent: bool,
    /// Lenses, bottom one first; pixels of the target.
    pub lenses: Vec<Lens>,
    /// Pixels for one unit of the settings' lengths.
    pub scale: f32,
    /// The world, where one was drawn for this frame or is still shown.
    pub world: Option<WorldFrame>,
    /// The picture blurred by boxes, if a view requests it.
    pub boxed: Option<BoxBlur>,
    /// Tables of sums of the picture, if the downsampling requests them.
    pub sums: Option<Sums>,
}

/// Request for tables of sums.
#[derive(Clone)]
pub struct SumsRequest {
    /// Values 0..1 as they are to be summed.
    pub picture: ImageView,
    /// The whole number that 1 becomes.
    pub unit: f32,
}

/// Tables of sums of red, green, blue and alpha of a picture: at each pixel the sum of all at or left of it and at or above it, in whole
/// numbers modulo 2^32.
#[derive(Clone)]
pub struct Sums {
    /// 32 bits each.
    pub words: Buffer,
    /// Size of the picture.
    pub size: [u32; 2],
    /// Words from row to row.
    pub pitch: u32,
    /// Words from channel to channel.
    pub plane: u32,
    /// Stored value of 1.
    pub unit: f32,
}

/// A part of a picture blurred by three boxes ([`Boxes`](crate::base::boxes::Boxes)), mirrored beyond the picture's border. It stays
/// as it is until the next one is made.
#[derive(Clone)]
pub struct BoxBlur {
    /// Linear light, opaque, a texel a pixel; read at the given coordinates, clamped.
    pub light: ImageView,
    /// The pixel of the picture that is its first texel.
    pub first: [i32; 2],
    /// Texels that were made, from the first one on.
    pub size: [u32; 2],
    /// The passes that made it.
    pub passes: PassId,
}

/// A world as it was drawn; its images stay as they are until it is drawn again.
#[derive(Clone)]
pub struct WorldFrame {
    /// The drawn world.
    pub resident: GpuScene,
    /// From where; in its pixels samples were taken where its shift says.
    pub camera: Camera,
    /// Towards the sun, of length 1.
    pub sun: Vec3,
    /// The sun's view of the world.
    pub shadow: Shadow,
    /// R32U, [`VisibilityId`](crate::scene::world::VisibilityId).
    pub ids: ImageView,
    /// R32F or D32: distance of the near plane over the distance ahead, 0 where nothing is seen.
    pub depth: ImageView,
    /// The order in which pixels were shaded; none by raster.
    pub list: Option<PixelList>,
    /// Linear light, Rgba16F.
    pub light: ImageView,
    /// The same light, or the mean of it and of earlier frames: then as large as the picture.
    pub resolved: ImageView,
}

impl WorldFrame {
    /// The view that is displayed: without the shift of its samples.
    #[must_use]
    pub fn shown(&self) -> Self {
        let camera = Camera { shift: Vec2::ZERO, ..self.camera };
        Self { camera, light: self.resolved.clone(), ..self.clone() }
    }
}

/// Light that reaches particles in the air of a world.
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

/// In what light a world was shaded, for passes of the same frame that shade more of it.
#[derive(Clone)]
pub struct Surroundings {
    /// The world, the sky, the shadow and the per-frame uniforms, as `shaders/shade` names them: for `bind_named`.
    pub bindings: Vec<(&'static str, Resource)>,
    /// A bit for each kind of material that the world has.
    pub kinds: u32,
}

/// A world shaded but for what its mirrors show.
#[derive(Clone)]
pub struct MirrorlessShading {
    /// Linear light, Rgba16F, without the mirrors that can be traced.
    pub light: ImageView,
    /// Those mirrors, Rg32U, as `shaders/include/mirror.glsl` packs them. Anything where no geometry is seen.
    pub mirrors: ImageView,
    /// The light that was used.
    pub around: Surroundings,
}

/// A list of the pixels with geometry; `shaders/include/pixel_list.glsl` reads it.
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
    /// Offset of the arguments from the start of `arguments`, bytes.
    pub arguments_at: u64,
    /// Offset of the number of entries, padding included: 32 bits.
    pub count_at: u64,
    /// 16 bits an entry.
    pub short: bool,
}

/// What lists pixels by the material that they show, for passes other than the frame's shading.
pub trait ListByMaterial {
    /// Lists the pixels of `ids`, an R32U image of visibility values that shaders may sample, without those of value 0. `material_of`: the
    /// material of each meshlet that the world has placed. The list stays as it is until the next call.
    fn list(&self, frame: &mut Frame, pass: &str, ids: &ImageView, material_of: &Buffer) -> Result<PixelList>;
}

impl PixelList {
    /// Side of the tiles to which regions and short entries belong, pixels.
    pub const TILE: u32 = 64;

    /// The first `count` entries in their 32-bit form, from the words of `entries` and, of a short list, of `tiles`; `across`:
    /// tiles in a row. As `entry_at` in `shaders/include/pixel_list.glsl`. None where there are fewer, or one names a tile that no
    /// picture has.
    #[must_use]
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
