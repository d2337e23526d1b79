//! Picture of a scan, step by step: cells, push constants, labels.

use crate::{
    pipelines::Scratch,
    scan_steps::{Step, Term, steps},
    settings::SummedAreaSettings,
};
use glam::UVec2;
use gpu::{Frame, ImageView, Result, Sampler, gpu_struct};

gpu_struct! {
    struct ReplayPush { words: u32, steps: u32, row: u32, width: u32 }
}

gpu_struct! {
    struct DrawPush { corner: UVec2, size: UVec2, words: u32, steps: u32, shown: u32 }
}

const SMALLEST: UVec2 = UVec2::new(320, 180);
const NAMED_WIDTH: u32 = 640;

#[derive(Clone, Debug, PartialEq)]
pub struct RowName {
    /// Pixels: upper left corner and size.
    pub place: [UVec2; 2],
    pub name: &'static str,
}

/// In a picture of `whole` pixels of which panels leave `free`: upper left corner and size.
pub fn place(whole: UVec2, free: UVec2) -> [UVec2; 2] {
    let size = UVec2::select(free.cmpge(SMALLEST), free.min(whole), whole);
    let corner = if size.x < NAMED_WIDTH { UVec2::ZERO } else { UVec2::new(size.x / 8, size.y / 40) };
    [corner, size - corner]
}

pub fn row_names(settings: &SummedAreaSettings, whole: UVec2, free: UVec2) -> Vec<RowName> {
    let [corner, size] = place(whole, free);
    if corner.x == 0 {
        return Vec::new();
    }
    let steps = stages(settings);
    let names = std::iter::once("words of the picture").chain(steps.iter().map(|step| step.title));
    let row = UVec2::new(corner.x, size.y / (steps.len() as u32 + 1));
    let place = |at: usize| [UVec2::new(0, corner.y + size.y * at as u32 / (steps.len() as u32 + 1)), row];
    let shown = settings.view_step as usize + 1;
    names.enumerate().take(shown).map(|(at, name)| RowName { place: place(at), name }).collect()
}

pub fn length(settings: &SummedAreaSettings) -> usize {
    settings.view_words.clamp(8, 64).next_power_of_two() as usize
}

fn stages(settings: &SummedAreaSettings) -> Vec<Step> {
    steps(settings.scan, length(settings))
}

struct ScanSteps {
    /// kind << 16 | place, twice, by step and word.
    terms: Vec<[u32; 2]>,
    /// Lanes that meet in a word's bank.
    conflicts: Vec<u32>,
}

impl ScanSteps {
    fn new(stages: &[Step], settings: &SummedAreaSettings) -> Self {
        let term = |term: &Term| match *term {
            Term::Zero => 0,
            Term::Previous(at) => 1 << 16 | at as u32,
            Term::Input(at) => 2 << 16 | at as u32,
        };
        let terms = stages.iter().flat_map(|step| step.terms.iter().map(|[a, b]| [term(a), term(b)]));
        let banks = settings.view_banks as usize;
        let conflicts = stages.iter().flat_map(|step| step.conflicts(banks, settings.padding));
        Self { terms: terms.collect(), conflicts: conflicts.collect() }
    }
}

pub fn draw(
    scratch: &mut Scratch,
    frame: &mut Frame,
    settings: &SummedAreaSettings,
    below: &ImageView,
    picture: &ImageView,
    free_px: UVec2,
) -> Result<()> {
    let stages = stages(settings);
    let (words, steps) = (length(settings) as u32, stages.len() as u32);
    let drawn = ScanSteps::new(&stages, settings);
    let (terms, conflicts) = (frame.data("terms", &drawn.terms)?, frame.data("conflicts", &drawn.conflicts)?);
    let values = scratch.buffer("values", u64::from(words * (steps + 1)) * 4)?;
    let [width, height] = below.size();
    let row = ((settings.view_row * height as f32) as u32).min(height - 1);
    let replay = scratch.pipeline::<ReplayPush>("replay.comp", vec![], None)?;
    let pass = frame.compute("summed_area/replay", &replay);
    let pass = pass.bind("below", below.clone().through(Sampler::NearestClamp)).bind("Terms", &terms);
    pass.bind("Values", &values).push(&ReplayPush { words, steps, row, width }).dispatch_groups([1, 1, 1])?;
    let draw = scratch.pipeline::<DrawPush>("scan_view.comp", vec![], None)?;
    let pass = frame.compute("summed_area/view", &draw).bind("Terms", &terms).bind("Values", &values);
    let [corner, size] = place(UVec2::from_array(picture.size()), free_px);
    let push = DrawPush { corner, size, words, steps, shown: settings.view_step.min(steps) };
    pass.bind("Conflicts", &conflicts).bind("picture", picture).push(&push).dispatch(picture.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_names_beside_them_where_there_is_room() {
        let settings = SummedAreaSettings { view_words: 16, view_step: 3, ..Default::default() };
        let whole = UVec2::new(1280, 720);
        let names = row_names(&settings, whole, UVec2::new(940, 600));
        assert_eq!(names.iter().map(|row| row.name).collect::<Vec<_>>()[..2], ["words of the picture", "up-sweep"]);
        assert_eq!(names.len(), 4);
        let [corner, size] = place(whole, UVec2::new(940, 600));
        assert_eq!(corner + size, UVec2::new(940, 600));
        assert!(names.iter().all(|row| row.place[0].x + row.place[1].x <= corner.x));
        assert_eq!(place(whole, UVec2::MAX)[1].y, 720 - 720 / 40);
        assert_eq!(place(whole, UVec2::new(10, 10)), place(whole, UVec2::MAX), "as much as that may be covered");
        assert!(row_names(&settings, UVec2::new(400, 300), UVec2::MAX).is_empty());
    }
}
