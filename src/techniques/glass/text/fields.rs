//! Distance fields of words on the GPU, made when words or their size change, and cached.

use super::letters::{Curve, Grid, Letters, Outline};
use crate::lens::shape::Lens;
use gpu::gpu_struct;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Memory, PipelineCache, Result};
use std::sync::Arc;

gpu_struct! {
    struct LettersPush { size: [u32; 2], first: u32, first_curve: u32, curves: u32, scale: f32 }
}

#[derive(Clone, Debug)]
pub struct AtlasEntry {
    outline: Arc<Outline>,
    pub grid: Grid,
    /// In the buffer, texels.
    pub first: u32,
}

impl AtlasEntry {
    fn is_of(&self, letters: &Letters, grid: Grid) -> bool {
        Arc::ptr_eq(&self.outline, &letters.outline) && self.grid == grid
    }

    fn texels(&self) -> u32 {
        self.grid.size.element_product()
    }
}

impl PartialEq for AtlasEntry {
    fn eq(&self, other: &AtlasEntry) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline) && (self.grid, self.first) == (other.grid, other.first)
    }
}

/// The same words in the same size share one.
pub fn all_fields<'a>(lenses: impl Iterator<Item = &'a Lens>) -> Vec<AtlasEntry> {
    let mut all: Vec<AtlasEntry> = Vec::new();
    for letters in lenses.filter_map(|lens| lens.letters.as_ref()) {
        let grid = letters.grid();
        if !all.iter().any(|placed| placed.is_of(letters, grid)) {
            let first = all.last().map_or(0, |last| last.first + last.texels());
            all.push(AtlasEntry { outline: letters.outline.clone(), grid, first });
        }
    }
    all
}

pub fn field_of<'a>(all: &'a [AtlasEntry], letters: &Letters) -> Option<&'a AtlasEntry> {
    let grid = letters.grid();
    all.iter().find(|placed| placed.is_of(letters, grid))
}

pub struct Fields {
    gpu: Arc<Gpu>,
    pipeline: PipelineCache<()>,
    made: Option<(Vec<AtlasEntry>, Buffer)>,
}

impl Fields {
    pub fn new(gpu: &Arc<Gpu>) -> Fields {
        Fields { gpu: gpu.clone(), pipeline: PipelineCache::default(), made: None }
    }

    pub fn record<'a>(&mut self, frame: &mut Frame, lenses: impl Iterator<Item = &'a Lens>) -> Result<Buffer> {
        let wanted = all_fields(lenses);
        if let Some((made, buffer)) = &self.made
            && *made == wanted
        {
            return Ok(buffer.clone());
        }
        let texels: u64 = wanted.iter().map(|placed| u64::from(placed.texels())).sum();
        let buffer = Buffer::new(&self.gpu, "glass fields", 4 * texels.max(1), Memory::Device)?;
        if !wanted.is_empty() {
            self.fill(frame, &wanted, &buffer)?;
        }
        self.made = Some((wanted, buffer.clone()));
        Ok(buffer)
    }

    fn fill(&mut self, frame: &mut Frame, wanted: &[AtlasEntry], buffer: &Buffer) -> Result<()> {
        let pipeline = self.pipeline.get((), |()| {
            ComputePipeline::new(&self.gpu, "glass/text_outline.comp", &[])?.with_push::<LettersPush>()
        })?;
        let all = wanted.iter().flat_map(|placed| &placed.outline.curves);
        let curves: Vec<[[f32; 2]; 3]> = all.map(|Curve(points)| points.map(|p| p.to_array())).collect();
        let list = frame.data("glass outlines", &curves)?;
        let mut first_curve = 0;
        for AtlasEntry { outline, grid, first } in wanted {
            let (size, curves) = (grid.size.to_array(), outline.curves.len() as u32);
            let push = LettersPush { size, first: *first, first_curve, curves, scale: grid.scale };
            let pass = frame.compute("glass/text_outline", &pipeline).bind("curves", &list).bind("fields", buffer);
            pass.push(&push).dispatch(size)?;
            first_curve += curves;
        }
        Ok(())
    }
}
