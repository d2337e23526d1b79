//! Shading: from a visibility buffer to light, by the sorted list or by raster blocks, and from light to a picture.

mod bench;
mod checks;
mod frame;
mod lists;
#[cfg(test)]
mod look_tests;
pub mod oracle;
mod settings;
mod sky;
mod tone;
mod views;

pub use settings::{By, ShadeSettings, Tone};

use self::{
    frame::{SceneBlock, block},
    sky::Sky,
};
use super::{Technique, ViewInfo};
use crate::{
    gpu::{
        Buffer, ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, Place, RasterPipeline, Resource, Result,
        Sampler, Use, View,
    },
    lab::{Bench, Check},
    scene::world::{Camera, Instance, Material, Meshlet, Placed, Resident, Shadow, Texture, Vertex, World},
};
use glam::Vec3;
use std::{collections::HashMap, sync::Arc};

/// What is shaded, from where, in which light.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The world whose visibility values the IDs are.
    pub world: &'a Resident,
    /// The camera with which they were drawn.
    pub camera: &'a Camera,
    /// Towards the sun, of length 1.
    pub sun: Vec3,
    /// What the sun sees; without it nothing casts a shadow.
    pub shadow: Option<&'a Shadow>,
}

/// In which order pixels are shaded: the picture is the same.
#[derive(Clone)]
pub enum Work {
    /// Blocks of 8x4 pixels.
    Raster,
    /// As a list has them.
    List(List),
}

/// A list of the pixels with geometry; `shaders/include/pixel_list.glsl` reads it.
#[derive(Clone)]
pub struct List {
    /// `y << 16 | x` in 32 bits each, or short ones; all ones is padding.
    pub entries: Buffer,
    /// Short lists: the tile of each 32 entries. Otherwise anything.
    pub tiles: Buffer,
    /// By tile: first entry and number of entries.
    pub regions: Buffer,
    /// Where the arguments of an indirect dispatch lie: a workgroup for each [`GROUP`] entries.
    pub arguments: Buffer,
    /// How many bytes from the start of `arguments` they begin.
    pub arguments_at: u64,
    /// The same for the number of entries, padding included: 32 bits.
    pub count_at: u64,
    /// 16 bits an entry.
    pub short: bool,
}

/// Entries of the list, or pixels, that one workgroup shades.
pub const GROUP: u32 = 128;
/// Pixels of a workgroup by raster: four blocks of 8x4.
const RASTER_GROUP: [u32; 2] = [16, 8];
/// Side of the tiles to which short entries belong, pixels.
const TILE: u32 = 64;

/// See the module.
pub struct Shade {
    gpu: Arc<Gpu>,
    /// By the kinds of material that the code is for, and whether it draws views.
    shaders: HashMap<(u32, bool), ComputePipeline>,
    background: ComputePipeline,
    sky: Sky,
    tones: HashMap<tone::Key, RasterPipeline>,
    hdr: Option<Image>,
    /// Stands for a shadow map where there is none.
    lit: Option<Image>,
    /// Stands for a list where there is none.
    nothing: Buffer,
    /// The world whose kinds were looked up last, and they.
    kinds: Option<(Arc<World>, u32)>,
}

impl Technique for Shade {
    const ID: &'static str = "shade";
    const TITLE: &'static str = "Shading";
    const DOC: &'static str = include_str!("../../../docs/shade.md");
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    type Settings = ShadeSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let background = ComputePipeline::new(gpu, "shade/background.comp", &[])?.with_struct::<SceneBlock>("scene")?;
        Ok(Self {
            gpu: gpu.clone(),
            shaders: HashMap::new(),
            background,
            sky: Sky::new(gpu)?,
            tones: HashMap::new(),
            hdr: None,
            lit: None,
            nothing: Buffer::new(gpu, "shade no list", 16, Place::Device)?,
            kinds: None,
        })
    }

    fn checks() -> Vec<Check> {
        checks::all()
    }

    fn benches() -> Vec<Bench> {
        vec![bench::SHADE]
    }
}

impl Shade {
    /// Shades every pixel of `ids` (R32U visibility values, 0 for none): linear light, Rgba16F, as large as they. The
    /// image stays as it is until the next call.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        scene: &Scene<'_>,
        ids: &View,
        work: &Work,
    ) -> Result<View> {
        let size = ids.size();
        let hdr = match self.hdr.take() {
            Some(hdr) if hdr.size() == size => hdr,
            _ => Image::new(&self.gpu, ImageDesc::new("light", size, Format::Rgba16F, &[Use::Sample, Use::Storage]))?,
        };
        let mut block = block(settings, scene, size);
        if let Work::List(list) = work {
            block.by_list = 1;
            block.is_short = u32::from(list.short);
            block.count_at = (list.count_at / 4) as u32;
        }
        let data = frame.data("shade scene", &[block])?;
        self.sky.update(frame, &block, &data)?;
        let ids = ids.clone().through(Sampler::NearestClamp);
        frame
            .compute("shade/background", &self.background)
            .bind("ids", &ids)
            .bind("hdr", &hdr)
            .bind("scene", &data)
            .dispatch(size)?;
        let pipeline = self.shader(scene.world, false)?;
        let nothing = self.nothing.clone();
        let (name, entries, tiles, arguments) = match work {
            Work::Raster => ("shade/raster", &nothing, &nothing, &nothing),
            Work::List(list) => ("shade/list", &list.entries, &list.tiles, &list.arguments),
        };
        let mut pass = frame
            .compute(name, &pipeline)
            .bind("ids", ids)
            .bind("scene", &data)
            .bind("Entries", entries)
            .bind("Tiles", tiles)
            .bind("Arguments", arguments)
            .bind("hdr", &hdr);
        for (name, resource) in self.seen(scene)? {
            pass = pass.bind(name, resource);
        }
        match work {
            Work::Raster => {
                pass.dispatch_groups([size[0].div_ceil(RASTER_GROUP[0]), size[1].div_ceil(RASTER_GROUP[1]), 1])?;
            }
            Work::List(list) => pass.dispatch_indirect(&list.arguments, list.arguments_at)?,
        }
        let light = hdr.mip(0);
        self.hdr = Some(hdr);
        Ok(light)
    }

    /// The picture of a view, encoded, Rgba8, of any size: pixels of `ids` and `hdr` (what [`Shade::record`] returned)
    /// are repeated.
    ///
    /// # Errors
    /// An unknown name; what the GPU floor says.
    #[expect(clippy::too_many_arguments, reason = "what a view is of, and where it goes")]
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &ShadeSettings,
        scene: &Scene<'_>,
        ids: &View,
        hdr: &View,
        picture: &View,
    ) -> Result<()> {
        let Some(view) = views::VIEWS.iter().position(|view| view.name == name) else {
            return Err(Error::Pass { pass: "shade/view".into(), problem: format!("no view {name}") });
        };
        let mut block = block(settings, scene, ids.size());
        block.view = view as u32;
        let data = frame.data("shade scene", &[block])?;
        self.sky.update(frame, &block, &data)?;
        let pipeline = self.shader(scene.world, true)?;
        let mut pass = frame
            .compute("shade/view", &pipeline)
            .bind("ids", ids.clone().through(Sampler::NearestClamp))
            .bind("hdr", hdr.clone().through(Sampler::NearestClamp))
            .bind("scene", &data)
            .bind("picture", picture);
        for (name, resource) in self.seen(scene)? {
            pass = pass.bind(name, resource);
        }
        let [width, height] = picture.size();
        pass.dispatch_groups([width.div_ceil(RASTER_GROUP[0]), height.div_ceil(RASTER_GROUP[1]), 1])
    }

    /// What shading reads besides the IDs: the world, the sky, the shadow.
    fn seen(&mut self, scene: &Scene<'_>) -> Result<[(&'static str, Resource); 12]> {
        let world = scene.world;
        let shadow = match (scene.shadow, &self.lit) {
            (Some(shadow), _) => shadow.depth.clone(),
            (None, Some(lit)) => lit.mip(0),
            (None, None) => {
                let desc = ImageDesc::new("no shadow", [1, 1], Format::R32F, &[Use::Sample]);
                self.lit.insert(Image::new(&self.gpu, desc)?).mip(0)
            }
        };
        Ok([
            ("Vertices", Resource::from(&world.vertices)),
            ("MeshletVertices", (&world.meshlet_vertices).into()),
            ("Triangles", (&world.triangles).into()),
            ("Meshlets", (&world.meshlets).into()),
            ("Instances", (&world.instances).into()),
            ("PlacedMeshlets", (&world.placed).into()),
            ("Materials", (&world.materials).into()),
            ("Textures", (&world.textures).into()),
            ("Texels", (&world.texels).into()),
            ("Tables", (&self.sky.tables).into()),
            ("sky_map", self.sky.tiles.mip(0).through(Sampler::LinearClamp).into()),
            ("shadow_map", shadow.through(Sampler::NearestClamp).into()),
        ])
    }

    fn shader(&mut self, world: &Resident, is_view: bool) -> Result<ComputePipeline> {
        let kinds = match &self.kinds {
            Some((known, kinds)) if Arc::ptr_eq(known, &world.world) => *kinds,
            _ => {
                let kinds = world.world.materials.iter().fold(0, |kinds, material| kinds | 1 << material.kind.min(31));
                self.kinds = Some((world.world.clone(), kinds));
                kinds
            }
        };
        if let Some(made) = self.shaders.get(&(kinds, is_view)) {
            return Ok(made.clone());
        }
        let shader = if is_view { "shade/shade.comp:view" } else { "shade/shade.comp:light" };
        let made = ComputePipeline::new(&self.gpu, shader, &[("KINDS", kinds)])?
            .with_struct::<SceneBlock>("scene")?
            .with_struct::<Vertex>("Vertices")?
            .with_struct::<Meshlet>("Meshlets")?
            .with_struct::<Instance>("Instances")?
            .with_struct::<Placed>("PlacedMeshlets")?
            .with_struct::<Material>("Materials")?
            .with_struct::<Texture>("Textures")?;
        self.shaders.insert((kinds, is_view), made.clone());
        Ok(made)
    }
}
