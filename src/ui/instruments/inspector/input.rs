//! Story of a pixel, as the inspector shows it.

use std::collections::BTreeMap;
use technique::{Clause, Crop, Info, Step, StepInfo};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PixelStory {
    pub pixel: [u32; 2],
    /// Number of the frame that it is of.
    pub frame: u64,
    pub steps: Vec<Step>,
    /// GPU microseconds of its passes in that frame; empty until they are known.
    pub costs: BTreeMap<String, f64>,
    /// Its final value as the loupe writes it.
    pub numbers: Vec<String>,
    /// The picture has changed since.
    pub is_outdated: bool,
}

/// A part of the sentence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part {
    Of(Clause),
    Passes,
}

/// A part with its words, and the steps that it is made of.
pub struct Row<'a> {
    pub part: Part,
    pub words: String,
    pub steps: Vec<(&'a Step, Option<&'a StepInfo>)>,
}

impl PixelStory {
    /// In the order of the sentence; what no clause has is last.
    pub fn in_order<'a>(&'a self, infos: &'a [Info]) -> Vec<(&'a Step, Option<&'a StepInfo>)> {
        let about = |step: &Step| {
            let of = infos.iter().find(|info| info.id == step.technique)?;
            of.lab.story.iter().find(|about| about.name == step.name)
        };
        let mut all: Vec<_> = self.steps.iter().map(|step| (step, about(step))).collect();
        all.sort_by_key(|(_, about)| about.map_or((1, None), |about| (0, Some(about.clause))));
        all
    }

    /// Those that say something.
    pub fn rows<'a>(&'a self, infos: &'a [Info]) -> Vec<Row<'a>> {
        let mut rows: Vec<Row<'a>> = Vec::new();
        for (step, about) in self.in_order(infos) {
            let Some(part) = about.map(|about| Part::Of(about.clause)) else { continue };
            if rows.last().is_none_or(|row| row.part != part) {
                rows.push(Row { part, words: String::new(), steps: Vec::new() });
            }
            if let Some(row) = rows.last_mut() {
                let comma = if row.words.is_empty() || step.summary.is_empty() { "" } else { ", " };
                row.words = format!("{}{comma}{}", row.words, step.summary);
                row.steps.push((step, about));
            }
        }
        rows.retain(|row| !row.words.is_empty());
        let count = self.passes().len();
        if count > 0 {
            let us: f64 = self.costs.values().sum();
            let times = if us > 0.0 { format!(", {}", base::text::micros(us)) } else { String::new() };
            let passes = if count == 1 { "pass" } else { "passes" };
            rows.push(Row { part: Part::Passes, words: format!("{count} {passes}{times}"), steps: Vec::new() });
        }
        rows
    }

    /// Why the pixel looks as it does: the surface, its light, what a mirror shows, and what glass does.
    pub fn headline(&self, infos: &[Info]) -> String {
        let rows = self.rows(infos);
        let of = |clause| rows.iter().find(|row| row.part == Part::Of(clause));
        let surface = of(Clause::Surface).into_iter().flat_map(|row| &row.steps).map(|(step, _)| *step);
        // How far away it is says the row.
        let surface = surface.filter(|step| step.name != "depth").map(|step| step.summary.as_str());
        let rest = [Clause::Light, Clause::Mirror, Clause::Glass].into_iter().filter_map(of);
        let all = surface.chain(rest.map(|row| row.words.as_str())).filter(|words| !words.is_empty());
        let all: Vec<&str> = all.collect();
        if all.is_empty() { "The picture as it is".into() } else { base::text::sentence(&all.join(", ")) }
    }

    pub fn is_made_by(&self, technique: &str, infos: &[Info]) -> bool {
        self.rows(infos).iter().flat_map(|row| &row.steps).any(|(step, _)| step.technique == technique)
    }

    /// Of a step that is the result of a pass.
    pub fn picture<'a>(&'a self, pass: &str, infos: &'a [Info]) -> Option<&'a Crop> {
        let is_of = |step: &Step, about: &StepInfo| about.result_of(step.technique, &step.passes) == Some(pass);
        let all = self.in_order(infos).into_iter();
        all.filter(|(step, about)| about.is_some_and(|about| is_of(step, about)))
            .find_map(|(step, _)| step.picture.as_ref())
    }

    /// Each once, in the order of the sentence.
    pub fn passes(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for pass in self.steps.iter().flat_map(|step| &step.passes) {
            if !all.contains(&pass.as_str()) {
                all.push(pass);
            }
        }
        all
    }
}

impl Part {
    pub fn name(self) -> &'static str {
        match self {
            Self::Of(Clause::Surface) => "Surface",
            Self::Of(Clause::Mirror) => "Mirror",
            Self::Of(Clause::Glass) => "Glass",
            Self::Of(Clause::Light) => "Light",
            Self::Of(Clause::Antialiasing) => "Antialiasing",
            Self::Passes => "Passes",
        }
    }
}

impl Row<'_> {
    /// The pass whose result it is, and texts of the lines that compute it.
    pub fn made_by(&self) -> Option<(&str, &'static [&'static str])> {
        let said = self.steps.iter().find(|(step, _)| !step.summary.is_empty() && !step.passes.is_empty());
        let (step, about) = said.or_else(|| self.steps.iter().find(|(step, _)| !step.passes.is_empty()))?;
        let pass = about.and_then(|about| about.result_of(step.technique, &step.passes))?;
        Some((pass, about.map_or(&[], |about| about.lines)))
    }
}
