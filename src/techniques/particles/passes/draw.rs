//! Passes from particles to a layer, and from the layer into the world's light.

use crate::{
    blocks::{LookBlock, MotionBlock, ParticleState},
    settings::Draw,
};
use glam::UVec2;
use gpu::{
    Blend, Buffer, ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, Memory, PipelineCache, RasterDesc,
    RasterPipeline, Resource, Result, Sampler, Use, VertexLayout, gpu_struct,
};
use std::sync::Arc;
use technique::WorldFrame;

gpu_struct! {
    struct ViewPush { size: UVec2 }
}

pub struct Scene<'a> {
    pub kind: u32,
    pub state: &'a Buffer,
    pub motion: MotionBlock,
    pub look: LookBlock,
    pub world: &'a WorldFrame,
}

pub struct Painters {
    gpu: Arc<Gpu>,
    sprites: PipelineCache<(u32, bool), RasterPipeline>,
    splats: PipelineCache<(u32, bool)>,
    resolve: PipelineCache<bool>,
    join: PipelineCache<bool, RasterPipeline>,
    tallies: PipelineCache<(u32, u32)>,
    views: PipelineCache<u32>,
}

pub struct Layer {
    pub image: Image,
    pub joined: Image,
    sums: Option<LightSums>,
}

/// As in `shaders/particles/sums.glsl`.
struct LightSums {
    buffer: Buffer,
    /// As [`Painters::resolve`] leaves them.
    are_zero: bool,
}

/// Four words for each pixel, and one for each block of 16x8.
pub fn sums_bytes([width, height]: [u32; 2]) -> u64 {
    let blocks = u64::from(width.div_ceil(16)) * u64::from(height.div_ceil(8));
    16 * (u64::from(width) * u64::from(height) + blocks.div_ceil(4))
}

impl Layer {
    pub fn fitting(gpu: &Arc<Gpu>, layer: Option<Self>, size: [u32; 2], joined: [u32; 2]) -> Result<Self> {
        if let Some(layer) = layer.filter(|layer| layer.image.size() == size && layer.joined.size() == joined) {
            return Ok(layer);
        }
        let image = |name: &str, size, uses: &[Use]| Image::new(gpu, ImageDesc::new(name, size, Format::Rgba16F, uses));
        let uses = [Use::Color, Use::Sample, Use::Storage];
        let joined = image("light with particles", joined, &uses)?;
        Ok(Self { image: image("particles", size, &uses)?, joined, sums: None })
    }

    fn sums(&mut self, gpu: &Arc<Gpu>) -> Result<&mut LightSums> {
        let sums = match self.sums.take() {
            Some(sums) => sums,
            None => {
                let buffer = Buffer::new(gpu, "particle sums", sums_bytes(self.image.size()), Memory::Device)?;
                LightSums { buffer, are_zero: false }
            }
        };
        Ok(self.sums.insert(sums))
    }
}

impl Scene<'_> {
    fn named(&self, frame: &mut Frame) -> Result<Vec<(&'static str, Resource)>> {
        let motion = frame.data("particles motion", &[self.motion])?;
        let look = frame.data("particles look", &[self.look])?;
        let nearest = |view: &ImageView| view.clone().through(Sampler::NearestClamp);
        Ok(vec![
            ("motion", motion.into()),
            ("look", look.into()),
            ("From", self.state.into()),
            ("shadow_map", nearest(&self.world.shadow.depth).into()),
            ("depths", nearest(&self.world.depth).into()),
        ])
    }

    fn groups(&self) -> [u32; 3] {
        [self.motion.count.div_ceil(256), 1, 1]
    }
}

impl Painters {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            sprites: Default::default(),
            splats: Default::default(),
            resolve: Default::default(),
            join: Default::default(),
            tallies: Default::default(),
            views: Default::default(),
        }
    }

    fn sprite(&self, kind: u32, points: bool) -> Result<RasterPipeline> {
        self.sprites.get((kind, points), |(kind, points)| {
            let vertex = if *points { "particles/points.vert" } else { "particles/quads.vert" };
            let desc = RasterDesc {
                shaders: [vertex, "particles/sprite.frag"].map(String::from).to_vec(),
                color: vec![Format::Rgba16F],
                blend: Blend::Add,
                vertices: points.then(VertexLayout::of::<ParticleState>),
                points: *points,
                constants: vec![("KIND".into(), *kind)],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_struct::<LookBlock>("look")
        })
    }

    fn with_kind(&self, shader: &str, constants: &[(&str, u32)]) -> Result<ComputePipeline> {
        let pipeline = ComputePipeline::new(&self.gpu, shader, constants)?;
        pipeline.with_struct::<LookBlock>("look")?.with_struct::<MotionBlock>("motion")
    }

    pub fn draw(
        &self,
        frame: &mut Frame,
        method: Draw,
        scene: &Scene<'_>,
        light: &ImageView,
        layer: &mut Layer,
    ) -> Result<()> {
        let method = if self.gpu.policy().can_draw || method == Draw::Discs { method } else { Draw::Splat };
        match method {
            Draw::Discs | Draw::Splat => {
                let LightSums { buffer, are_zero } = layer.sums(&self.gpu)?;
                let (sums, are_zero) = (buffer.clone(), std::mem::replace(are_zero, false));
                match are_zero {
                    true => self.add(frame, method, scene, &sums)?,
                    false => self.splat(frame, method, scene, &sums)?,
                }
                let joins = light.size() == layer.image.size();
                self.resolve(frame, &sums, layer, joins.then_some(light))?;
                layer.sums(&self.gpu)?.are_zero = true;
                if joins {
                    return Ok(());
                }
            }
            Draw::Auto | Draw::Quads | Draw::Points => {
                if let Some(sums) = &mut layer.sums {
                    sums.are_zero = false;
                }
                self.raster(frame, method == Draw::Points, scene, layer)?;
            }
        }
        self.join(frame, light, layer)
    }

    fn raster(&self, frame: &mut Frame, points: bool, scene: &Scene<'_>, layer: &Layer) -> Result<()> {
        let (pipeline, named) = (self.sprite(scene.kind, points)?, scene.named(frame)?);
        let draw = match points {
            true => pipeline.draw(scene.motion.count).vertices(scene.state),
            false => pipeline.draw(6 * scene.motion.count),
        };
        let target = layer.image.mip(0);
        frame.raster("particles/draw").color(&target, Some([0.0; 4])).draw(draw.bind_named(named)).finish()
    }

    /// With `light`, also the light with the layer.
    fn resolve(&self, frame: &mut Frame, sums: &Buffer, layer: &Layer, light: Option<&ImageView>) -> Result<()> {
        let pipeline = self.resolve.get(light.is_some(), |joins| {
            let variant = if *joins { "joined" } else { "layer" };
            ComputePipeline::new(&self.gpu, &format!("particles/resolve.comp:{variant}"), &[])
        })?;
        let mut pass = frame.compute("particles/resolve", &pipeline).bind("Sums", sums).bind("layer", &layer.image);
        if let Some(light) = light {
            pass = pass.bind("joined", &layer.joined).bind("world", light.clone().through(Sampler::NearestClamp));
        }
        pass.dispatch(layer.image.size())
    }

    /// Whole numbers, in a buffer of [`sums_bytes`].
    pub fn splat(&self, frame: &mut Frame, method: Draw, scene: &Scene<'_>, sums: &Buffer) -> Result<()> {
        frame.fill("particles/clear", sums, 0)?;
        self.add(frame, method, scene, sums)
    }

    fn add(&self, frame: &mut Frame, method: Draw, scene: &Scene<'_>, sums: &Buffer) -> Result<()> {
        let pipeline = self.splats.get((scene.kind, method == Draw::Discs), |(kind, discs)| {
            let variant = if *discs { "disc" } else { "four" };
            self.with_kind(&format!("particles/splat.comp:{variant}"), &[("KIND", *kind)])
        })?;
        let named = scene.named(frame)?;
        let pass = frame.compute("particles/splat", &pipeline).bind_named(named).bind("Sums", sums);
        pass.dispatch_groups(scene.groups())
    }

    fn join(&self, frame: &mut Frame, light: &ImageView, layer: &Layer) -> Result<()> {
        let pipeline = self.join.get(light.size() != layer.image.size(), |enlarges| {
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "particles/join.frag"].map(String::from).to_vec(),
                color: vec![Format::Rgba16F],
                constants: vec![("ENLARGES".into(), u32::from(*enlarges))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)
        })?;
        let (world, above) = (light.clone().through(Sampler::NearestClamp), layer.image.mip(0));
        let draw = pipeline.draw(3).bind("world", world).bind("layer", above.through(Sampler::LinearClamp));
        frame.raster("particles/join").color(&layer.joined.mip(0), None).draw(draw).finish()
    }

    /// 0 density, 1 age, 2 speed, 3 tiles of `tile` bodies.
    pub fn view(
        &self,
        frame: &mut Frame,
        view: u32,
        tile: u32,
        scene: &Scene<'_>,
        tallies: &Buffer,
        picture: &ImageView,
    ) -> Result<()> {
        let pipeline = self.tallies.get((view, tile), |(figure, tile)| {
            self.with_kind("particles/tally.comp", &[("FIGURE", *figure), ("TILE", *tile)])
        })?;
        let named = scene.named(frame)?;
        frame.fill("particles/clear", tallies, 0)?;
        let pass = frame.compute("particles/tally", &pipeline).bind_named(named).bind("Tallies", tallies);
        pass.dispatch_groups(scene.groups())?;
        let pipeline = self.views.get(view, |view| {
            ComputePipeline::new(&self.gpu, "particles/view.comp", &[("FIGURE", *view)])?.with_push::<ViewPush>()
        })?;
        let push = ViewPush { size: UVec2::from_array(scene.world.depth.size()) };
        let pass = frame.compute("particles/view", &pipeline).bind("Tallies", tallies).bind("picture", picture);
        pass.push(&push).dispatch(picture.size())
    }
}
