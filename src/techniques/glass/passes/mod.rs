//! Structures shared with the shaders, pipelines and passes of the glass.

pub mod compute_path;
pub mod stack;
pub mod uniforms;
pub mod variants;

use self::compute_path::{ComputeConstants, groups, tiles_of};
use self::uniforms::{GlassBlock, GlassPush, GpuLens};
use self::variants::{Variant, Variants, kernel, raster, shader_optics};
use super::frost::blur::SHARP_SIGMA;
use super::frost::preblur::Region;
use super::frost::{Frost, PreblurImages, UvTransform};
use super::lens::tiles::{Outskirts, Own, Part, Span, Spans, bounds, spans};
use super::light::luminance_adaptation::Adapt;
use super::settings::SourceBlur;
use super::text::contrast::Legible;
use super::text::fields::Fields;
use super::text::shading::{Place, Shading};
use super::views;
use crate::bin::{self, BLOCK, Bins, Scope, pass as bin_pass};
use crate::settings::Glass;
use base::boxes;
use glam::{IVec2, UVec2, Vec2};
use gpu::{Buffer, Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterPipeline, Result, Sampler};
use scene::Blur;
use std::sync::Arc;
use technique::{BoxBlur, DrawnBy, Output, drawn_by::stored};

/// Pixels, both ways, in the mode "source": F = 1e-4 at 0.158 of the window's height.
pub fn source_half_extent(size: Vec2) -> f32 {
    0.5 * size.y * 1e-4_f32.powf(0.125)
}

#[derive(Clone, Copy)]
pub struct GlassInput<'a> {
    /// Display values.
    pub picture: &'a ImageView,
    /// Linear light; level 0 has the same size.
    pub chain: &'a Image,
    /// Other than `picture` if a view is below the glass.
    pub behind: &'a ImageView,
    pub around: &'a Image,
    pub boxed: Option<&'a BoxBlur>,
}

/// For a view or a comparison.
#[derive(Clone, Copy)]
pub struct BlurInput<'a> {
    /// Linear light.
    pub chain: &'a Image,
    pub boxed: Option<&'a BoxBlur>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxBlurRequest {
    /// Pixels.
    pub sigma: f32,
    pub part: boxes::Part,
}

impl BoxBlurRequest {
    pub fn around(sigma: f32, area: Region) -> Self {
        Self { sigma, part: [(area.0 - 1).to_array(), (area.1 + 1).to_array()] }
    }
}

impl Glass {
    pub fn boxes(&self, full: [u32; 2]) -> Option<BoxBlurRequest> {
        if self.blur != Blur::Table || self.block.frost <= SHARP_SIGMA {
            return None;
        }
        Some(BoxBlurRequest::around(self.block.frost, shown_area(self, full)?))
    }
}

/// Who makes the bins of several lenses; the picture is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BinnedBy {
    /// The processor for a few lenses, and for draws.
    #[default]
    Auto,
    Processor,
    /// Where the lens is a dispatch.
    Gpu,
}

/// Up to here bins are made sooner by the processor than by a further dispatch.
const FEW: usize = 8;

pub struct Passes {
    gpu: Arc<Gpu>,
    pub lens: Variants,
    pub by: DrawnBy,
    pub binned_by: BinnedBy,
    bin: bin_pass::BinPass,
    /// Of each dispatch of a frame.
    rooms: Vec<Room>,
    source: PipelineCache<(u32, Format), RasterPipeline>,
    view: PipelineCache<(u32, [bool; 2])>,
    pub adapt: Option<Adapt>,
    pub frosted: Option<Output>,
    pub brightness: Option<Output>,
}

/// What bodies that are drawn together keep.
struct Room {
    fields: Fields,
    shading: Shading,
    frost: Frost,
    bins: Option<Buffer>,
}

impl Room {
    fn new(gpu: &Arc<Gpu>) -> Result<Room> {
        Ok(Room { fields: Fields::new(gpu), shading: Shading::new(gpu), frost: Frost::new(gpu)?, bins: None })
    }
}

/// Buffers of the bodies that are drawn together.
pub struct Bound {
    /// Of one body as uniforms.
    pub glass: Buffer,
    pub lenses: Buffer,
    pub bins: Buffer,
    pub fields: Buffer,
    pub several: bool,
}

/// Who bins, and what the shaders need.
enum Plan {
    /// One lens, or none: far from everything.
    Single,
    ByProcessor(Scope, Bins),
    /// And the number of words.
    ByGpu(Vec<Scope>, u32),
}

impl Passes {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Passes> {
        Ok(Passes {
            gpu: gpu.clone(),
            lens: Variants::new(gpu),
            by: DrawnBy::Auto,
            binned_by: BinnedBy::Auto,
            bin: bin_pass::BinPass::new(gpu),
            rooms: vec![Room::new(gpu)?],
            source: Default::default(),
            view: Default::default(),
            adapt: Default::default(),
            frosted: Default::default(),
            brightness: Default::default(),
        })
    }

    /// The only glass of a frame.
    pub fn record_lens(
        &mut self,
        frame: &mut Frame,
        below: GlassInput,
        glass: &Glass,
        target: &ImageView,
    ) -> Result<()> {
        self.begin();
        self.record_bodies(frame, 0, below, std::slice::from_ref(glass), target)
    }

    /// Of a frame.
    pub fn begin(&mut self) {
        (self.frosted, self.brightness) = (None, None);
        self.adapt.iter_mut().for_each(Adapt::begin);
    }

    /// Bodies that can be drawn together, in the order of the first of each group.
    pub fn groups(&self, glasses: Vec<Glass>, target: &ImageView) -> Vec<Vec<Glass>> {
        let size = UVec2::from_array(target.size());
        if !self.by.computes(&self.gpu, target) || glasses.len() < 2 {
            return glasses.into_iter().map(|glass| vec![glass]).collect();
        }
        let mut groups: Vec<Group> = Vec::new();
        for glass in glasses {
            let Some(drawn) = bounds(&glass.lenses, &glass.outskirts(), size) else { continue };
            let words =
                bin::scope(&glass, size, false).map_or(0, |scope| bin_pass::words(&scope, glass.lenses.lens.len()));
            let is_alone = glass.is_legible || !glass.is_bounded || glass.blur == Blur::Table;
            let frost =
                if glass.block.frost > SHARP_SIGMA { [glass.block.frost, glass.block.frosted] } else { [0.0; 2] };
            let key =
                GroupKey { constants: ComputeConstants::new(&glass, target.format()).key(), blur: glass.blur, frost };
            let touches = |other: &Group| other.drawn.iter().any(|other| meets(*other, drawn));
            let joined = groups.iter().rposition(|other| !is_alone && !other.is_alone && other.key == key);
            let joined = joined.filter(|at| !groups[*at..].iter().any(touches));
            match joined.and_then(|at| groups.get_mut(at)).filter(|group| group.words + words <= bin_pass::MOST_WORDS) {
                Some(group) => {
                    group.glasses.push(glass);
                    group.drawn.push(drawn);
                    group.words += words;
                }
                None => groups.push(Group { key, is_alone, glasses: vec![glass], drawn: vec![drawn], words }),
            }
        }
        groups.into_iter().map(|group| group.glasses).collect()
    }

    fn plan(&self, glasses: &[Glass], size: UVec2, everywhere: bool, on_gpu: bool) -> Option<Plan> {
        let [glass] = glasses else {
            let scopes: Vec<Scope> = glasses.iter().filter_map(|glass| bin::scope(glass, size, everywhere)).collect();
            let words =
                scopes.iter().zip(glasses).map(|(scope, glass)| bin_pass::words(scope, glass.lenses.lens.len()));
            let words = words.sum();
            return (scopes.len() == glasses.len()).then_some(Plan::ByGpu(scopes, words));
        };
        let count = glass.lenses.lens.len();
        if count == 0 {
            return None;
        }
        if count == 1 {
            return Some(Plan::Single);
        }
        let scope = bin::scope(glass, size, everywhere)?;
        let by_gpu = on_gpu
            && glass.is_bounded
            && match self.binned_by {
                BinnedBy::Auto => count > FEW,
                BinnedBy::Processor => false,
                BinnedBy::Gpu => true,
            };
        Some(if by_gpu {
            Plan::ByGpu(vec![scope], bin_pass::words(&scope, count))
        } else {
            Plan::ByProcessor(scope, bin::bins(glass, &scope, size))
        })
    }

    /// `block`: of each body, with what its passes made.
    fn bind(
        &mut self,
        frame: &mut Frame,
        room: usize,
        glasses: &[Glass],
        plan: &Plan,
        block: impl Fn(&Glass) -> GlassBlock,
    ) -> Result<(Bound, Option<Buffer>)> {
        let lenses = || glasses.iter().flat_map(|glass| &glass.lenses.lens);
        let list = GpuLens::of(lenses());
        let (mut first, mut first_word) = (0, 0);
        let mut blocks = Vec::with_capacity(glasses.len());
        for (at, glass) in glasses.iter().enumerate() {
            let block = GlassBlock { first, bend: bin::bend(glass), ..block(glass) };
            first += block.count;
            let scope = match plan {
                Plan::Single => None,
                Plan::ByProcessor(scope, _) => Some(scope),
                Plan::ByGpu(scopes, _) => scopes.get(at),
            };
            blocks.push(match scope {
                Some(scope) => bin_pass::with_grid(block, scope, first_word),
                None => GlassBlock { lens: list.first().copied().unwrap_or(GpuLens::FAR), ..block },
            });
            first_word += scope.map_or(0, |scope| bin_pass::words(scope, glass.lenses.lens.len()));
        }
        let glass = frame.data("glass", &blocks)?;
        let fields = self.rooms[room].fields.record(frame, lenses())?;
        // The first value of a block is its lens.
        let lenses = if matches!(plan, Plan::Single) { glass.clone() } else { frame.data("glass lenses", &list)? };
        let (bins, list) = match plan {
            Plan::Single => (glass.clone(), None),
            Plan::ByProcessor(_, bins) => (frame.data("glass bins", &bins.words)?, None),
            Plan::ByGpu(scopes, words) => {
                let blocks = frame.data("glass blocks", &bin_pass::blocks(scopes))?;
                let kept = &mut self.rooms[room].bins;
                let bins = self.bin.record(frame, [&glass, &lenses, &fields, &blocks], kept, *words)?;
                (bins, Some(blocks))
            }
        };
        Ok((Bound { glass, lenses, bins, fields, several: !matches!(plan, Plan::Single) }, list))
    }

    /// Of one group, in the room with this number.
    pub fn record_bodies(
        &mut self,
        frame: &mut Frame,
        room: usize,
        below: GlassInput,
        glasses: &[Glass],
        target: &ImageView,
    ) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let computes = self.by.computes(&self.gpu, target);
        let Some(first) = glasses.first() else { return Ok(()) };
        let Some(plan) = self.plan(glasses, size, false, computes) else { return Ok(()) };
        let spans = match &plan {
            Plan::Single => spans_of(first, size),
            Plan::ByProcessor(_, bins) => bins.spans.clone(),
            Plan::ByGpu(..) => Spans::default(),
        };
        if spans.list.is_empty() && !matches!(plan, Plan::ByGpu(..)) {
            return Ok(());
        }
        while self.rooms.len() <= room {
            self.rooms.push(Room::new(&self.gpu)?);
        }
        let frosted = self.record_frost(frame, room, below, glasses)?;
        if room == 0 {
            self.frosted = frosted.as_ref().map(|frosted| {
                let (first, size) = (frosted.made.0.to_array(), (frosted.made.1 - frosted.made.0).to_array());
                Output::Image { view: frosted.view.clone(), first, size }
            });
        }
        let UvTransform { scale, shift } = frosted.as_ref().map(|made| made.place).unwrap_or_default();
        let shown = if first.is_legible { shown_area(first, below.chain.size()) } else { None };
        let shades = shown.map(|area| self.rooms[room].shading.place(area)).transpose()?;
        let (shade_first, shade_scale) = shades.as_ref().map(Place::first_and_scale).unwrap_or_default();
        let block = |glass: &Glass| GlassBlock {
            frosted_scale: scale,
            frosted_shift: shift,
            shade_first,
            shade_scale,
            ..glass.block
        };
        let (bound, blocks) = self.bind(frame, room, glasses, &plan, block)?;
        if let Some(adapt) = &mut self.adapt {
            adapt.record(frame, below.chain, glasses, &bound.lenses)?;
            self.brightness = adapt.output();
        }
        if let Some(shades) = &shades {
            self.rooms[room].shading.record(frame, below.chain, &bound, shader_optics(first), shades)?;
        }
        let chain = below.chain.all().through(Sampler::LinearMirror);
        let around = below.around.all().through(Sampler::LinearMirror);
        let frost = frosted.map_or_else(|| chain.clone(), |made| made.view);
        let shades = shades.map_or_else(|| chain.clone(), |shades| shades.view());
        let Bound { glass, lenses, bins, fields, .. } = &bound;
        if let [glass] = glasses {
            self.lens.make_ahead(glass, target.format(), computes);
        }
        if computes {
            let constants = ComputeConstants::of_all(glasses, target.format(), blocks.is_some());
            let Some(constants) = constants else { return Ok(()) };
            let pipeline = self.lens.computed(constants)?;
            let (tiles, count) = match blocks {
                Some(blocks) => {
                    let count = blocks.size() / 8 * u64::from(BLOCK * BLOCK);
                    (blocks, count as usize)
                }
                None => {
                    let list = tiles_of(&spans);
                    (frame.data("glass tiles", &list)?, list.len())
                }
            };
            let pass = frame.compute("glass/lens", &pipeline).bind("tiles", tiles).bind("shades", &shades);
            let pass = pass.bind(constants.values(), glass).bind("fields", fields).bind("picture", stored(target).0);
            let pass = pass.bind("lenses", lenses).bind("bins", bins);
            let pass = pass.bind("around", &around).bind("chain", &chain).bind("frosted", &frost);
            return pass.push(&push(size)).dispatch_groups(groups(count));
        }
        let list = frame.data("glass spans", &spans.list)?;
        let mut draws = Vec::new();
        for (part, kind) in Part::ALL.into_iter().flat_map(|part| (0..Own::KINDS).map(move |kind| (part, kind))) {
            let (begin, count) = spans.of_kind(part, kind);
            if count == 0 {
                continue;
            }
            let variant = Variants::of_kind(Variant::new(part, first, target.format()), kind);
            let pipeline = self.lens.pipeline(variant)?;
            let push = GlassPush { first: begin, ..push(size) };
            let mut draw = pipeline.draw_instanced(6, count).bind("spans", &list).bind("glass", glass);
            draw = draw.bind("fields", fields).bind("lenses", lenses).bind("bins", bins);
            if part != Part::Face {
                draw = draw.bind("around", &around);
            }
            if part != Part::Shadow {
                draw = draw.bind("chain", &chain).bind("frosted", &frost).bind("shades", &shades);
            }
            draws.push(draw.push(&push));
        }
        let pass = frame.raster("glass/lens").color(target, None);
        draws.into_iter().fold(pass, |pass, draw| pass.draw(draw)).finish()
    }

    /// `mouse`: pixels. Nothing is drawn where the device cannot draw.
    pub fn record_source(
        &mut self,
        frame: &mut Frame,
        below: GlassInput,
        mouse: Vec2,
        blur: SourceBlur,
        target: &ImageView,
    ) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let reach = source_half_extent(size.as_vec2()) + 1.0;
        let low = (mouse - reach).max(Vec2::ZERO).floor().as_uvec2();
        let high = (mouse + reach).clamp(Vec2::ZERO, size.as_vec2()).ceil().as_uvec2();
        if low.cmpge(high).any() || !self.gpu.policy().can_draw {
            return Ok(());
        }
        let key = ((blur == SourceBlur::Mips) as u32, target.format());
        let pipeline = self.source.get(key, |(blur, format)| {
            raster(&self.gpu, "glass/source.frag", vec![("SOURCE_BLUR".into(), *blur)], *format)
        })?;
        let list = frame.data("glass spans", &[Span::of([low.x, low.y, high.x, high.y])])?;
        let draw = pipeline
            .draw_instanced(6, 1)
            .bind("spans", &list)
            .bind("picture", below.picture.clone().through(Sampler::LinearClamp))
            .bind("chain", below.chain.all().through(Sampler::LinearClamp))
            .bind("behind", below.behind.clone().through(Sampler::LinearClamp))
            .push(&GlassPush { mouse, ..push(size) });
        frame.raster("glass/source").color(target, None).draw(draw).finish()
    }

    /// A storage image; `mouse` as for the mode "source".
    pub fn record_view(
        &mut self,
        frame: &mut Frame,
        view: u32,
        glass: &Glass,
        mouse: Vec2,
        picture: &ImageView,
    ) -> Result<()> {
        let size = UVec2::from_array(picture.size());
        let glasses = std::slice::from_ref(glass);
        let plan = if view == views::LENSES_OF_TILE {
            let scope = bin::scope(glass, size, false);
            scope.map(|scope| Plan::ByProcessor(scope, bin::bins(glass, &scope, size)))
        } else {
            self.plan(glasses, size, true, !self.gpu.policy().runs_on_cpu)
        };
        let (bound, _) = self.bind(frame, 0, glasses, &plan.unwrap_or(Plan::Single), |glass| glass.block)?;
        let letters = glass.lenses.lens.iter().any(|lens| lens.letters.is_some());
        let key = (shader_optics(glass), [bound.several, letters]);
        let pipeline = self.view.get(key, |key| kernel(&self.gpu, "glass/view.comp", *key))?;
        let pass = frame.compute("glass/view", &pipeline).bind("glass", &bound.glass).bind("picture", picture);
        let pass = pass.bind("lenses", &bound.lenses).bind("bins", &bound.bins).bind("fields", &bound.fields);
        pass.push(&GlassPush { mouse, view, ..push(size) }).dispatch(picture.size())
    }

    pub fn record_shade_view(
        &mut self,
        frame: &mut Frame,
        glass: &Glass,
        chain: &Image,
        picture: &ImageView,
    ) -> Result<()> {
        let glass = if glass.is_legible { glass.clone() } else { glass.clone().shaded(Legible::of_ink(1.0)) };
        // The picture is written without a lens too.
        let area = shown_area(&glass, chain.size()).unwrap_or((IVec2::ZERO, IVec2::ONE));
        let shades = self.rooms[0].shading.place(area)?;
        let (shade_first, shade_scale) = shades.first_and_scale();
        let block = |glass: &Glass| GlassBlock { shade_first, shade_scale, ..glass.block };
        let size = UVec2::from_array(picture.size());
        let glasses = std::slice::from_ref(&glass);
        let plan = self.plan(glasses, size, true, !self.gpu.policy().runs_on_cpu);
        let (bound, _) = self.bind(frame, 0, glasses, &plan.unwrap_or(Plan::Single), block)?;
        self.rooms[0].shading.record(frame, chain, &bound, shader_optics(&glass), &shades)?;
        let pipeline = self.rooms[0].shading.view(bound.several)?;
        let pass = frame.compute("glass/shade view", &pipeline).bind("glass", &bound.glass).bind("picture", picture);
        let pass = pass.bind("lenses", &bound.lenses).bind("bins", &bound.bins);
        let pass = pass.bind("fields", &bound.fields).bind("shades", shades.view());
        pass.dispatch(picture.size())
    }

    /// For a comparison, which overwrites the output `frosted`.
    pub fn frost_for_comparison(&mut self) -> &mut Frost {
        self.frosted = None;
        &mut self.rooms[0].frost
    }

    #[cfg(test)]
    pub fn poison(&self, bench: &mut lab::TestBench) -> anyhow::Result<()> {
        self.rooms[0].frost.poison(bench)
    }

    /// They have one frost.
    fn record_frost(
        &mut self,
        frame: &mut Frame,
        room: usize,
        below: GlassInput,
        glasses: &[Glass],
    ) -> Result<Option<PreblurImages>> {
        let Some(first) = glasses.first().filter(|glass| glass.block.frost > SHARP_SIGMA) else { return Ok(None) };
        let areas = glasses.iter().filter_map(|glass| shown_area(glass, below.chain.size()));
        let Some(area) = areas.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return Ok(None) };
        self.rooms[room].frost.record(frame, below.chain, first.blur, first.block.frost, area, below.boxed)
    }
}

#[derive(Clone, PartialEq)]
struct GroupKey {
    constants: ComputeConstants,
    blur: Blur,
    frost: [f32; 2],
}

struct Group {
    key: GroupKey,
    is_alone: bool,
    glasses: Vec<Glass>,
    drawn: Vec<(UVec2, UVec2)>,
    words: u32,
}

fn meets(a: (UVec2, UVec2), b: (UVec2, UVec2)) -> bool {
    a.0.cmplt(b.1).all() && b.0.cmplt(a.1).all()
}

fn spans_of(glass: &Glass, size: UVec2) -> Spans {
    if glass.is_bounded { spans(&glass.lenses, &glass.outskirts(), size) } else { Spans::whole(size) }
}

/// May reach over the border.
pub fn shown_area(glass: &Glass, full: [u32; 2]) -> Option<Region> {
    shown_within(glass, full, glass.longest_offset())
}

fn shown_within(glass: &Glass, full: [u32; 2], longest_offset: f32) -> Option<Region> {
    let full = UVec2::from_array(full);
    let whole = Some((UVec2::ZERO, full));
    let (low, high) = if glass.is_bounded { bounds(&glass.lenses, &Outskirts::default(), full) } else { whole }?;
    let reach = IVec2::splat(longest_offset.ceil() as i32);
    Some((low.as_ivec2() - reach, high.as_ivec2() + reach))
}

/// 81 taps have no cut-off.
pub fn readable(glass: &Glass, full: [u32; 2]) -> Option<Region> {
    readable_within(glass, full, glass.longest_offset())
}

pub fn readable_within(glass: &Glass, full: [u32; 2], longest_offset: f32) -> Option<Region> {
    let shown = shown_within(glass, full, longest_offset)?;
    let full = UVec2::from_array(full);
    let (low, high) = bounds(&glass.lenses, &glass.outskirts(), full)?;
    let mirrors = bounds(&glass.lenses, &Outskirts::default(), full)?;
    let bevel = glass.lenses.lens.iter().map(|lens| lens.bevel).fold(0.0, f32::max);
    let (frost, mirror) = (IVec2::splat((6.0 * glass.block.frost_light) as i32 + 2), IVec2::splat(bevel.ceil() as i32));
    let low = low.as_ivec2().min(shown.0 - frost).min(mirrors.0.as_ivec2() - mirror);
    let high = high.as_ivec2().max(shown.1 + frost).max(mirrors.1.as_ivec2() + mirror);
    Some((low, high))
}

fn push(size: UVec2) -> GlassPush {
    GlassPush { size: size.as_vec2(), first: 0, mouse: Vec2::ZERO, view: 0 }
}
