//! Passes of a frame and their bindings.

use super::history::{FrameBlock, History};
use crate::{
    input::{AntialiasInput, Change},
    settings::AntialiasSettings,
};
use base::timing::PassId;
use gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, RasterDesc, RasterPipeline,
    Resource, Result, Sampler, Use,
};
use std::sync::Arc;

pub const RESOLVE: PassId = PassId::new("antialias/resolve");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolveKind {
    Same,
    Larger,
    Rest,
}

impl ResolveKind {
    fn variant(self) -> &'static str {
        if self == Self::Larger { "larger" } else { "same" }
    }
}

#[derive(Default)]
pub struct Pipelines {
    neighbourhood: PipelineCache<()>,
    raster_neighbourhood: PipelineCache<(), RasterPipeline>,
    resolve: PipelineCache<(ResolveKind, bool)>,
    raster_resolve: PipelineCache<(ResolveKind, bool), RasterPipeline>,
    views: PipelineCache<(ResolveKind, bool, u32)>,
}

/// Colour, range of the neighbours, and former position of each sample.
struct Neighbourhood([Image; 3]);

const NEIGHBOURHOOD: [(&str, Format); 3] =
    [("averages", Format::Rgba16F), ("ranges", Format::Rgba32U), ("motions", Format::Rgba32U)];

const HISTORY_FORMATS: [Format; 2] = [Format::Rgba16F, Format::Rg32U];

impl Neighbourhood {
    fn fitting(gpu: &Arc<Gpu>, old: Option<Self>, size: [u32; 2]) -> Result<Self> {
        if let Some(old) = old.filter(|old| old.0[0].size() == size) {
            return Ok(old);
        }
        let image = |at: usize| {
            let (name, format) = NEIGHBOURHOOD[at];
            let uses = [Use::Sample, Use::Storage, Use::Color];
            Image::new(gpu, ImageDesc::new(&format!("antialias {name}"), size, format, &uses))
        };
        Ok(Self([image(0)?, image(1)?, image(2)?]))
    }

    fn written(&self) -> impl Iterator<Item = (&'static str, Resource)> {
        NEIGHBOURHOOD.iter().zip(&self.0).map(|((name, _), image)| (*name, image.into()))
    }

    fn read(&self) -> Vec<(&'static str, Resource)> {
        let named = NEIGHBOURHOOD.iter().zip(&self.0).map(|((name, _), image)| (*name, nearest(&image.mip(0))));
        let between = self.0[0].mip(0).through(Sampler::LinearClamp);
        named.chain([("between", between.into())]).collect()
    }
}

pub struct RecordedFrame {
    kind: ResolveKind,
    is_sharp: bool,
    is_drawn: bool,
    bindings: Vec<(&'static str, Resource)>,
    block: FrameBlock,
    neighbourhood: Option<Neighbourhood>,
    size: [u32; 2],
    written: [ImageView; 2],
}

fn nearest(view: &ImageView) -> Resource {
    view.clone().through(Sampler::NearestClamp).into()
}

impl RecordedFrame {
    pub fn record(
        frame: &mut Frame,
        pipelines: &Pipelines,
        settings: &AntialiasSettings,
        input: &AntialiasInput<'_>,
        (history, block): (&mut History, &FrameBlock),
        change: Change,
        old: Option<Self>,
    ) -> Result<Self> {
        let gpu = frame.gpu().clone();
        let kind = match change {
            _ if input.light.size() != input.whole => ResolveKind::Larger,
            Change::None => ResolveKind::Rest,
            _ => ResolveKind::Same,
        };
        let is_sharp = !settings.bilinear;
        // It reads what it writes.
        let is_drawn = kind != ResolveKind::Rest && settings.drawn_by.draws_all(&gpu);
        let neighbourhood = match kind {
            ResolveKind::Larger => {
                Some(Neighbourhood::fitting(&gpu, old.and_then(|old| old.neighbourhood), input.light.size())?)
            }
            _ => None,
        };
        let data = frame.data("antialias frame", std::slice::from_ref(block))?;
        let [light, surfaces] = history.read();
        let mut bindings = vec![
            ("light", nearest(input.light)),
            ("ids", nearest(input.ids)),
            ("depth", nearest(input.depth)),
            ("history", light.through(Sampler::LinearClamp).into()),
            ("surfaces", nearest(&surfaces)),
            ("frame", data.into()),
        ];
        if kind == ResolveKind::Rest {
            bindings.push(("mean", history.mean(frame, input.whole)?.into()));
        }
        let (size, written) = (input.light.size(), history.write(kind != ResolveKind::Rest));
        let block = *block;
        let recorded = Self { kind, is_sharp, is_drawn, bindings, block, neighbourhood, size, written };
        recorded.resolve(frame, pipelines)?;
        Ok(recorded)
    }

    fn resolve(&self, frame: &mut Frame, pipelines: &Pipelines) -> Result<()> {
        let (kind, is_sharp) = (self.kind, self.is_sharp);
        let gpu = frame.gpu().clone();
        let [resolved, kept] = &self.written;
        if self.is_drawn {
            let pipeline_of = |shader: String, color: &[Format], constants: &[(&str, u32)]| {
                let constants = constants.iter().map(|(name, value)| ((*name).into(), *value)).collect();
                let shaders = vec!["include/screen.vert".into(), shader];
                let desc = RasterDesc { shaders, color: color.into(), constants, ..Default::default() };
                RasterPipeline::new(&gpu, desc)?.with_struct::<FrameBlock>("frame")
            };
            if let Some(neighbourhood) = &self.neighbourhood {
                let formats = NEIGHBOURHOOD.map(|(_, format)| format);
                let pipeline = pipelines
                    .raster_neighbourhood
                    .get((), |()| pipeline_of("antialias/around.frag".into(), &formats, &[]))?;
                let pass = neighbourhood
                    .0
                    .iter()
                    .fold(frame.raster("antialias/around"), |pass, image| pass.color(&image.mip(0), None));
                pass.draw(pipeline.draw(3).bind_named(self.bindings.iter().cloned())).finish()?;
            }
            let pipeline = pipelines.raster_resolve.get((kind, is_sharp), |(kind, is_sharp)| {
                let shader = format!("antialias/resolve.frag:{}", kind.variant());
                pipeline_of(shader, &HISTORY_FORMATS, &[("SHARP", u32::from(*is_sharp))])
            })?;
            let pass = frame.raster(RESOLVE).color(resolved, None).color(kept, None);
            return pass.draw(pipeline.draw(3).bind_named(self.read())).finish();
        }
        let pipeline_of = |shader: &str, constants: &[(&str, u32)]| {
            ComputePipeline::new(&gpu, shader, constants)?.with_struct::<FrameBlock>("frame")
        };
        if let Some(neighbourhood) = &self.neighbourhood {
            let pipeline = pipelines.neighbourhood.get((), |()| pipeline_of("antialias/around.comp", &[]))?;
            let pass = frame.compute("antialias/around", &pipeline).bind_named(self.bindings.iter().cloned());
            pass.bind_named(neighbourhood.written()).dispatch(self.size)?;
        }
        let pipeline = pipelines.resolve.get((kind, is_sharp), |(kind, is_sharp)| match kind {
            ResolveKind::Rest => pipeline_of("antialias/rest.comp", &[]),
            _ => pipeline_of(&format!("antialias/resolve.comp:{}", kind.variant()), &[("SHARP", u32::from(*is_sharp))]),
        })?;
        let pass = frame.compute(RESOLVE, &pipeline).bind_named(self.read());
        pass.bind_named([("resolved", resolved.into()), ("kept", kept.into())]).dispatch(resolved.size())
    }

    fn read(&self) -> Vec<(&'static str, Resource)> {
        let neighbourhood = self.neighbourhood.iter().flat_map(Neighbourhood::read);
        self.bindings.iter().cloned().chain(neighbourhood).collect()
    }

    pub fn view(&self, frame: &mut Frame, pipelines: &Pipelines, view: u32, picture: &ImageView) -> Result<()> {
        let gpu = frame.gpu().clone();
        let pipeline = pipelines.views.get((self.kind, self.is_sharp, view), |(kind, is_sharp, view)| {
            let constants = [("SHARP", u32::from(*is_sharp)), ("VIEW", *view)];
            let shader = format!("antialias/view.comp:{}", kind.variant());
            ComputePipeline::new(&gpu, &shader, &constants)?.with_struct::<FrameBlock>("frame")
        })?;
        let pass = frame.compute("antialias/view", &pipeline).bind_named(self.read());
        pass.bind("picture", picture).dispatch(picture.size())
    }

    pub fn repeat_with_light(&mut self, frame: &mut Frame, pipelines: &Pipelines, light: &ImageView) -> Result<()> {
        if self.kind == ResolveKind::Rest {
            return Ok(());
        }
        if let Some(bound) = self.bindings.iter_mut().find(|(name, _)| *name == "light") {
            bound.1 = nearest(light);
        }
        self.resolve(frame, pipelines)
    }

    pub fn repeat(&mut self, frame: &mut Frame, pipelines: &Pipelines) -> Result<()> {
        let block = FrameBlock { begins: 0.0, repeats: 1.0, ..self.block };
        if self.kind == ResolveKind::Rest
            && let Some(at) = self.bindings.iter().position(|(name, _)| *name == "frame")
        {
            let own = std::mem::replace(&mut self.bindings[at].1, frame.data("antialias frame", &[block])?.into());
            self.resolve(frame, pipelines)?;
            self.bindings[at].1 = own;
            return Ok(());
        }
        self.resolve(frame, pipelines)
    }

    pub fn light(&self) -> ImageView {
        self.written[0].clone()
    }
}
