//! Shading: from a visibility buffer to light, by the sorted list or by raster blocks, and from light to a picture.

use crate::base::timing::PassId;

mod bench;
mod checks;
mod frame;
mod layer_checks;
mod layers;
mod lists;
#[cfg(test)]
mod look_tests;
mod reference;
mod settings;
mod shaders;
mod sky;
mod split;
mod tone;
mod view_checks;
mod views;

pub use layers::LAYERS;
pub use settings::{By, ShadeSettings, Split, Tone};

use self::{
    frame::{ChoicesBlock, SceneBlock, block},
    shaders::{Shaders, Variant},
    sky::Sky,
    split::{Groups, Passes},
};
use super::{
    A_WORLD, COLOURS, FrameContext, MirrorlessShading, Output, OutputInfo, PixelList, Stage, Surroundings, Technique,
    ViewInfo, WorldFrame,
};
use crate::{
    base::array::Element,
    gpu::{
        Buffer, Compute, ComputePipeline, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Memory, Resource,
        Result, Sampler, Use,
    },
    lab::{Bench, Check},
    scene::world::{Camera, GpuScene, LAMPS, Lamp, MaterialKind, Shadow, TRAITS, World},
};
use glam::Vec3;
use std::sync::Arc;

/// Input of the shading: world, view and light.
#[derive(Clone, Copy)]
pub struct ShadeInput<'a> {
    /// The world whose visibility values the IDs are.
    pub world: &'a GpuScene,
    /// The camera with which they were drawn.
    pub camera: &'a Camera,
    /// Towards the sun, of length 1.
    pub sun: Vec3,
    /// The sun's view; without it nothing casts a shadow.
    pub shadow: Option<&'a Shadow>,
    /// Patterns and textures are as fine as if a pixel had this part of its sides: below 1 where several frames make one picture of more
    /// pixels.
    pub detail: f32,
}

impl<'a> ShadeInput<'a> {
    /// Input from the drawn world.
    #[must_use]
    pub fn of(world: &'a WorldFrame) -> Self {
        Self { world: &world.resident, camera: &world.camera, sun: world.sun, shadow: Some(&world.shadow), detail: 1.0 }
    }
}

/// In which order pixels are shaded: the picture is the same.
#[derive(Clone)]
pub enum Work {
    /// Blocks of 8x4 pixels.
    Raster,
    /// As a list has them.
    List(PixelList),
}

/// Pass that shades by the sorted list; a part for each kind of material.
pub const LIST: PassId = PassId::new("shade/list");
/// The same by blocks of 8x4 pixels.
pub const RASTER: PassId = PassId::new("shade/raster");

/// Entries of the list, or pixels, that one workgroup shades.
pub const GROUP: u32 = 128;
/// Pixels of a workgroup by raster: four blocks of 8x4.
const RASTER_GROUP: [u32; 2] = [16, 8];
/// Groups of pixels among which one workgroup looks for the sky.
const SKY_GROUPS: u32 = 2;
/// Side of the tiles to which short entries belong, pixels.
const TILE: u32 = PixelList::TILE;

/// Progress of shading, a kind of material after the other: until none is left its light is not complete.
pub struct Shading {
    shaded: MirrorlessShading,
    /// Kinds that are left: a bit for each.
    left: u32,
    /// Kinds and traits that there are.
    all: u32,
    pass: PassId,
    bindings: Bindings,
    groups: Option<Groups>,
}

impl Shading {
    /// The light, once no kind is left.
    #[must_use]
    pub fn whole(&self) -> Option<&MirrorlessShading> {
        (self.left == 0).then_some(&self.shaded)
    }

    /// Part of the kinds that is shaded, 0 to 1.
    #[must_use]
    pub fn part(&self) -> f32 {
        1.0 - self.left.count_ones() as f32 / (self.all & ALL_KINDS).count_ones().max(1) as f32
    }
}

/// Names in a shader, and what is bound to them.
type Bindings = Vec<(&'static str, Resource)>;

fn bound<'f>(pass: Compute<'f>, what: &[(&'static str, Resource)]) -> Compute<'f> {
    what.iter().fold(pass, |pass, (name, resource)| pass.bind(name, resource.clone()))
}

/// A bit for each kind of material.
const ALL_KINDS: u32 = (1 << MaterialKind::ALL.len()) - 1;
/// Workgroups that every device can dispatch in a row.
const GROUPS_MOST: u32 = 65_535;

/// The shading technique.
pub struct Shade {
    gpu: Arc<Gpu>,
    shaders: Shaders,
    background: ComputePipeline,
    passes: Passes,
    sky: Sky,
    tones: tone::Tones,
    images: Images,
    /// Radiance of white paper in the sun that was there last.
    white: f32,
    /// Placeholder for a missing list.
    nothing: Buffer,
    world: WorldCache,
    /// Result of the last shading.
    last: Option<MirrorlessShading>,
    layers: layers::Layers,
}

#[derive(Default)]
struct Images {
    hdr: ImageSlot,
    /// Mirror light, if it is requested apart; else an image that is never written.
    mirrors: ImageSlot,
    /// Placeholder for a missing shadow map.
    no_shadow: ImageSlot,
}

/// State derived from the last world.
#[derive(Default)]
struct WorldCache {
    /// The world, and its kinds of material.
    kinds: Option<(Arc<World>, u32)>,
    /// The world, the part of their light that is on, and the lamps scaled by it.
    lamps: Option<(Arc<World>, f32, Buffer)>,
}

impl Technique for Shade {
    const ID: &'static str = "shade";
    const TITLE: &'static str = "Shading";
    const DOC: &'static str = include_str!("../../../docs/shade.md");
    const STAGE: Stage = Stage::World;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const FIXED_PASSES: &[PassId] = &[tone::TONE, tone::ENLARGE];
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "light",
        doc: "Linear light of each pixel before exposure and tone curve, opaque; white paper in a high sun is about 6.",
        elements: &[Element::F16],
        shape: COLOURS,
        needs: A_WORLD,
    }];
    type Settings = ShadeSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let background = ComputePipeline::new(gpu, "shade/background.comp:all", &[])?;
        let background = background.with_struct::<SceneBlock>("scene")?;
        Ok(Self {
            gpu: gpu.clone(),
            shaders: Shaders::new(gpu),
            background,
            passes: Passes::new(gpu)?,
            sky: Sky::new(gpu)?,
            tones: tone::Tones::new(gpu),
            images: Images::default(),
            white: frame::WHITE,
            nothing: Buffer::new(gpu, "shade no list", 16, Memory::Device)?,
            world: WorldCache::default(),
            last: None,
            layers: layers::Layers::default(),
        })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(world) = &context.world else { return Ok(false) };
        self.view(frame, name, settings, &ShadeInput::of(world), &world.ids, &world.light, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let world = context.world.as_ref()?;
        (name == "light").then(|| (&world.light).into())
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
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        scene: &ShadeInput<'_>,
        ids: &ImageView,
        work: &Work,
    ) -> Result<ImageView> {
        let shading = self.begin(frame, settings, scene, ids, work, false)?;
        Ok(self.finish(frame, scene.world, shading)?.light)
    }

    /// The same without mirror light that is sharp enough to be traced. The traced
    /// light must be added before anything else reads the result. The images stay as they are until the next call.
    pub fn record_apart(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        scene: &ShadeInput<'_>,
        ids: &ImageView,
        work: &Work,
    ) -> Result<MirrorlessShading> {
        let shading = self.begin(frame, settings, scene, ids, work, true)?;
        self.finish(frame, scene.world, shading)
    }

    /// Shades the remaining kinds.
    fn finish(&mut self, frame: &mut Frame, world: &GpuScene, mut shading: Shading) -> Result<MirrorlessShading> {
        loop {
            if let Some(shaded) = shading.whole() {
                return Ok(shaded.clone());
            }
            self.go_on(frame, world, &mut shading)?;
        }
    }

    /// Begins [`record`](Self::record), or where it is to be `apart` [`record_apart`](Self::record_apart): the sky, and where each kind of
    /// material has a pass of its own, which pixels each has; else everything.
    pub fn begin(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        scene: &ShadeInput<'_>,
        ids: &ImageView,
        work: &Work,
        apart: bool,
    ) -> Result<Shading> {
        let size = ids.size();
        let uses = [Use::Sample, Use::Storage];
        let hdr = self.images.hdr.fit(&self.gpu, ImageDesc::new("light", size, Format::Rgba16F, &uses))?;
        let mirrors_size = if apart || self.gpu.policy().keeps_image_sizes { size } else { [1, 1] };
        let mirrors =
            self.images.mirrors.fit(&self.gpu, ImageDesc::new("mirrors", mirrors_size, Format::Rg32U, &uses))?;
        let mut block = block(settings, scene, size);
        let apart = u32::from(apart);
        let mut choices = ChoicesBlock { by_list: 0, is_short: 0, weight: settings.weight, view: 0, apart };
        if let Work::List(list) = work {
            choices = ChoicesBlock { by_list: 1, is_short: u32::from(list.short), ..choices };
            block.count_at = (list.count_at / 4) as u32;
        }
        let [across, down] = [size[0].div_ceil(RASTER_GROUP[0]), size[1].div_ceil(RASTER_GROUP[1])];
        let most = (across * down).max(match work {
            Work::Raster => 0,
            // A list has room for more entries than there are pixels.
            Work::List(list) => (list.entries.size() / if list.short { 2 } else { 4 }).div_ceil(GROUP.into()) as u32,
        });
        block.group_room = most;
        self.white = block.white;
        let (data, choices) = (frame.data("shade scene", &[block])?, frame.data("shade choices", &[choices])?);
        self.sky.update(frame, &block, &data)?;
        let nothing = Resource::from(&self.nothing);
        let (name, lists) = match work {
            Work::Raster => (RASTER, [nothing.clone(), nothing.clone(), nothing]),
            Work::List(list) => (LIST, [(&list.entries).into(), (&list.tiles).into(), (&list.arguments).into()]),
        };
        let ids = ids.clone().through(Sampler::NearestClamp);
        let pixels: Bindings = vec![("ids", ids.into()), ("scene", (&data).into())];
        let mut order = pixels.clone();
        order.push(("choices", (&choices).into()));
        order.extend(["Entries", "Tiles", "Arguments"].into_iter().zip(lists));
        let run = |pass: Compute<'_>| match work {
            Work::Raster => pass.dispatch_groups([across, down, 1]),
            Work::List(list) => pass.dispatch_indirect(&list.arguments, list.arguments_at),
        };
        let seen = self.seen(scene)?;
        let kinds = self.kinds_of(scene.world);
        let splits = match settings.split {
            Split::Auto => self.gpu.policy().split_shading,
            Split::On => true,
            Split::Off => false,
        };
        let groups = if splits && most <= GROUPS_MOST && scene.world.has_texels {
            let groups = self.passes.groups(frame, most)?;
            let pass = bound(self.passes.pixels(frame, &groups), &order).bind_named(scene.world.bindings());
            run(pass)?;
            bound(self.passes.sky(frame, &groups), &pixels).dispatch_groups([across, down, 1])?;
            let pass = bound(self.passes.background(frame, &groups), &pixels).bind("hdr", &hdr);
            pass.dispatch_indirect(&groups.calls, groups.call_of(MaterialKind::ALL.len() as u32))?;
            Some(groups)
        } else {
            let pass = bound(frame.compute("shade/background", &self.background), &pixels).bind("hdr", &hdr);
            pass.dispatch_groups([across, down.div_ceil(SKY_GROUPS), 1])?;
            // By day code for lamps only takes registers.
            let is_lit = !scene.world.world.lit_lamps(frame::lamp_power(scene.sun)).is_empty();
            let drawn = if is_lit { kinds } else { kinds & !LAMPS };
            self.shaders.make_ahead(kinds, Variant::All);
            let pipeline = self.shaders.get(drawn, Variant::All)?;
            let pass = bound(bound(frame.compute(name, &pipeline), &order), &seen);
            run(pass.bind_named(scene.world.bindings()).bind("hdr", &hdr).bind("mirrors", &mirrors))?;
            None
        };
        let shared = [("scene", Resource::from(&data)), ("choices", (&choices).into())];
        let around = Surroundings { bindings: shared.into_iter().chain(seen.iter().cloned()).collect(), kinds };
        let shaded = MirrorlessShading { light: hdr.mip(0), mirrors: mirrors.mip(0), around };
        let left = if groups.is_some() { kinds & ALL_KINDS } else { 0 };
        self.last = (left == 0).then(|| shaded.clone());
        Ok(Shading { shaded, left, all: kinds, pass: name, bindings: order.into_iter().chain(seen).collect(), groups })
    }

    /// Shades the next kind of material of `world`, if one is left.
    pub fn go_on(&mut self, frame: &mut Frame, world: &GpuScene, shading: &mut Shading) -> Result<()> {
        let Shading { shaded, left, all, pass: name, bindings, groups } = shading;
        let Some(groups) = groups.as_ref().filter(|_| *left != 0) else { return Ok(()) };
        let kind = left.trailing_zeros();
        let pipeline = self.shaders.get(1 << kind | *all & TRAITS, Variant::Kind(kind))?;
        let pass = frame.compute(name.part(views::KINDS[kind as usize].1), &pipeline);
        let pass = bound(pass, bindings).bind_named(world.bindings());
        let pass = pass.bind("hdr", &shaded.light).bind("mirrors", &shaded.mirrors).bind("Groups", &groups.groups);
        pass.dispatch_indirect(&groups.calls, groups.call_of(kind))?;
        *left &= *left - 1;
        if *left == 0 {
            self.last = Some(shaded.clone());
        }
        Ok(())
    }

    /// Result of the last call of [`record`](Self::record) or [`record_apart`](Self::record_apart); of the former without mirrors.
    #[must_use]
    pub fn last(&self) -> Option<MirrorlessShading> {
        self.last.clone()
    }

    /// The picture of a view, encoded, Rgba8, of any size: pixels of `ids` and `hdr` (what [`Shade::record`] returned)
    /// are repeated.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    #[expect(clippy::too_many_arguments, reason = "what a view is of, and where it goes")]
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &ShadeSettings,
        scene: &ShadeInput<'_>,
        ids: &ImageView,
        hdr: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let block = block(settings, scene, ids.size());
        let choices = ChoicesBlock { by_list: 0, is_short: 0, weight: settings.weight, view, apart: 0 };
        let data = frame.data("shade scene", &[block])?;
        self.sky.update(frame, &block, &data)?;
        let chosen = frame.data("shade choices", &[choices])?;
        let kinds = self.kinds_of(scene.world);
        let pipeline = self.shaders.get(kinds, Variant::View)?;
        let pass = frame
            .compute("shade/view", &pipeline)
            .bind("ids", ids.clone().through(Sampler::NearestClamp))
            .bind("hdr", hdr.clone().through(Sampler::NearestClamp))
            .bind("scene", &data)
            .bind("choices", chosen)
            .bind("picture", picture);
        let pass = bound(pass, &self.seen(scene)?).bind_named(scene.world.bindings());
        let [width, height] = picture.size();
        pass.dispatch_groups([width.div_ceil(RASTER_GROUP[0]), height.div_ceil(RASTER_GROUP[1]), 1])
    }

    /// Bindings besides the IDs and the world: the sky, the shadow.
    fn seen(&mut self, scene: &ShadeInput<'_>) -> Result<Bindings> {
        let lit = ImageDesc::new("no shadow", [1, 1], Format::R32F, &[Use::Sample]);
        let shadow = match scene.shadow {
            Some(shadow) => shadow.depth.clone(),
            None => self.images.no_shadow.fit(&self.gpu, lit)?.mip(0),
        };
        let around = [
            ("Tables", Resource::from(&self.sky.tables)),
            ("sky_map", self.sky.tiles.mip(0).through(Sampler::LinearClamp).into()),
            ("shadow_map", shadow.through(Sampler::NearestClamp).into()),
            ("Lamps", Resource::from(&self.lamps(scene)?)),
        ];
        Ok(around.to_vec())
    }

    /// The lamps that are lit.
    fn lamps(&mut self, scene: &ShadeInput<'_>) -> Result<Buffer> {
        let (world, power) = (&scene.world.world, frame::lamp_power(scene.sun));
        if let Some((of, known, lamps)) = &self.world.lamps
            && Arc::ptr_eq(of, world)
            && *known == power
        {
            return Ok(lamps.clone());
        }
        let all = world.lit_lamps(power);
        let bytes = [bytemuck::bytes_of(&(all.len() as u32)), bytemuck::cast_slice(&all)].concat();
        // Room for one at least: the shader names an array.
        let size = (4 + size_of_val(all.as_slice())).max(4 + size_of::<Lamp>()) as u64;
        let lamps = Buffer::new(&self.gpu, "shade lamps", size, Memory::Upload)?;
        lamps.write(&bytes)?;
        self.world.lamps = Some((world.clone(), power, lamps.clone()));
        Ok(lamps)
    }

    /// Kinds of material of the world: a bit for each.
    fn kinds_of(&mut self, world: &GpuScene) -> u32 {
        match &self.world.kinds {
            Some((known, kinds)) if Arc::ptr_eq(known, &world.world) => *kinds,
            _ => {
                let kinds = world.world.kinds();
                self.world.kinds = Some((world.world.clone(), kinds));
                kinds
            }
        }
    }
}
