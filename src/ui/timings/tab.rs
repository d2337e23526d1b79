//! Table of the timings, in the tab Inspect.

use egui::{PointerButton, Response, Ui};

use super::super::limits::{clock_lamp, device_line};
use super::super::{settings::collapsing, theme};
use super::cost::{Cost, FigureOf, Rest};
use super::history::{Side, Timings, by_place, in_order};
use super::hovered_pass::{HoveredPass, RowCosts};
use super::owners::{MEASUREMENTS, Owners, VIEW, group_of_named};
use super::row_focus::{self, Fold};
use super::{limit_rows, table, table::Mark, table::Row};
use base::text::{counted, micros, sentence};
use instrument::FrameResults;

#[derive(Default)]
pub(crate) struct PassRows {
    /// Of a technique the pass that takes longest.
    pub hovered: Option<HoveredPass>,
    pub clicked: Option<String>,
    pub limited: Vec<String>,
}

const PINS: &str = "A click, or Enter, pins its picture.";

fn row_notes(row: &Row<'_>) -> String {
    let own = table::notes(row.cost);
    [own].iter().chain(&row.notes).flat_map(|note| [note.as_str(), " "]).collect()
}

impl PassRows {
    /// Notes the row under the pointer, else the row with the focus; of a group, `pass` is the dearest.
    fn look_at(
        &mut self,
        (pass, response): (&str, &Response),
        (title, is_group): (&str, bool),
        (cost, notes): (&Cost, String),
    ) {
        if response.clicked_by(PointerButton::Primary) {
            response.surrender_focus();
        }
        let is_focused = response.has_focus() && self.hovered.is_none();
        if response.hovered() || is_focused {
            self.hovered = Some(HoveredPass {
                pass: pass.to_owned(),
                row: response.rect,
                costs: Some(RowCosts { title: title.to_owned(), is_group, sides: cost.shown.map(table::texts), notes }),
            });
        }
    }
}

impl Timings {
    /// GPU time of a pass as the table has it, and of which frames; empty if unknown.
    pub(crate) fn cost_text(&self, pass: &str) -> String {
        let Some((cost, us)) = self.pass(pass).and_then(|cost| Some((cost, cost.shown[0].per_frame()?))) else {
            return String::new();
        };
        let of = match cost.figure_of() {
            FigureOf::Window => "a frame",
            FigureOf::FullFrame => "in the last full frame",
            _ => "when it last ran",
        };
        format!("{} {of}", micros(us))
    }

    /// All techniques, those without a frame as `none`, and the other owners of passes.
    fn rows<'a>(&'a self, owners: &Owners<'a>, none: &'a Cost) -> Vec<(&'a str, &'a Cost)> {
        let known = in_order(&self.techniques, owners).into_iter().map(|(name, cost)| (name.as_str(), cost));
        let mut rows: Vec<_> = known.filter(|(name, _)| self.is_open_now(name)).collect();
        let missing = owners.0.iter().filter(|info| !self.techniques.iter().any(|(name, _)| name == info.id));
        rows.extend(missing.map(|info| (info.id, none)));
        rows.sort_by_key(|(name, _)| owners.order(name));
        self.sort(&mut rows, |(_, cost)| cost);
        rows
    }

    /// Costliest first, if that is chosen.
    fn sort<'a, T>(&self, rows: &mut [T], cost: impl Fn(&T) -> &'a Cost) {
        let side = usize::from(self.side == Side::Cpu);
        if let Some(column) = self.sorted_by.filter(|_| self.side != Side::Limits) {
            let value = |row: &T| cost(row).shown[side].columns()[column].unwrap_or(-1.0);
            rows.sort_by(|a, b| value(b).total_cmp(&value(a)));
        }
    }

    /// `measured_at`: size and state of the displayed content.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        owners: &Owners<'_>,
        (measured_at, limits): (&str, &FrameResults<'_>),
    ) -> PassRows {
        let mut rows = PassRows { limited: self.limit_passes(), ..PassRows::default() };
        if self.at_s.is_empty() {
            let none = if self.compiles { "The driver compiles shaders ..." } else { "No frame has been timed yet." };
            ui.label(theme::small(none));
            return rows;
        }
        let sides = [
            (Side::Gpu, "GPU", "Between the timestamps around each pass"),
            (Side::Cpu, "CPU", "Recording each pass"),
            (Side::Limits, "Limits", "Bytes and bandwidth of each pass beside those of a copy"),
        ];
        collapsing::segments(ui, &mut self.side, &sides);
        ui.add_space(4.0);
        let (side, is_limits) = (usize::from(self.side == Side::Cpu), self.side == Side::Limits);
        if is_limits {
            theme::note(ui, device_line(limits));
            clock_lamp(ui, limits.clock);
        }
        let columns = table::Columns::new(ui, if is_limits { &limit_rows::COLUMNS } else { &table::TIMES });
        if let Some(clicked) = table::heading(ui, &columns, (!is_limits).then_some(self.sorted_by)) {
            self.sorted_by = Some(clicked).filter(|column| self.sorted_by != Some(*column));
        }
        if !is_limits {
            table::row(ui, &columns, Row::times("Frame", "Frame".into(), &self.frame, side, Mark::Frame));
            collapsing::rule(ui);
        }
        let toggled = self.technique_rows(ui, &columns, owners, limits, &mut rows);
        if is_limits {
            limit_rows::note(ui);
        } else {
            self.frame_note(ui, &columns, side, measured_at);
        }
        if let Some(technique) = toggled
            && !self.open.remove(&technique)
        {
            self.open.insert(technique);
        }
        rows
    }

    /// Rows of the techniques, and of the passes of those that are unfolded; returns the technique to fold or unfold.
    fn technique_rows(
        &self,
        ui: &mut Ui,
        columns: &table::Columns,
        owners: &Owners<'_>,
        limits: &FrameResults<'_>,
        rows: &mut PassRows,
    ) -> Option<String> {
        let (side, is_limits) = (usize::from(self.side == Side::Cpu), self.side == Side::Limits);
        let mut toggled = None;
        let none = Cost::new(0);
        let techniques = self.rows(owners, &none);
        let of = |cost: &Cost| if cost.shown[side].rests { cost.shown[side].last_run() } else { cost.shown[side].mean };
        let most = |costs: &mut dyn Iterator<Item = &Cost>| costs.filter_map(of).fold(0.0, f64::max);
        let most = [
            most(&mut techniques.iter().map(|(_, cost)| *cost)),
            most(&mut self.passes.iter().filter(|(_, cost)| !cost.of_view).map(|(_, cost)| cost)),
        ];
        let mark = |row: &mut Row<'_>, most: f64, what: &str| {
            row.is_costliest = !is_limits && most > 0.0 && of(row.cost) == Some(most);
            row.notes.extend(row.is_costliest.then(|| format!("The costliest {what}.")));
        };
        let first = row_focus::is_requested(ui.ctx()).then(|| {
            let live = techniques.iter().find(|(_, sum)| sum.is_live());
            live.or_else(|| techniques.iter().find(|(_, sum)| sum.last[side].is_some()))
                .map(|(technique, _)| *technique)
        });
        for (technique, sum) in techniques {
            let is_own = |(name, cost): &&(String, Cost)| group_of_named(name, cost.of_view) == technique;
            let mut passes: Vec<_> = by_place(&self.passes).into_iter().filter(is_own).collect();
            self.sort(&mut passes, |(_, cost)| cost);
            let is_open = self.open.contains(technique);
            let has_more = passes.len() > 1 || passes.iter().any(|(name, _)| name != technique);
            let kind = Mark::Technique { color: owners.color(technique), open: has_more.then_some(is_open) };
            let title = owners.title(technique);
            let mut row = Row::times(&title, title.clone(), sum, side, kind);
            mark(&mut row, most[0], "technique");
            if is_limits {
                limit_rows::fill(&mut row, self, passes.iter().map(|(name, _)| name.as_str()), limits);
            }
            let notes = row_notes(&row);
            let response = table::row(ui, columns, row);
            if first == Some(Some(technique)) {
                response.request_focus();
                row_focus::withdraw(ui.ctx());
            }
            let wanted = if is_open { Fold::Close } else { Fold::Open };
            if has_more && (response.clicked() || row_focus::fold(ui, &response) == Some(wanted)) {
                toggled = Some(technique.to_owned());
            }
            let last_us = |(_, cost): &&&(String, Cost)| cost.last[side].unwrap_or_default();
            if let Some((pass, _)) = passes.iter().max_by(|a, b| last_us(a).total_cmp(&last_us(b))) {
                let hint = match passes.len() {
                    _ if !has_more => PINS.to_owned(),
                    1 => "A click, or Right, shows its pass.".to_owned(),
                    count => {
                        format!("A click, or Right, shows its {count} passes; a click on its dot pins this picture.")
                    }
                };
                rows.look_at((pass, &response), (&title, has_more), (sum, notes + &hint));
                let is_pinned = has_more && table::pin(ui, &response, &owners.pass_title(pass));
                if is_pinned || response.clicked() && !has_more {
                    rows.clicked = Some(pass.clone());
                }
            }
            for (name, cost) in passes.into_iter().filter(|_| is_open) {
                let short = name.split_once('/').map_or(name.as_str(), |(_, what)| what).replace('_', " ");
                let full = owners.pass_title(name);
                let is_of_many = [MEASUREMENTS, VIEW].contains(&technique);
                let names = (full.clone(), if is_of_many { full } else { sentence(&short) });
                let mut row = Row::times(&names.0, names.1, cost, side, Mark::Pass);
                mark(&mut row, most[1], "pass");
                if is_limits {
                    limit_rows::fill(&mut row, self, [name.as_str()].into_iter(), limits);
                }
                let notes = format!("{}{PINS}", row_notes(&row));
                let technique_row = response.id;
                let response = table::row(ui, columns, row);
                if row_focus::fold(ui, &response) == Some(Fold::Close) {
                    toggled = Some(technique.to_owned());
                    ui.memory_mut(|memory| memory.request_focus(technique_row));
                }
                rows.look_at((name, &response), (&names.0, false), (cost, notes));
                if response.clicked() {
                    rows.clicked = Some(name.clone());
                }
            }
        }
        toggled
    }

    fn frame_note(&self, ui: &mut Ui, columns: &table::Columns, side: usize, measured_at: &str) {
        let rest = ["Between passes, waiting", "Outside passes"][side];
        let short = ["Gaps, waiting", "Outside passes"][side];
        table::row(ui, columns, Row::times(rest, short.into(), &self.rest, side, Mark::Frame));
        let frames = counted(self.frame.frames[1], "frame");
        let note = match self.at_rest {
            None => format!(
                "Last run: in the newest frame with it. A frame: per displayed frame of the last second ({frames})."
            ),
            Some(Rest { frames: of, is_full: true, .. }) => format!(
                "At rest. Last run, share: of the last full frame, which drew everything{}. A frame: what is still drawn, per displayed frame ({frames}).",
                if of > 1 { format!(" in {of} displayed frames") } else { String::new() }
            ),
            Some(Rest { frames: of, .. }) => format!(
                "At rest. Last run, share: of {of} frames, one for each row. A frame: what is still drawn ({frames})."
            ),
        };
        ui.add_space(4.0);
        theme::note(ui, format!("{note} {measured_at}"));
        if self.techniques.iter().any(|(_, cost)| !cost.is_live() && cost.last[side].is_some()) {
            theme::note(ui, GREY);
        }
        if self.techniques.iter().map(|(_, cost)| cost).chain([&self.frame]).any(|cost| cost.frames_of_parts > 1) {
            ui.label(theme::small("* Of several displayed frames."));
        }
    }
}

const GREY: &str = "Grey: did not run in the last second, since what it makes is still the same or nothing uses it.";
