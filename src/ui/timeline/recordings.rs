//! Traces that were opened again, and their comparison.

use super::frame_series::FrameSeries;
use crate::base::settings::to_toml;
use crate::base::trace::{Trace, TraceFacts};
use crate::lab::{Change, ChangeVerdict, Spread};
use crate::techniques::Settings;
use crate::ui::Device;
use crate::ui::difference_table::{self, DifferenceRow, RowDifference};
use crate::ui::settings::collapsing;
use crate::ui::theme;
use crate::ui::timings::{QueueNote, TimedFrame, Timings};
use egui::{Label, Ui};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

const TRACES_MOST: usize = 2;
const SETTINGS_MOST: usize = 12;

pub(super) struct OpenTrace {
    name: String,
    facts: TraceFacts,
    settings: Vec<String>,
    pub series: FrameSeries,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComparedPass {
    pub name: String,
    pub us: [Option<f64>; 2],
    pub change: Option<(Change, [usize; 2])>,
}

#[derive(Default)]
pub(super) struct Recordings {
    open: Vec<OpenTrace>,
    shown: Option<usize>,
    compared: Option<([u64; 2], Vec<ComparedPass>)>,
    changes: u64,
}

impl Recordings {
    pub fn open(&mut self, file: &str, trace: &Arc<Trace>, before: &Timings) {
        let frames = trace.frames.iter().map(|timing| {
            let at_s = (timing.begun_us + timing.length_us()) * 1e-6;
            TimedFrame { at_s, timing: Arc::new(timing.clone()) }
        });
        let Some(series) = FrameSeries::new(frames.collect(), usize::MAX, before) else { return };
        self.open.truncate(TRACES_MOST - 1);
        let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
        let (name, facts) = (name.into_owned(), trace.facts.clone());
        self.open.push(OpenTrace { name, settings: differing(&facts.settings), facts, series });
        self.shown = Some(self.open.len() - 1);
        self.changes += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn shown(&self) -> Option<&OpenTrace> {
        self.open.get(self.shown?)
    }

    pub fn shown_mut(&mut self) -> Option<&mut OpenTrace> {
        self.open.get_mut(self.shown?)
    }

    pub fn show_window(&mut self) {
        self.shown = None;
    }

    pub fn choice(&mut self, ui: &mut Ui) -> bool {
        let before = self.shown;
        let mut choose = |ui: &mut Ui, name: &str, of: Option<usize>| {
            let button = egui::Button::new(theme::small(name)).selected(self.shown == of).truncate();
            if ui.add(button).clicked() {
                self.shown = of;
            }
        };
        choose(ui, "Window", None);
        for (index, trace) in self.open.iter().enumerate() {
            choose(ui, &format!("{}: {}", letter(index), trace.name), Some(index));
        }
        self.shown != before
    }

    pub fn tab(&mut self, ui: &mut Ui, timings: &Timings, device: &Device) {
        if self.open.is_empty() {
            return;
        }
        ui.label(theme::caption("Traces"));
        let mut closed = None;
        for (index, trace) in self.open.iter().enumerate() {
            if trace.row(ui, letter(index)) {
                closed = Some(index);
            }
        }
        let text = match &self.open[..] {
            [a, b] if !a.facts.has_same_device(&b.facts) => OTHER_DEVICE,
            [a] if !is_of(&a.facts, device) => OTHER_DEVICE,
            [_] => "B is the window's last frames. Open another trace, and it is B.",
            _ => "",
        };
        if !text.is_empty() {
            ui.add(Label::new(theme::small(text).color(theme::WARN)).wrap());
        }
        self.compare(timings);
        let rows = self.compared.iter().flat_map(|(_, rows)| rows).map(ComparedPass::row);
        difference_table::show(ui, "difference of traces", HEADS, rows);
        ui.add(Label::new(theme::small(VERDICT)).wrap());
        ui.add_space(6.0);
        collapsing::rule(ui);
        if let Some(index) = closed {
            self.close(index);
        }
    }

    fn close(&mut self, index: usize) {
        self.open.remove(index);
        self.shown = None;
        self.changes += 1;
    }

    fn compare(&mut self, timings: &Timings) {
        let looks = if self.open.len() == 1 { timings.recent.looks() } else { 0 };
        let key = [self.changes, looks];
        if self.compared.as_ref().is_some_and(|(known, _)| *known == key) {
            return;
        }
        let rows = match &self.open[..] {
            [a, b] => compare([a.series.frames().iter().collect(), b.series.frames().iter().collect()]),
            [a] => compare([a.series.frames().iter().collect(), timings.recent.displayed().collect()]),
            _ => Vec::new(),
        };
        self.compared = Some((key, rows));
    }
}

const OTHER_DEVICE: &str = "Other devices or drivers: what differs may be theirs.";

fn is_of(run: &TraceFacts, device: &Device) -> bool {
    let is = |name: &str, value: &str| {
        let known = device.facts.iter().find(|(fact, _)| fact == name);
        known.is_none_or(|(_, known)| known == value)
    };
    is("GPU", &run.device) && is("Driver", &run.driver)
}

const HEADS: [(&str, &str); 3] = [
    ("A", "Median time of A"),
    ("B", "Median time of B"),
    ("B - A", "Difference of both medians. The pointer on a figure shows its interval."),
];
const VERDICT: &str = "Medians of all frames in which drivers did not compile. Green and red: more than 3 % and 1 µs, and the interval \
                       excludes zero, as for bench --against; the pointer shows it.";

fn letter(index: usize) -> char {
    if index == 0 { 'A' } else { 'B' }
}

impl OpenTrace {
    pub fn note(&self) -> QueueNote {
        QueueNote { is_one_queue: self.facts.is_one_queue, saved: None }
    }

    pub fn subject(&self) -> String {
        let [width, height] = self.facts.size;
        format!("{width}x{height} pixels, of {}.", self.name)
    }

    fn row(&self, ui: &mut Ui, letter: char) -> bool {
        let TraceFacts { device, driver, api, size: [width, height], version, .. } = &self.facts;
        let is_closed = ui.horizontal(|ui| {
            ui.label(theme::figure(letter.to_string()));
            let right = egui::Layout::right_to_left(egui::Align::Center);
            let closes = ui.with_layout(right, |ui| {
                let closes = collapsing::cross(ui, &format!("Close {}", self.name));
                let left = egui::Layout::left_to_right(egui::Align::Center);
                let name = Label::new(egui::RichText::new(&self.name).color(theme::ACCENT)).truncate();
                ui.with_layout(left, |ui| ui.add(name).on_hover_text(self.settings_text()));
                closes
            });
            closes.inner
        });
        let frames = self.series.frames().len();
        let text = format!("{device} ({driver}), Vulkan {api}; {width}x{height}, {frames} frames; Meniscus {version}");
        ui.add(Label::new(theme::small(text)).wrap()).on_hover_text(self.settings_text());
        is_closed.inner
    }

    fn settings_text(&self) -> String {
        match &self.settings[..] {
            [] => "All settings are the defaults.".into(),
            lines if lines.len() <= SETTINGS_MOST => lines.join("\n"),
            lines => format!("{}\nand {} more", lines[..SETTINGS_MOST].join("\n"), lines.len() - SETTINGS_MOST),
        }
    }
}

fn differing(settings: &str) -> Vec<String> {
    let default = to_toml(&Settings::default()).unwrap_or_default();
    let [default, sections] = [&default, settings].map(|text| text.parse::<toml::Table>().unwrap_or_default());
    let mut lines = Vec::new();
    for (section, fields) in &sections {
        for (name, value) in fields.as_table().into_iter().flatten() {
            if default.get(section).and_then(|known| known.get(name)) != Some(value) {
                lines.push(format!("{section}.{name} = {value}"));
            }
        }
    }
    lines
}

pub(super) fn compare(sides: [Vec<&TimedFrame>; 2]) -> Vec<ComparedPass> {
    let mut rows: Vec<(&str, [Vec<f64>; 2])> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (side, frames) in sides.iter().enumerate() {
        for frame in frames.iter().filter(|frame| !frame.timing.compiles) {
            let mut add = |name, us: f64, is_new: bool| {
                let row = *known.entry(name).or_insert_with(|| {
                    rows.push((name, Default::default()));
                    rows.len() - 1
                });
                let times = &mut rows[row].1[side];
                match times.last_mut().filter(|_| !is_new) {
                    Some(sum) => *sum += us,
                    None => times.push(us),
                }
            };
            frame.timing.gpu_us.into_iter().for_each(|us| add("", us, true));
            // A pass recorded several times in a frame is one row.
            let passes = &frame.timing.passes;
            let mut seen: HashMap<&str, ()> = HashMap::with_capacity(passes.len());
            for pass in passes {
                if let Some(us) = pass.gpu_us {
                    add(&pass.name, us, seen.insert(&pass.name, ()).is_none());
                }
            }
        }
    }
    rows.into_iter().map(|(name, times)| ComparedPass::new(name, times)).collect()
}

impl ComparedPass {
    fn new(name: &str, mut times: [Vec<f64>; 2]) -> Self {
        let counts = times.each_ref().map(Vec::len);
        let [a, b] = times.each_mut().map(|times| Spread::of(times));
        let change = counts.iter().all(|count| *count > 0).then(|| (Change::new(&a, &b), counts));
        let us = [a, b].map(|side| (side.n > 0).then_some(side.median));
        Self { name: name.to_owned(), us, change }
    }

    fn row(&self) -> DifferenceRow<'_> {
        let difference = self.change.as_ref().map(|(change, [a, b])| RowDifference {
            us: change.difference_us,
            interval_us: change.interval_us,
            is_slower: match change.verdict {
                ChangeVerdict::Slower => Some(true),
                ChangeVerdict::Faster => Some(false),
                ChangeVerdict::Same | ChangeVerdict::Noisy => None,
            },
            verdict: change.verdict.name(),
            source: format!("{a} and {b} frames"),
        });
        let name = if self.name.is_empty() { "Frame" } else { &self.name };
        DifferenceRow { name, us: self.us, difference }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::timing::{FrameTiming, PassTiming};

    fn frames(count: u64, us: impl Fn(u64) -> Vec<(&'static str, f64)>) -> Vec<TimedFrame> {
        let frame = |number: u64| {
            let pass =
                |(name, us): (&str, f64)| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
            let passes: Vec<PassTiming> = us(number).into_iter().map(pass).collect();
            let gpu_us = Some(passes.iter().filter_map(|pass| pass.gpu_us).sum());
            let timing = FrameTiming { frame: number, gpu_us, passes, compiles: number == 3, ..Default::default() };
            TimedFrame { at_s: number as f64, timing: timing.into() }
        };
        (0..count).map(frame).collect()
    }

    #[test]
    fn passes_are_compared_row_by_row() {
        let noise = |number: u64| (number * 7919 % 13) as f64 * 0.1;
        let a =
            frames(60, |n| vec![("list", 50.0 + noise(n)), ("list", 50.0), ("gone", 3.0), ("same", 9.0 + noise(n))]);
        let b = frames(50, |n| vec![("list", 120.0 + noise(n)), ("same", 9.0 + noise(n + 5)), ("new", 1.0)]);
        let rows = compare([a.iter().collect(), b.iter().collect()]);
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["", "list", "gone", "same", "new"]);
        let (change, counts) = rows[1].change.unwrap();
        assert_eq!((change.verdict, counts), (ChangeVerdict::Slower, [59, 49]), "{change:?}");
        assert!((change.difference_us - 20.0).abs() < 0.3 && change.interval_us[0] > 15.0);
        assert_eq!(rows[2].us, [Some(3.0), None]);
        assert_eq!(rows[3].change.unwrap().0.verdict, ChangeVerdict::Same);
        assert_eq!((rows[4].us, rows[4].change), ([None, Some(1.0)], None));
        let row = rows[1].row();
        assert_eq!(row.difference.unwrap().is_slower, Some(true));
        assert!(compare([Vec::new(), Vec::new()]).is_empty());
    }

    #[test]
    fn settings_that_differ_are_listed() {
        let text = to_toml(&Settings::default()).unwrap();
        assert_eq!(differing(&text), Vec::<String>::new());
        assert_eq!(differing("[glass]\nfrost = 9.5\n[none]\nx = 1\n"), ["glass.frost = 9.5", "none.x = 1"]);
        assert_eq!(differing("nothing ["), Vec::<String>::new());
    }
}
