//! Pipelines of one pass: source, constants, and the driver's figures.

use super::program_figures::ProgramFigures;
use crate::base::job::Job;
use crate::gpu::{Gpu, InvocationQuery, Invocations, PassCapture, PassResources, PipelineRecipe, ShaderText};
use std::sync::Arc;

/// The driver's figures of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverFigures {
    /// The driver tells nothing about compiled pipelines.
    NotOffered,
    /// The pipeline is being compiled for them.
    Awaited,
    /// One entry for each program of the pipeline.
    Known(Vec<ProgramFigures>),
    /// Why there are none.
    Failed(String),
}

/// A pipeline of the pass.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineDetails {
    /// Its shaders with source and constants, in pipeline order; or why they are missing.
    pub shaders: Result<Vec<ShaderText>, String>,
    /// The driver's figures.
    pub figures: DriverFigures,
}

/// A pipeline, and the thread that compiles it for its figures.
struct Entry {
    recipe: Arc<PipelineRecipe>,
    job: Option<Job<Result<Vec<ProgramFigures>, String>>>,
}

/// Details of the pass that is looked at; empty without one.
#[derive(Default)]
pub struct PassDetails {
    pass: Option<String>,
    entries: Vec<Entry>,
    shown: Vec<PipelineDetails>,
    /// Revision of the shaders that the texts are of.
    revision: u64,
    /// By the number of their frame.
    queries: Vec<(u64, Vec<Arc<InvocationQuery>>)>,
    invocations: Option<Invocations>,
}

impl PassDetails {
    /// The pass.
    #[must_use]
    pub fn pass(&self) -> Option<&str> {
        self.pass.as_deref()
    }

    /// Its pipelines.
    #[must_use]
    pub fn pipelines(&self) -> &[PipelineDetails] {
        &self.shown
    }

    /// Shader invocations in the last frame in which it ran; `None`: not counted yet.
    #[must_use]
    pub fn invocations(&self) -> Option<Invocations> {
        self.invocations
    }

    /// Follows the pass that is looked at, among the known passes. Returns whether something changed.
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
        // A pass that does not run in every frame keeps its pipelines.
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

    /// Whether a thread compiles for the figures.
    #[must_use]
    pub fn awaits_figures(&self) -> bool {
        self.entries.iter().any(|entry| entry.job.is_some())
    }

    /// Keeps the queries of a frame: [`on_frame_end`](Self::on_frame_end).
    pub fn take_queries(&mut self, frame: u64, capture: &PassCapture) {
        let Some(pass) = &self.pass else { return };
        let queries: Vec<_> = capture
            .invocations()
            .iter()
            .filter(|(queried, _)| queried == pass)
            .map(|(_, query)| query.clone())
            .collect();
        if !queries.is_empty() {
            self.queries.push((frame, queries));
        }
    }

    /// Reads the queries of frames that have ended. Returns whether the counts changed.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn on_frame_end(&mut self, number: u64) -> crate::gpu::Result<bool> {
        let before = self.invocations;
        for (_, queries) in self.queries.extract_if(.., |(frame, _)| *frame <= number) {
            let counts = queries.iter().map(|query| query.read()).collect::<crate::gpu::Result<Vec<_>>>()?;
            self.invocations = counts.into_iter().reduce(Invocations::plus);
        }
        Ok(before != self.invocations)
    }
}

/// Reads the texts, and lets a thread ask for the figures.
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
        // The thread uses the device.
        if let Some(job) = &mut self.job {
            job.join();
        }
    }
}

/// A pass of a test shader by this name, listed and looked at, for tests of the panels.
///
/// # Panics
/// Without a device.
#[cfg(test)]
#[must_use]
pub fn sample_details(pass: &str) -> (Vec<PassResources>, PassDetails) {
    use crate::gpu::{ComputePipeline, Format, Frames, Image, ImageDesc, Use};
    crate::gpu_struct! { struct AddPush { size: glam::UVec2, amount: f32 } }
    let gpu = Gpu::headless(false).unwrap();
    let add = ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", 5)]).unwrap();
    let image = |name| Image::new(&gpu, ImageDesc::new(name, [8, 8], Format::R32F, &[Use::Storage])).unwrap();
    let (src, dst) = (image("src"), image("dst"));
    let record = |frame: &mut crate::gpu::Frame| -> crate::gpu::Result<PassCapture> {
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
