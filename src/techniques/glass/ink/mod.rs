//! Text and other marks on the pieces of a motif, over the glass; and the ink that the pixels below allow, by measurement.

mod masks;

use crate::light::look_turn::{FADE_S, HOLD_S};
use glam::{UVec2, Vec2, Vec3};
use gpu::{
    Blend, Buffer, ComputePipeline, Delayed, Format, Frame, Gpu, ImageView, Memory, PipelineCache, RasterDesc,
    RasterPipeline, ReadBack, Result, Sampler, gpu_struct,
};
use masks::{Mask, MaskKey, Masks};
use scene::motif::{Figure, Ink, MOST_PIECES, Mark};
use std::sync::Arc;
use technique::Report;

gpu_struct! {
    struct GpuMark {
        low: Vec2, high: Vec2, color: Vec3, alpha: f32, radius: f32, width: f32, top: f32, piece: u32, kind: u32, first: u32, extent: [u32; 2],
    }
}

gpu_struct! {
    struct Ground { area: [u32; 4], piece: u32, is_new: u32 }
}

gpu_struct! {
    /// Of a piece: see shaders/glass/ink.glsl.
    pub struct InkState { pub light: f32, pub side: f32, pub opposed: f32, pub of_light: f32, pub of_dark: f32, pub pixels: f32 }
}

gpu_struct! {
    struct VotePush { held: f32, faded: f32, is_measured: u32 }
}

gpu_struct! {
    struct InkPush { size: Vec2 }
}

const VOTED: u32 = 1;
const BOX: u32 = 2;
const VEIL: u32 = 4;

/// Contrast of the text on a piece, on the worst hundredth of its pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextContrast {
    pub piece: u32,
    pub is_light: bool,
    pub contrast: f32,
}

pub struct Inks {
    gpu: Arc<Gpu>,
    masks: Masks,
    vote: PipelineCache<()>,
    draw: PipelineCache<(Format, &'static str), RasterPipeline>,
    states: Buffer,
    /// Pieces of the last frame.
    pieces: Vec<u32>,
    reads: Delayed<(ReadBack, Vec<u32>)>,
    measured: Vec<TextContrast>,
    seconds: f32,
    is_cleared: bool,
    is_turning: bool,
    grounds: Vec<Ground>,
    list: Vec<GpuMark>,
}

impl Inks {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let size = u64::from(MOST_PIECES) * size_of::<InkState>() as u64;
        Ok(Self {
            gpu: gpu.clone(),
            masks: Masks::default(),
            vote: Default::default(),
            draw: Default::default(),
            states: Buffer::new(gpu, "inks", size, Memory::Device)?,
            pieces: Vec::new(),
            reads: Delayed::default(),
            measured: Vec::new(),
            seconds: 0.0,
            is_cleared: false,
            is_turning: false,
            grounds: Vec::new(),
            list: Vec::new(),
        })
    }

    pub fn pass_time(&mut self, seconds: f32) {
        self.seconds += seconds;
    }

    /// Another picture is below them, or none has marks: each votes at once when it is there again.
    pub fn forget(&mut self) {
        (self.pieces, self.measured, self.seconds, self.is_turning) = Default::default();
        self.reads.forget();
    }

    /// A vote is going on, or a text fades.
    pub fn is_turning(&self) -> bool {
        self.is_turning
    }

    /// Of the last frame that has ended; empty without marks.
    pub fn measured(&self) -> &[TextContrast] {
        &self.measured
    }

    #[cfg(feature = "lab")]
    pub fn states(&self) -> &Buffer {
        &self.states
    }

    /// Left, top, right, bottom of what is measured, and the piece.
    #[cfg(feature = "lab")]
    pub fn areas(&self) -> Vec<([u32; 4], u32)> {
        self.grounds.iter().map(|ground| (ground.area, ground.piece)).collect()
    }

    pub fn on_timing(&mut self, ended: u64) -> Result<()> {
        let Some((read, pieces)) = self.reads.take(ended) else { return Ok(()) };
        let states = read.read::<InkState>()?;
        let of = |piece: u32| {
            let state = states.get(piece as usize)?;
            let is_light = state.side > 0.5;
            let contrast = if is_light { state.of_light } else { state.of_dark };
            Some(TextContrast { piece, is_light, contrast })
        };
        let turns = |piece: &u32| {
            states.get(*piece as usize).is_some_and(|state| state.opposed > 0.0 || state.light != state.side)
        };
        self.is_turning = pieces.iter().any(turns);
        self.measured = pieces.into_iter().filter_map(of).collect();
        Ok(())
    }

    /// Votes on what the marks are over. `ground` holds the picture with its glass; if the text has to be `legible`, veils are drawn over it.
    pub fn vote(&mut self, frame: &mut Frame, marks: &[Mark], legible: bool, ground: &ImageView) -> Result<()> {
        let size = UVec2::from_array(ground.size());
        self.masks.begin();
        let list: Vec<GpuMark> = marks.iter().filter_map(|mark| placed(mark, &mut self.masks)).collect();
        let grounds = grounds(&list, &self.pieces, size);
        let (veils, list) = list.into_iter().partition::<Vec<_>, _>(|mark| mark.kind & VEIL != 0);
        self.list = list;
        self.pieces = grounds.iter().map(|ground| ground.piece).collect();
        let seconds = std::mem::take(&mut self.seconds);
        if !std::mem::replace(&mut self.is_cleared, true) {
            frame.fill("glass/inks", &self.states, 0)?;
        }
        if grounds.is_empty() {
            self.measured.clear();
        } else {
            let held = VotePush { held: seconds / HOLD_S, faded: (seconds / FADE_S).clamp(0.0, 1.0), is_measured: 0 };
            self.measure(frame, &grounds, held, ground)?;
            let veils: Vec<GpuMark> = veils.into_iter().filter(|veil| self.pieces.contains(&veil.piece)).collect();
            if legible && !veils.is_empty() {
                self.draw_list(frame, "glass/veils", &veils, ground)?;
                self.measure(frame, &grounds, VotePush { is_measured: 1, ..held }, ground)?;
            }
            let read = frame.read_buffer(&self.states)?;
            self.reads.put(frame.number(), (read, self.pieces.clone()));
        }
        self.grounds = grounds;
        Ok(())
    }

    fn measure(&self, frame: &mut Frame, grounds: &[Ground], push: VotePush, ground: &ImageView) -> Result<()> {
        let vote = self
            .vote
            .get((), |()| ComputePipeline::new(&self.gpu, "glass/ink_vote.comp", &[])?.with_push::<VotePush>())?;
        let areas = frame.data("grounds of marks", grounds)?;
        let picture = ground.clone().through(Sampler::NearestClamp);
        let pass = frame.compute("glass/ink vote", &vote).bind("picture", picture).bind("grounds", &areas);
        pass.bind("inks", &self.states).push(&push).dispatch_groups([grounds.len() as u32, 1, 1])
    }

    /// The marks of the last vote, over what they were over then.
    pub fn draw(&mut self, frame: &mut Frame, target: &ImageView) -> Result<()> {
        let list = std::mem::take(&mut self.list);
        if list.is_empty() { Ok(()) } else { self.draw_list(frame, "glass/ink", &list, target) }
    }

    /// What the last vote measured, pixel by pixel. `ground`: of that vote.
    pub fn draw_contrast(&self, frame: &mut Frame, ground: &ImageView, target: &ImageView) -> Result<()> {
        let corner = |at: [u32; 2]| UVec2::from_array(at).as_vec2();
        let area = |Ground { area: [left, top, right, bottom], piece, .. }: &Ground| GpuMark {
            low: corner([*left, *top]),
            high: corner([*right, *bottom]),
            piece: *piece,
            ..bytemuck::Zeroable::zeroed()
        };
        let areas: Vec<GpuMark> = self.grounds.iter().map(area).collect();
        if areas.is_empty() {
            return Ok(());
        }
        let draw = self.pipeline(target.format(), "glass/contrast.frag")?;
        let data = frame.data("areas of text", &areas)?;
        let draw = draw.draw_instanced(6, areas.len() as u32).bind("marks", &data).bind("inks", &self.states);
        let size = UVec2::from_array(target.size()).as_vec2();
        let draw = draw.bind("ground", ground.clone().through(Sampler::NearestClamp)).push(&InkPush { size });
        frame.for_view(true, |frame| frame.raster("glass/contrast").color(target, None).draw(draw).finish())
    }

    fn pipeline(&self, format: Format, fragment: &'static str) -> Result<RasterPipeline> {
        self.draw.get((format, fragment), |(format, fragment)| {
            let desc = RasterDesc {
                shaders: ["glass/ink.vert", *fragment].map(String::from).to_vec(),
                color: vec![*format],
                constants: vec![("TARGET_IS_SRGB".into(), u32::from(format.is_srgb()))],
                blend: Blend::Premultiplied,
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<InkPush>()
        })
    }

    fn draw_list(&mut self, frame: &mut Frame, pass: &str, list: &[GpuMark], target: &ImageView) -> Result<()> {
        let masks = self.masks.upload(frame)?;
        let draw = self.pipeline(target.format(), "glass/ink.frag")?;
        let data = frame.data("marks", list)?;
        let draw = draw.draw_instanced(6, list.len() as u32).bind("marks", &data).bind("inks", &self.states);
        let size = UVec2::from_array(target.size()).as_vec2();
        frame.raster(pass).color(target, None).draw(draw.bind("masks", &masks).push(&InkPush { size })).finish()
    }
}

/// Least for text that is not large (WCAG 1.4.3).
const CONTRAST: f32 = 4.5;

pub fn table(all: &[TextContrast]) -> Option<Report> {
    let mut contrasts: Vec<f32> = all.iter().map(|one| one.contrast).collect();
    contrasts.sort_by(f32::total_cmp);
    let (least, middle) = (contrasts.first()?, contrasts.get(contrasts.len() / 2)?);
    let lacking = contrasts.iter().filter(|contrast| **contrast < CONTRAST).count();
    let light = all.iter().filter(|one| one.is_light).count();
    let row = |name: String, value: String| vec![name, value];
    Some(Report {
        title: format!("Contrast of text on {} pieces, worst 1 % of its pixels", all.len()),
        head: vec!["", "contrast"],
        rows: vec![
            row("least".into(), format!("{least:.1}:1")),
            row("median".into(), format!("{middle:.1}:1")),
            row(format!("pieces below {CONTRAST}:1"), lacking.to_string()),
            row("pieces with light text".into(), light.to_string()),
        ],
    })
}

/// `None` for what has nothing to draw.
fn placed(mark: &Mark, masks: &mut Masks) -> Option<GpuMark> {
    let grown = |at: Vec2| mark.pivot + (at - mark.pivot) * mark.grow;
    let (color, voted) = match mark.ink {
        Ink::Voted => (Vec3::ZERO, VOTED),
        Ink::Fixed(color) => (Vec3::from_array(color), 0),
        Ink::Veil => (Vec3::ZERO, VEIL),
    };
    if mark.alpha <= 0.0 || mark.piece >= MOST_PIECES {
        return None;
    }
    let plain = GpuMark {
        low: Vec2::ZERO,
        high: Vec2::ZERO,
        color,
        alpha: mark.alpha.min(1.0),
        radius: 0.0,
        width: 0.0,
        top: f32::MIN,
        piece: mark.piece,
        kind: voted,
        first: 0,
        extent: [0; 2],
    };
    let masked = |Mask { first, extent, .. }: Mask, low: Vec2, high: Vec2| {
        let mark = GpuMark { low: grown(low), high: grown(high), first, extent, ..plain };
        (extent[0] > 0 && extent[1] > 0).then_some(mark)
    };
    match &mark.figure {
        Figure::Box { low, high, radius, width, top } => Some(GpuMark {
            low: grown(*low),
            high: grown(*high),
            radius: radius * mark.grow,
            width: width * mark.grow,
            top: if *top > f32::MIN { grown(Vec2::new(0.0, *top)).y } else { *top },
            kind: voted | BOX,
            ..plain
        }),
        Figure::Text { text, size, style, at, align } => {
            let mask = masks.get(MaskKey::text(text, *size, *style));
            let low = (*at - Vec2::new(align * mask.width, 0.0)).round() + mask.corner;
            masked(mask, low, low + UVec2::from_array(mask.extent).as_vec2())
        }
        Figure::Icon { icon, middle, half } => {
            let side = (2.0 * half).round().clamp(1.0, 512.0) as u32;
            let mask = masks.get(MaskKey::Icon(*icon, side));
            masked(mask, *middle - *half, *middle + *half)
        }
    }
}

/// What voted marks of each piece cover, in the order of the pieces.
fn grounds(marks: &[GpuMark], before: &[u32], size: UVec2) -> Vec<Ground> {
    let mut all: Vec<Ground> = Vec::new();
    for mark in marks.iter().filter(|mark| mark.kind == VOTED) {
        let low = mark.low.floor().max(Vec2::ZERO).as_uvec2().min(size);
        let high = mark.high.ceil().max(Vec2::ZERO).as_uvec2().min(size);
        if low.cmpge(high).any() {
            continue;
        }
        match all.iter_mut().find(|ground| ground.piece == mark.piece) {
            Some(Ground { area: [left, top, right, bottom], .. }) => {
                (*left, *top) = ((*left).min(low.x), (*top).min(low.y));
                (*right, *bottom) = ((*right).max(high.x), (*bottom).max(high.y));
            }
            None => all.push(Ground {
                area: [low.x, low.y, high.x, high.y],
                piece: mark.piece,
                is_new: u32::from(!before.contains(&mark.piece)),
            }),
        }
    }
    all
}
