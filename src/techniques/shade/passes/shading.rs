//! Passes from a visibility buffer to light, one for everything or one per kind of material.

use super::{sky::SKY_PICTURE, split::Groups};
use crate::{
    Shade,
    frame::{ChoicesBlock, SceneBlock, block, lamp_power},
    input::{RASTER_GROUP, ShadeInput, Work},
    layers::{LAYERS, LayerBuffers, NAMES, NO_CALL},
    settings::ShadeSettings,
    shaders::Variant,
    views::{KINDS, is_of_light},
};
use base::timing::PassId;
use gpu::{
    Buffer, Compute, ComputePipeline, Error, Format, Frame, ImageDesc, ImageView, Memory, Resource, Result, Sampler,
    Use,
};
use scene::world::{GpuScene, LAMPS, Lamp, MaterialKind, TRAITS};
use std::sync::Arc;
use technique::{MirrorlessShading, Surroundings, Technique as _, WorldFrame};

pub const LIST: PassId = PassId::new("shade/list");
pub const RASTER: PassId = PassId::new("shade/raster");

const SKY_GROUPS: u32 = 2;

pub struct Shading {
    shaded: MirrorlessShading,
    left: u32,
    all: u32,
    pass: PassId,
    bindings: Bindings,
    groups: Option<Groups>,
}

impl Shading {
    pub fn whole(&self) -> Option<&MirrorlessShading> {
        (self.left == 0).then_some(&self.shaded)
    }

    pub fn part(&self) -> f32 {
        1.0 - self.left.count_ones() as f32 / (self.all & ALL_KINDS).count_ones().max(1) as f32
    }
}

type Bindings = Vec<(&'static str, Resource)>;

fn bound<'f>(pass: Compute<'f>, what: &[(&'static str, Resource)]) -> Compute<'f> {
    what.iter().fold(pass, |pass, (name, resource)| pass.bind(name, resource.clone()))
}

const ALL_KINDS: u32 = (1 << MaterialKind::ALL.len()) - 1;
const GROUPS_MOST: u32 = 65_535;

impl Shade {
    /// Rgba16F, as large as `ids` (R32U visibility values). Valid until the next call.
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

    /// Without mirror light that is sharp enough to be traced, which must be added before anything else reads the
    /// result.
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

    fn finish(&mut self, frame: &mut Frame, world: &GpuScene, mut shading: Shading) -> Result<MirrorlessShading> {
        loop {
            if let Some(shaded) = shading.whole() {
                return Ok(shaded.clone());
            }
            self.go_on(frame, world, &mut shading)?;
        }
    }

    /// The sky, and the pixels of each kind of material where kinds have passes; else everything.
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
        let mirrors_size = if apart || self.gpu.policy().compiles_late { size } else { [1, 1] };
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
        let most = work.groups_most(across * down);
        block = self.sky.lit(SceneBlock { group_room: most, ..block }, settings);
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
        let picture = ("sky_picture", Resource::from(self.sky.picture_view()));
        let background = [&pixels[..], &[("hdr", (&hdr).into()), picture.clone()]].concat();
        let mut order = pixels.clone();
        order.push(("choices", (&choices).into()));
        order.extend(["Entries", "Tiles", "Arguments"].into_iter().zip(lists));
        let run = |pass: Compute<'_>| match work {
            Work::Raster => pass.dispatch_groups([across, down, 1]),
            Work::List(list) => pass.dispatch_indirect(&list.arguments, list.arguments_at),
        };
        let lights = self.light_bindings(scene)?;
        let kinds = self.kinds_of(scene.world);
        let groups = if self.splits(settings) && most <= GROUPS_MOST && scene.world.has_texels {
            let groups = self.passes.groups(frame, most)?;
            let pass = bound(self.passes.pixels(frame, &groups), &order).bind_named(scene.world.bindings());
            run(pass)?;
            bound(self.passes.sky(frame, &groups), &pixels).dispatch_groups([across, down, 1])?;
            let pass = bound(self.passes.background(frame, &groups, self.sky.has_picture())?, &background);
            pass.dispatch_indirect(&groups.calls, groups.call_of(MaterialKind::ALL.len() as u32))?;
            Some(groups)
        } else {
            let pass = bound(frame.compute("shade/background", &self.whole_background()?), &background);
            pass.dispatch_groups([across, down.div_ceil(SKY_GROUPS), 1])?;
            let policy = self.gpu.policy();
            // Code for lamps takes registers.
            let is_lit = policy.compiles_late || !scene.world.world.lit_lamps(lamp_power(scene.sun)).is_empty();
            let drawn = if is_lit { kinds } else { kinds & !LAMPS };
            let all = self.all_kinds(scene.world);
            if !policy.compiles_late {
                self.shaders.make_ahead(kinds, all);
            }
            let pipeline = self.shaders.get(drawn, all)?;
            let pass = bound(bound(frame.compute(name, &pipeline), &order), &lights);
            run(pass.bind_named(scene.world.bindings()).bind("hdr", &hdr).bind("mirrors", &mirrors))?;
            None
        };
        let shared = [("scene", Resource::from(&data)), ("choices", (&choices).into()), picture];
        let around = Surroundings { bindings: shared.into_iter().chain(lights.iter().cloned()).collect(), kinds };
        let shaded = MirrorlessShading { light: hdr.mip(0), mirrors: mirrors.mip(0), around };
        let left = if groups.is_some() { kinds & ALL_KINDS } else { 0 };
        self.last = (left == 0).then(|| shaded.clone());
        let bindings = order.into_iter().chain(lights).collect();
        Ok(Shading { shaded, left, all: kinds, pass: name, bindings, groups })
    }

    fn splits(&self, settings: &ShadeSettings) -> bool {
        settings.split.unwrap_or(self.gpu.policy().has_old_compiler)
    }

    fn all_kinds(&self, world: &GpuScene) -> Variant {
        Variant::All { texels: self.gpu.policy().runs_on_cpu && world.has_texels }
    }

    pub fn make_ahead(&mut self, settings: &ShadeSettings, world: &GpuScene) {
        if self.gpu.policy().compiles_late && !self.splits(settings) {
            let key = (self.kinds_of(world), self.all_kinds(world));
            self.shaders.make_one_ahead(key);
        }
    }

    pub fn go_on(&mut self, frame: &mut Frame, world: &GpuScene, shading: &mut Shading) -> Result<()> {
        let Shading { shaded, left, all, pass: name, bindings, groups } = shading;
        let Some(groups) = groups.as_ref().filter(|_| *left != 0) else { return Ok(()) };
        let kind = left.trailing_zeros();
        let pipeline = self.shaders.get(1 << kind | *all & TRAITS, Variant::Kind(kind))?;
        let pass = frame.compute(name.part(KINDS[kind as usize].1), &pipeline);
        let pass = bound(pass, bindings).bind_named(world.bindings());
        let pass = pass.bind("hdr", &shaded.light).bind("mirrors", &shaded.mirrors).bind("Groups", &groups.groups);
        pass.dispatch_indirect(&groups.calls, groups.call_of(kind))?;
        *left &= *left - 1;
        if *left == 0 {
            self.last = Some(shaded.clone());
        }
        Ok(())
    }

    pub fn last(&self) -> Option<MirrorlessShading> {
        self.last.clone()
    }

    /// `layers`: R32U visibility values of transparent surfaces, nearest first. Valid until the next call.
    pub fn lay_over(
        &mut self,
        frame: &mut Frame,
        scene: &ShadeInput<'_>,
        layers: &[ImageView; LAYERS],
        light: &ImageView,
    ) -> Result<ImageView> {
        let Some(last) = self.last.clone() else {
            return Err(Error::Pass { pass: "shade/layers".into(), problem: "nothing was shaded before".into() });
        };
        let size = light.size();
        let buffers = match self.layers.buffers.take() {
            Some(buffers) if buffers.light.size() == size => buffers,
            _ => LayerBuffers::new(&self.gpu, size)?,
        };
        frame.upload_buffer(&buffers.calls, NO_CALL.repeat(LAYERS).as_slice())?;
        let nearest = |view: &ImageView| view.clone().through(Sampler::NearestClamp);
        let around = || last.around.bindings.iter().cloned();
        let texels = self.gpu.policy().runs_on_cpu && scene.world.has_texels;
        let traits = last.around.kinds & TRAITS;
        let list = self.layers.pipeline(&self.gpu, (texels, traits, None))?;
        let pass = frame.compute("shade/layers", &list).bind_named(around());
        let pass = NAMES.iter().zip(layers).fold(pass, |pass, (name, layer)| pass.bind(name, nearest(layer)));
        let pass = pass.bind("solid", nearest(light)).bind("hdr", &buffers.light);
        pass.bind("Groups", &buffers.groups).bind("Calls", &buffers.calls).dispatch(size)?;
        for (number, layer) in (0..).zip(layers).collect::<Vec<_>>().into_iter().rev() {
            let pipeline = self.layers.pipeline(&self.gpu, (texels, traits, Some(number)))?;
            let pass = frame.compute(format!("shade/layer {}", number + 1), &pipeline);
            let pass = pass.bind_named(around()).bind_named(scene.world.bindings());
            let pass = pass.bind("layer", nearest(layer)).bind("hdr", &buffers.light);
            let pass = pass.bind("Groups", &buffers.groups).bind("Calls", &buffers.calls);
            pass.dispatch_indirect(&buffers.calls, 16 * u64::from(number))?;
        }
        let light = buffers.light.mip(0);
        self.layers.buffers = Some(buffers);
        Ok(light)
    }

    /// Encoded, Rgba8, of any size: pixels of the world's IDs and light are repeated.
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &ShadeSettings,
        world: &WorldFrame,
        picture: &ImageView,
    ) -> Result<()> {
        let view = Self::view_index(name)?;
        let scene = &ShadeInput::of(world);
        let block = block(settings, scene, world.ids.size());
        let choices = ChoicesBlock { by_list: 0, is_short: 0, weight: settings.weight, view, apart: 0 };
        let data = frame.data("shade scene", &[block])?;
        self.sky.update(frame, &block, &data)?;
        let chosen = frame.data("shade choices", &[choices])?;
        let kinds = self.kinds_of(scene.world);
        let pipeline = self.shaders.get(kinds, Variant::View { is_of_light: is_of_light(name) })?;
        let pass = frame
            .compute("shade/view", &pipeline)
            .bind("ids", world.ids.clone().through(Sampler::NearestClamp))
            .bind("hdr", world.light.clone().through(Sampler::NearestClamp))
            .bind("scene", &data)
            .bind("choices", chosen)
            .bind("picture", picture);
        let pass = bound(pass, &self.light_bindings(scene)?).bind_named(scene.world.bindings());
        let [width, height] = picture.size();
        pass.dispatch_groups([width.div_ceil(RASTER_GROUP[0]), height.div_ceil(RASTER_GROUP[1]), 1])
    }

    fn whole_background(&self) -> Result<ComputePipeline> {
        self.background.get(self.sky.has_picture(), |has_picture| {
            let constants = [(SKY_PICTURE, *has_picture)];
            let pipeline = ComputePipeline::new(&self.gpu, "shade/background.comp:all", &constants)?;
            pipeline.with_struct::<SceneBlock>("scene")
        })
    }

    fn light_bindings(&mut self, scene: &ShadeInput<'_>) -> Result<Bindings> {
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

    fn lamps(&mut self, scene: &ShadeInput<'_>) -> Result<Buffer> {
        let (world, power) = (&scene.world.world, lamp_power(scene.sun));
        if let Some((of, known, lamps)) = &self.world.lamps
            && Arc::ptr_eq(of, world)
            && *known == power
        {
            return Ok(lamps.clone());
        }
        let all = world.lit_lamps(power);
        let bytes = [bytemuck::bytes_of(&(all.len() as u32)), bytemuck::cast_slice(&all)].concat();
        let size = (4 + size_of_val(all.as_slice())).max(4 + size_of::<Lamp>()) as u64;
        let lamps = Buffer::new(&self.gpu, "shade lamps", size, Memory::Upload)?;
        lamps.write(&bytes)?;
        self.world.lamps = Some((world.clone(), power, lamps.clone()));
        Ok(lamps)
    }

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
