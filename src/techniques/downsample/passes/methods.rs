//! GPU passes of the methods.

use crate::{
    plan,
    settings::{DownsampleSettings, Light, Method, Source},
    work,
};
use gpu::{
    ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, PipelineCache, RasterDesc,
    RasterPipeline, Result, Sampler, Use, full_chain, gpu_struct,
};
use std::{collections::HashMap, sync::Arc};
use technique::{FrameContext, Sums, SumsRequest};

gpu_struct! {
    struct SizePush { size: [i32; 2] }
}

gpu_struct! {
    struct MipPush { level: i32, next: f32 }
}

gpu_struct! {
    struct SumsPush { from: [i32; 2], pitch: u32, plane: u32, scale: f32 }
}

pub struct DownsampleInput<'a> {
    /// sRGB-encoded values, with a view of its sRGB format.
    pub picture: &'a ImageView,
    pub chain: Option<ChainSource>,
    pub sums: Option<Sums>,
}

impl<'a> DownsampleInput<'a> {
    pub fn of(context: &'a FrameContext) -> Self {
        Self { picture: &context.picture, chain: ChainSource::of(context), sums: context.sums.clone() }
    }
}

pub fn sums_request(settings: &DownsampleSettings, picture: &ImageView) -> Option<SumsRequest> {
    let reads_sums = settings.method == Method::Table && settings.source == Source::Picture;
    let to = plan::result_size(settings, picture.size());
    let linear = settings.light == Light::Linear;
    let unit = plan::unit(picture.size(), to, if linear { 65535 } else { 255 });
    reads_sums.then(|| SumsRequest { picture: decoded(picture, linear), unit })
}

#[derive(Clone)]
pub struct ChainSource {
    pub chain: Image,
    /// By (1 2 1) / 4; otherwise means alone.
    pub is_tent: bool,
}

impl ChainSource {
    pub fn of(context: &FrameContext) -> Option<Self> {
        Some(Self { chain: context.chain.clone(), is_tent: context.chain_is_tent })
    }
}

pub struct OwnedInput {
    pub picture: ImageView,
    pub chain: Option<ChainSource>,
    pub sums: Option<Sums>,
}

impl OwnedInput {
    pub fn as_input(&self) -> DownsampleInput<'_> {
        DownsampleInput { picture: &self.picture, chain: self.chain.clone(), sums: self.sums.clone() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Texels {
    Floats,
    Halves,
    Bytes,
}

impl Texels {
    fn format(self) -> Format {
        match self {
            Self::Floats => Format::Rgba32F,
            Self::Halves => Format::Rgba16F,
            Self::Bytes => Format::Rgba8,
        }
    }

    fn variant(self) -> &'static str {
        match self {
            Self::Floats => "f32",
            Self::Halves => "f16",
            Self::Bytes => "u8",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockReads {
    Pixels,
    Sampler,
    /// The mean of four that are fetched, for tests.
    Fours,
}

type Recipe = (String, Vec<(&'static str, u32)>);

pub struct Passes {
    gpu: Arc<Gpu>,
    pipelines: PipelineCache<Recipe>,
    draws: PipelineCache<(&'static str, Format), RasterPipeline>,
    images: HashMap<String, ImageSlot>,
    pub forced_reads: Option<BlockReads>,
}

struct Reduction<'a> {
    picture: &'a ImageView,
    source: ImageView,
    to: [u32; 2],
    result_texels: Texels,
    chain_texels: Texels,
    name: &'static str,
}

impl Passes {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let (pipelines, draws) = (PipelineCache::default(), PipelineCache::default());
        Self { gpu: gpu.clone(), pipelines, draws, images: HashMap::new(), forced_reads: None }
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn pipeline(&self, shader: &str, texels: Texels, constants: &[(&'static str, u32)]) -> Result<ComputePipeline> {
        let recipe = (format!("downsample/{shader}.comp:{}", texels.variant()), constants.to_vec());
        self.pipelines.get(recipe, |(shader, constants)| ComputePipeline::new(&self.gpu, shader, constants))
    }

    fn image(&mut self, name: &str, size: [u32; 2], texels: Texels) -> Result<ImageView> {
        let uses = [Use::Sample, Use::Storage, Use::Color];
        let desc = ImageDesc::new(&format!("downsample {name}"), size, texels.format(), &uses);
        Ok(self.images.entry(name.into()).or_default().fit(&self.gpu, desc)?.mip(0))
    }

    /// With NaN, or transparent black.
    pub fn spoil(&self, frame: &mut Frame) -> Result<()> {
        self.images.values().filter_map(ImageSlot::get).try_for_each(|image| {
            let value = if image.format() == Format::Rgba8 { 0.0 } else { f32::NAN };
            frame.clear("setup/spoil", &image.all(), [value; 4])
        })
    }

    pub fn mean_chain(&self, frame: &mut Frame, picture: &ImageView) -> Result<ChainSource> {
        let (size, mips) = (picture.size(), full_chain(picture.size()));
        let desc = ImageDesc::new("chain of means", size, Format::Rgba16F, &[Use::Sample, Use::Storage]).mips(mips);
        let chain = Image::new(&self.gpu, desc)?;
        let copy = self.pipeline("step", Texels::Halves, &[("READS", 2)])?;
        let pass = frame.compute("downsample/level 0", &copy).bind("above", nearest(&decoded(picture, true)));
        pass.bind("result", chain.mip(0)).dispatch(size)?;
        let mean = self.pipeline("area", Texels::Halves, &[("TEAM", 1), ("ACROSS", 1)])?;
        for level in 1..mips {
            let (above, below) = (nearest(&chain.mip(level - 1)), chain.mip(level));
            let pass = frame.compute(format!("downsample/level {level}"), &mean).bind("above", above);
            let [width, height] = below.size();
            pass.bind("result", &below).dispatch_groups([width.div_ceil(64), height, 1])?;
        }
        Ok(ChainSource { chain, is_tent: false })
    }

    /// An error where the method reads a chain and there is none.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<ImageView> {
        let linear = settings.light == Light::Linear;
        let reduction = Reduction {
            picture: input.picture,
            source: decoded(input.picture, linear),
            to: plan::result_size(settings, input.picture.size()),
            result_texels: if linear { Texels::Floats } else { Texels::Bytes },
            chain_texels: if linear { Texels::Halves } else { Texels::Bytes },
            name: "result",
        };
        match settings.method {
            Method::Nearest => self.gather(frame, &reduction, 1),
            Method::Bilinear => self.gather(frame, &reduction, 2),
            Method::Bicubic => self.gather(frame, &reduction, 4),
            Method::RasterChain => self.draw_chain(frame, &reduction),
            Method::BlitChain => self.blit_chain(frame, &reduction, linear),
            Method::AreaFragment => self.draw_area(frame, &reduction),
            Method::AreaCompute => self.area(frame, &reduction, settings.hardware_filter),
            Method::CatmullRom => self.scaled(frame, &reduction, 1),
            Method::Mitchell => self.scaled(frame, &reduction, 2),
            Method::Lanczos3 => self.scaled(frame, &reduction, 3),
            Method::Tap13 => self.read_chain(frame, &reduction, 0),
            Method::Kawase => self.read_chain(frame, &reduction, 1),
            Method::MipChain => match &input.chain {
                Some(source) => self.mip(frame, &reduction, source),
                // Box levels are the exact mean at the same ratios.
                None => self.area(frame, &reduction, settings.hardware_filter),
            },
            Method::Table => match &input.sums {
                Some(sums) => self.boxes(frame, &reduction, sums),
                None => self.area(frame, &reduction, settings.hardware_filter),
            },
        }
    }

    pub fn mean(&mut self, frame: &mut Frame, picture: &ImageView, to: [u32; 2], light: Light) -> Result<ImageView> {
        let source = decoded(picture, light == Light::Linear);
        let (result_texels, chain_texels) = (Texels::Floats, Texels::Floats);
        self.area(frame, &Reduction { picture, source, to, result_texels, chain_texels, name: "mean" }, false)
    }

    fn gather(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, taps: u32) -> Result<ImageView> {
        let result = self.image(reduction.name, reduction.to, reduction.result_texels)?;
        let kernel = if taps == 4 { 1 } else { 0 };
        let pipeline = self.pipeline("gather", reduction.result_texels, &[("KERNEL", kernel), ("TAPS", taps)])?;
        let pass = frame.compute("downsample/gather", &pipeline).bind("above", nearest(&reduction.source));
        let pass = pass.counted(|| work::gather(&reduction.source, &result, taps));
        pass.bind("result", &result).dispatch(reduction.to)?;
        Ok(result)
    }

    fn scaled(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, kernel: u32) -> Result<ImageView> {
        let narrow = self.image("narrow", [reduction.to[0], reduction.source.size()[1]], Texels::Floats)?;
        let result = self.image(reduction.name, reduction.to, reduction.result_texels)?;
        let reach = if kernel == 3 { 3 } else { 2 };
        for (axis, above, below, texels) in
            [(0, &reduction.source, &narrow, Texels::Floats), (1, &narrow, &result, reduction.result_texels)]
        {
            let pipeline = self.pipeline("scaled", texels, &[("KERNEL", kernel), ("AXIS", axis), ("REACH", reach)])?;
            let name = ["downsample/across", "downsample/down"][axis as usize];
            let pass = frame.compute(name, &pipeline).bind("above", nearest(above));
            pass.bind("result", below).dispatch(below.size())?;
        }
        Ok(result)
    }

    fn area(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, hardware_filter: bool) -> Result<ImageView> {
        let from = reduction.source.size();
        if let Some(ratio) = plan::block(from, reduction.to) {
            // Beyond 4096 pixels a coordinate is too coarse, except for powers of two.
            let exact = from.iter().all(|n| *n <= 4096 || n.is_power_of_two()) && !self.gpu.policy().runs_on_cpu;
            let own = if hardware_filter && exact { BlockReads::Sampler } else { BlockReads::Pixels };
            let reads = self.forced_reads.unwrap_or(own);
            let result = self.image(reduction.name, reduction.to, reduction.result_texels)?;
            let (pair, each) = if reads == BlockReads::Pixels { (1, 32) } else { (2, 8) };
            let sampled = u32::from(reads == BlockReads::Sampler);
            let constants = [("RATIO", ratio), ("PAIR", pair), ("RUN", each.min(ratio / pair)), ("SAMPLED", sampled)];
            let pipeline = self.pipeline("block", reduction.result_texels, &constants)?;
            let above = reduction.source.clone().through(Sampler::LinearClamp);
            let pass = frame.compute("downsample/blocks", &pipeline).bind("above", above).bind("result", &result);
            pass.dispatch_groups([from[0].div_ceil(64), from[1].div_ceil(32), 1])?;
            return Ok(result);
        }
        let sizes = plan::means(from, reduction.to);
        let mut above = reduction.source.clone();
        for (at, size) in sizes.iter().enumerate() {
            let is_last = at + 1 == sizes.len();
            let texels = if is_last { reduction.result_texels } else { Texels::Floats };
            let name = if is_last { reduction.name } else { "narrow" };
            let below = self.image(name, *size, texels)?;
            let covered = [0, 1].map(|axis| above.size()[axis].div_ceil(size[axis])).iter().product();
            let across: u32 = match covered {
                0..=4 => 1,
                5..=64 => 2,
                65..=512 => 4,
                _ => 8,
            };
            let team = across * across;
            let pipeline = self.pipeline("area", texels, &[("TEAM", team), ("ACROSS", across)])?;
            let pass = frame.compute("downsample/area", &pipeline).bind("above", nearest(&above));
            pass.bind("result", &below).dispatch_groups([size[0].div_ceil(64 / team), size[1], 1])?;
            above = below;
        }
        Ok(above)
    }

    fn draw(
        &self,
        frame: &mut Frame,
        name: &str,
        shader: &'static str,
        above: &ImageView,
        below: &ImageView,
    ) -> Result<()> {
        let pipeline = self.draws.get((shader, below.format()), |(shader, format)| {
            let desc = RasterDesc {
                shaders: vec!["include/screen.vert".into(), format!("downsample/{shader}.frag")],
                color: vec![*format],
                constants: vec![("TO_BYTES".into(), u32::from(*format == Format::Rgba8))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<SizePush>()
        })?;
        let push = SizePush { size: below.size().map(|side| side as i32) };
        let draw = pipeline.draw(3).bind("above", above).push(&push);
        frame.raster(name).color(below, None).draw(draw).finish()
    }

    fn draw_area(&mut self, frame: &mut Frame, reduction: &Reduction<'_>) -> Result<ImageView> {
        let sizes = plan::means(reduction.source.size(), reduction.to);
        let mut above = reduction.source.clone();
        for (at, size) in sizes.iter().enumerate() {
            let is_last = at + 1 == sizes.len();
            let texels = if is_last { reduction.result_texels } else { Texels::Floats };
            let below = self.image(if is_last { reduction.name } else { "narrow" }, *size, texels)?;
            self.draw(frame, "downsample/area", "area", &nearest(&above), &below)?;
            above = below;
        }
        Ok(above)
    }

    fn levels(&mut self, reduction: &Reduction<'_>) -> Result<Vec<(ImageView, Texels)>> {
        let sizes = plan::halvings(reduction.source.size(), reduction.to);
        let level = |(at, size): (usize, &[u32; 2])| {
            let is_last = at + 1 == sizes.len();
            let (name, texels) = if is_last {
                (reduction.name.into(), reduction.result_texels)
            } else {
                (format!("level {}", at + 1), reduction.chain_texels)
            };
            Ok((self.image(&name, *size, texels)?, texels))
        };
        sizes.iter().enumerate().map(level).collect()
    }

    fn draw_chain(&mut self, frame: &mut Frame, reduction: &Reduction<'_>) -> Result<ImageView> {
        let mut above = reduction.source.clone();
        for (at, (below, _)) in (1..).zip(self.levels(reduction)?) {
            let linear = above.through(Sampler::LinearClamp);
            self.draw(frame, &format!("downsample/level {at}"), "halve", &linear, &below)?;
            above = below;
        }
        Ok(above)
    }

    fn read_chain(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, reads: u32) -> Result<ImageView> {
        let mut above = reduction.source.clone();
        for (at, (below, texels)) in (1..).zip(self.levels(reduction)?) {
            let pipeline = self.pipeline("step", texels, &[("READS", reads)])?;
            let pass = frame.compute(format!("downsample/level {at}"), &pipeline);
            let pass = pass.bind("above", above.through(Sampler::LinearClamp)).bind("result", &below);
            pass.dispatch(below.size())?;
            above = below;
        }
        Ok(above)
    }

    fn blit_chain(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, linear: bool) -> Result<ImageView> {
        // A blit sees an image as it was made.
        let mut above = if linear {
            let (size, copy) = (reduction.source.size(), 2);
            let top = self.image("level 0", size, reduction.chain_texels)?;
            let pipeline = self.pipeline("step", reduction.chain_texels, &[("READS", copy)])?;
            let pass = frame.compute("downsample/level 0", &pipeline).bind("above", nearest(&reduction.source));
            pass.bind("result", &top).dispatch(size)?;
            top
        } else {
            reduction.picture.clone()
        };
        for (at, (below, _)) in (1..).zip(self.levels(reduction)?) {
            frame.blit(&format!("downsample/level {at}"), &above, &below)?;
            above = below;
        }
        Ok(above)
    }

    fn boxes(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, sums: &Sums) -> Result<ImageView> {
        let from = reduction.source.size();
        if sums.size != from {
            let ([w, h], [sw, sh]) = (from, sums.size);
            let problem = format!("tables of {sw}x{sh} were given for a picture of {w}x{h}");
            return Err(Error::Pass { pass: "downsample/table".into(), problem });
        }
        let result = self.image(reduction.name, reduction.to, reduction.result_texels)?;
        let pipeline = self.pipeline("table", reduction.result_texels, &[])?.with_push::<SumsPush>()?;
        let push = SumsPush {
            from: from.map(|side| side as i32),
            pitch: sums.pitch,
            plane: sums.plane,
            scale: 1.0 / sums.unit,
        };
        let pass = frame.compute("downsample/table", &pipeline).bind("Sums", &sums.words);
        pass.bind("result", &result).push(&push).dispatch(reduction.to)?;
        Ok(result)
    }

    fn mip(&mut self, frame: &mut Frame, reduction: &Reduction<'_>, source: &ChainSource) -> Result<ImageView> {
        let chain = &source.chain;
        if chain.size() != reduction.source.size() {
            let ([w, h], [cw, ch]) = (reduction.source.size(), chain.size());
            let problem = format!("a chain of {cw}x{ch} was given for a picture of {w}x{h}");
            return Err(Error::Pass { pass: "downsample/mip".into(), problem });
        }
        let (level, next) =
            plan::place_in_chain(chain.size(), reduction.to, chain.mips().min(full_chain(chain.size())));
        let result = self.image(reduction.name, reduction.to, reduction.result_texels)?;
        let pipeline = self.pipeline("mip", reduction.result_texels, &[])?.with_push::<MipPush>()?;
        let pass = frame.compute("downsample/mip", &pipeline).bind("chain", nearest(&chain.all()));
        pass.bind("result", &result).push(&MipPush { level: level as i32, next }).dispatch(reduction.to)?;
        Ok(result)
    }
}

fn decoded(picture: &ImageView, linear: bool) -> ImageView {
    let format = picture.format();
    picture.clone().as_format(if linear { format.decoding() } else { format.encoded() })
}

fn nearest(view: &ImageView) -> ImageView {
    view.clone().through(Sampler::NearestClamp)
}
