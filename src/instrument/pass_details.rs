//! Pipelines of one pass: source, constants, and the driver's figures.

use super::program_figures::ProgramFigures;
use base::job::Job;
use gpu::{Gpu, InvocationQuery, Invocations, PassCapture, PassResources, PipelineRecipe, ShaderText};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverFigures {
    NotOffered,
    Awaited,
    Known(Vec<ProgramFigures>),
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct PipelineDetails {
    pub shaders: Result<Vec<ShaderText>, String>,
    pub figures: DriverFigures,
}

struct Entry {
    recipe: Arc<PipelineRecipe>,
    job: Option<Job<Result<Vec<ProgramFigures>, String>>>,
}

#[derive(Default)]
pub struct PassDetails {
    pass: Option<String>,
    entries: Vec<Entry>,
    shown: Vec<PipelineDetails>,
    revision: u64,
    queries: Vec<(u64, Vec<Arc<InvocationQuery>>)>,
    invocations: Option<Invocations>,
}

impl PassDetails {
    pub fn pass(&self) -> Option<&str> {
        self.pass.as_deref()
    }

    pub fn pipelines(&self) -> &[PipelineDetails] {
        &self.shown
    }

    /// Of the last frame in which the pass ran; `None`: not counted yet.
    pub fn invocations(&self) -> Option<Invocations> {
        self.invocations
    }

    pub fn follow(&mut self, gpu: &Arc<Gpu>, pass: Option<&str>, passes: &[PassResources]) -> bool {
        if self.pass.as_deref() != pass {
            *self = Self { pass: pass.map(str::to_owned), ..Self::default() };
        }
        let Some(pass) = pass else { return false };
        let mut recipes: Vec<&Arc<PipelineRecipe>> = Vec::new();
        for recipe in passes.iter().filter(|known| known.pass == pass).flat_map(|known| &known.pipelines) {
            if !recipes.contains(&recipe) {
                recipes.push(recipe);
            }
        }
        let revision = gpu.shaders.news();
        let is_same = self.entries.iter().map(|entry| &entry.recipe).eq(recipes.iter().copied());
        if (!is_same && !recipes.is_empty()) || revision != self.revision {
            let kept: Vec<_> = self.entries.iter().map(|entry| entry.recipe.clone()).collect();
            let recipes = if recipes.is_empty() { kept } else { recipes.into_iter().cloned().collect() };
            self.revision = revision;
            (self.entries, self.shown) = recipes.into_iter().map(|recipe| begin(gpu, recipe)).unzip();
            return true;
        }
        self.take_figures()
    }

    fn take_figures(&mut self) -> bool {
        let mut is_new = false;
        for (entry, shown) in self.entries.iter_mut().zip(&mut self.shown) {
            let Some(outcome) = entry.job.as_mut().and_then(Job::poll) else { continue };
            shown.figures = match outcome {
                Ok(Ok(figures)) => DriverFigures::Known(figures),
                Ok(Err(why)) | Err(why) => DriverFigures::Failed(why),
            };
            entry.job = None;
            is_new = true;
        }
        is_new
    }

    pub fn awaits_figures(&self) -> bool {
        self.entries.iter().any(|entry| entry.job.is_some())
    }

    pub fn take_queries(&mut self, frame: u64, capture: &PassCapture) {
        if self.pass.is_some() && !capture.invocations().is_empty() {
            self.queries.push((frame, capture.invocations().to_vec()));
        }
    }

    pub fn on_frame_end(&mut self, number: u64) -> gpu::Result<bool> {
        let before = self.invocations;
        for (_, queries) in self.queries.extract_if(.., |(frame, _)| *frame <= number) {
            let counts = queries.iter().map(|query| query.read()).collect::<gpu::Result<Vec<_>>>()?;
            self.invocations = counts.into_iter().reduce(Invocations::plus);
        }
        Ok(before != self.invocations)
    }
}

fn begin(gpu: &Arc<Gpu>, recipe: Arc<PipelineRecipe>) -> (Entry, PipelineDetails) {
    let shaders = recipe.texts(gpu).map_err(|why| why.to_string());
    let (job, figures) = match gpu.tells_statistics() {
        false => (None, DriverFigures::NotOffered),
        true => {
            let (gpu, recipe) = (gpu.clone(), recipe.clone());
            let job = Job::spawn("pipeline figures", move |_| {
                let told = recipe.statistics(&gpu).map_err(|why| why.to_string())?.unwrap_or_default();
                let narrowest = gpu.info().subgroup.min;
                Ok(told.programs.iter().map(|program| ProgramFigures::of(program, narrowest)).collect())
            });
            (Some(job), DriverFigures::Awaited)
        }
    };
    (Entry { recipe, job }, PipelineDetails { shaders, figures })
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(job) = &mut self.job {
            job.join();
        }
    }
}

#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "for tests alone")]
pub fn sample_details(pass: &str) -> (Vec<PassResources>, PassDetails) {
    use gpu::{ComputePipeline, Format, Frames, Image, ImageDesc, Use};
    gpu::gpu_struct! { struct AddPush { size: glam::UVec2, amount: f32 } }
    let gpu = Gpu::headless(false).unwrap();
    let add = ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", 5)]).unwrap();
    let image = |name| Image::new(&gpu, ImageDesc::new(name, [8, 8], Format::R32F, &[Use::Storage])).unwrap();
    let (src, dst) = (image("src"), image("dst"));
    let record = |frame: &mut gpu::Frame| -> gpu::Result<PassCapture> {
        frame.upload(&src.mip(0), &[1.0_f32; 64])?;
        frame.begin_capture(PassCapture::default());
        let push = AddPush { size: glam::UVec2::splat(8), amount: 1.0 };
        frame.compute(pass, &add).bind("src", &src).bind("dst", &dst).push(&push).dispatch([8, 8])?;
        Ok(frame.end_capture())
    };
    let (capture, _) = Frames::new(&gpu, 1).once(record).unwrap();
    let mut details = PassDetails::default();
    details.follow(&gpu, Some(pass), capture.passes());
    (capture.passes().to_vec(), details)
}
