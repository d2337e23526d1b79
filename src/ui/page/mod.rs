//! A technique's page: text with settings that can be set, views that can be shown, and figures of its steps.

mod chips;
mod figures;
#[cfg(test)]
mod tests;

use super::instruments::Instruments;
use super::layout::{of_glass, page_width, scrolled};
use super::settings::{collapsing, enabled::Applies};
use super::view_pictures::ViewPictures;
use super::{UiAction, UiState, instruments, theme, thumbnails};
use base::markdown::{Block, Style, blocks, pieces};
use base::settings::Field;
use egui::text::LayoutJob;
use egui::{
    Align2, Color32, Context, FontId, Grid, Label, Rect, RichText, ScrollArea, TextFormat, Ui, UiBuilder, pos2, vec2,
};
use technique::{Info, Mention, mention};

pub use figures::PageFigures;

/// Line height as a multiple of the font size.
const LINE: f32 = 1.42;

/// Width of a letter of a table as a multiple of its size, and points between columns.
const LETTER: f32 = 0.56;
const COLUMNS_APART: f32 = 16.0;

pub(super) struct Page<'a, 'b> {
    pub info: &'a Info,
    pub state: &'a mut UiState<'b>,
    pub instruments: &'a Instruments,
    pub pictures: &'a mut ViewPictures,
    pub figures: &'a mut PageFigures,
    pub actions: &'a mut Vec<UiAction>,
    fields: Vec<(&'static str, &'static [Field])>,
    applies: Applies,
}

impl<'a, 'b> Page<'a, 'b> {
    pub fn new(
        info: &'a Info,
        (state, instruments): (&'a mut UiState<'b>, &'a Instruments),
        (pictures, figures): (&'a mut ViewPictures, &'a mut PageFigures),
        actions: &'a mut Vec<UiAction>,
    ) -> Self {
        let fields = state.sections.iter().map(|section| (section.id, section.settings.fields())).collect();
        let applies = Applies::of(&state.sections, state.scene.draws_world, state.scene.files);
        Self { info, state, instruments, pictures, figures, actions, fields, applies }
    }

    pub fn show(mut self, ui: &mut Ui) {
        let source = match self.info.doc.trim_start().split_once('\n') {
            Some((first, rest)) if first.starts_with("# ") => rest,
            _ => self.info.doc,
        };
        let all = blocks(source);
        self.figures.request(self.info, &all, self.state, self.actions);
        let before = self.actions.len();
        self.links(ui);
        for (index, block) in all.into_iter().enumerate() {
            ui.push_id(index, |ui| self.draw(ui, block));
        }
        if self.actions[before..].iter().any(|action| matches!(action, UiAction::Changed { .. })) {
            self.figures.renew(ui.ctx(), self.info, self.state, self.actions);
        }
    }

    fn links(&mut self, ui: &mut Ui) {
        if !self.info.lab.replays.is_empty() && self.state.pair.is_none() {
            let button = ui.button("Step by step");
            if button.on_hover_text(format!("{} Closes the page.", self.info.lab.replays)).clicked() {
                self.figures.go_on(self.info, self.state, self.actions);
            }
        }
        let choice = self.instruments.links(ui, self.info, &self.state.results, self.actions);
        let Some(choice) = choice else { return };
        let section = self.state.sections.iter_mut().find(|section| section.id == choice.section);
        self.actions.extend(section.and_then(|section| choice.make(section)));
    }

    fn draw(&mut self, ui: &mut Ui, block: Block<'_>) {
        match block {
            Block::Heading(level, text) => {
                ui.add_space(if level == 1 { 2.0 } else { 10.0 });
                let size = if level < 3 { theme::TITLE } else { theme::LARGE };
                self.line(ui, text, size, theme::STRONG);
                ui.add_space(2.0);
            }
            Block::Text(text) => {
                self.line(ui, &text, theme::LARGE, theme::TEXT);
                ui.add_space(3.0);
            }
            Block::Item(depth, mark, text) => self.item(ui, depth, &mark, &text),
            Block::Code(lines) => {
                // Pages are written for a checkout.
                let text = lines.join("\n").replace("scripts/run ", "meniscus ");
                theme::well().show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.add(Label::new(theme::figure(text)).wrap().selectable(true));
                });
                ui.add_space(3.0);
            }
            Block::Table(rows) => self.table(ui, &rows),
            Block::Figure(name) => self.figures.show(ui, self.info, name, self.state, self.actions),
            Block::Rule => collapsing::rule(ui),
        }
    }

    /// The views that an item names are beside it, or several below it.
    fn item(&mut self, ui: &mut Ui, depth: usize, mark: &str, text: &str) {
        let views = self.views(text);
        ui.horizontal_top(|ui| {
            ui.add_space(4.0 + 14.0 * depth as f32);
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new(mark).size(theme::LARGE).color(theme::ACCENT));
            if let [only] = views[..] {
                self.thumbnail(ui, only);
                ui.add_space(4.0);
            }
            ui.vertical(|ui| {
                self.line(ui, text, theme::LARGE, theme::TEXT);
                if views.len() > 1 {
                    ui.horizontal_wrapped(|ui| views.iter().for_each(|view| self.thumbnail(ui, *view)));
                }
            });
        });
        ui.add_space(if views.is_empty() { 0.0 } else { 5.0 });
    }

    fn thumbnail(&mut self, ui: &mut Ui, [info, view]: [usize; 2]) {
        let infos = self.state.infos;
        let (info, shown) = (&infos[info], self.state.view.shown);
        let picked = thumbnails::single(ui, info, &info.views[view], shown, self.pictures);
        self.actions.extend(picked.map(UiAction::View));
    }

    fn views(&self, text: &str) -> Vec<[usize; 2]> {
        let codes = pieces(text).into_iter().filter(|(style, _)| *style == Style::Code);
        let found = codes.filter_map(|(_, code)| self.mention(code));
        found.filter_map(|found| if let Mention::View(place) = found { Some(place) } else { None }).collect()
    }

    fn mention(&self, code: &str) -> Option<Mention> {
        mention(code, self.info.id, self.state.infos, &self.fields)
    }

    /// As wide as the page: columns that need more than their part share what the others leave, and their cells wrap.
    fn table(&mut self, ui: &mut Ui, rows: &[Vec<&str>]) {
        let widths = table_widths(rows, ui.available_width());
        Grid::new("table").striped(true).spacing([COLUMNS_APART, 4.0]).min_col_width(0.0).show(ui, |ui| {
            for (place, row) in rows.iter().enumerate() {
                let color = if place == 0 { theme::STRONG } else { theme::TEXT };
                for ((column, cell), width) in row.iter().enumerate().zip(&widths) {
                    ui.push_id(column, |ui| {
                        ui.vertical(|ui| {
                            ui.set_width(*width);
                            self.line(ui, cell, theme::BODY, color);
                        });
                    });
                }
                ui.end_row();
            }
        });
        ui.add_space(3.0);
    }

    fn line(&mut self, ui: &mut Ui, text: &str, size: f32, color: Color32) {
        // Text as one label, or, where it names settings, as labels and chips in turn.
        let label = |job: LayoutJob| Label::new(job).selectable(true).wrap();
        let mut parts = vec![Part::Text(Vec::new())];
        for (style, piece) in pieces(text) {
            let chip = (style == Style::Code).then(|| self.mention(piece)).flatten();
            match (chip, parts.last_mut()) {
                (Some(found @ (Mention::Setting(_) | Mention::Value(..))), _) => {
                    parts.extend([Part::Chip(found), Part::Text(Vec::new())]);
                }
                (_, Some(Part::Text(pieces))) => pieces.push((style, piece)),
                _ => {}
            }
        }
        if let [Part::Text(pieces)] = &parts[..] {
            ui.add(label(job(pieces, size, color)));
            return;
        }
        let flow = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing = vec2(0.0, 2.0);
            ui.spacing_mut().interact_size.y = size * LINE;
            for part in parts {
                match part {
                    Part::Text(pieces) if pieces.is_empty() => {}
                    Part::Text(pieces) => {
                        ui.add(label(job(&pieces, size, color)));
                    }
                    Part::Chip(found) => {
                        chips::show(ui, &found, self.state, (&self.fields, &self.applies, size), self.actions);
                    }
                }
            }
        };
        ui.horizontal_wrapped(flow);
    }
}

fn table_widths(rows: &[Vec<&str>], room: f32) -> Vec<f32> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let room = (room - COLUMNS_APART * count.saturating_sub(1) as f32 - 4.0).max(1.0);
    let wanted = |column: usize| {
        let letters = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        theme::BODY * LETTER * letters.unwrap_or_default() as f32 + 8.0
    };
    let wanted: Vec<f32> = (0..count).map(wanted).collect();
    // Narrow columns get what they want; the others share the rest by the root of what they want.
    let mut widths = wanted.clone();
    let mut wide: Vec<usize> = (0..count).collect();
    while wanted.iter().sum::<f32>() > room {
        let narrow: f32 = (0..count).filter(|column| !wide.contains(column)).map(|column| wanted[column]).sum::<f32>();
        let roots: f32 = wide.iter().map(|column| wanted[*column].sqrt()).sum();
        let share = |column: usize| (room - narrow).max(0.0) * wanted[column].sqrt() / roots;
        let still: Vec<usize> = wide.iter().copied().filter(|column| share(*column) < wanted[*column]).collect();
        if still.len() == wide.len() || still.is_empty() {
            wide.iter().for_each(|column| widths[*column] = share(*column));
            break;
        }
        wide = still;
    }
    widths
}

impl super::Ui {
    /// At the right of `free`, the area beside the dock.
    pub(super) fn page(&mut self, ctx: &Context, free: Rect, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        let infos = state.infos;
        let is_open = |id: &str| self.help.page.as_deref() == Some(id);
        let of_instrument = instruments::INFOS.iter().find(|info| is_open(info.id) && !info.page.is_empty());
        let of_instrument =
            of_instrument.map(|info| Info { id: info.id, title: info.title, doc: info.page, ..Info::NONE });
        let open = infos.iter().find(|info| is_open(info.id)).or(of_instrument.as_ref());
        self.help.figures.settle(open.map(|info| info.id), actions);
        let Some(info) = open else {
            self.help.page = None;
            return;
        };
        let width = page_width(free);
        let rect = Rect::from_min_size(pos2(free.right() - width, free.top()), vec2(width, free.height()));
        of_glass(ctx, "page", (rect, Align2::RIGHT_TOP), theme::page(), |ui, inner| {
            // A wide block does not widen the panel.
            let (_, place) = ui.allocate_space(inner);
            let mut ui = ui.new_child(UiBuilder::new().max_rect(place));
            ui.shrink_clip_rect(place);
            self.help.head(&mut ui, info.title);
            let (pictures, figures) = (&mut self.controls.pictures, &mut self.help.figures);
            let scroll = ScrollArea::vertical().id_salt(info.id).auto_shrink([false, false]);
            scrolled(&mut ui, scroll, |ui| {
                Page::new(info, (state, &self.instruments), (pictures, figures), actions).show(ui);
            });
        });
        if self.help.figures.is_kept() {
            self.help.page = None;
        }
    }
}

enum Part<'a> {
    Text(Vec<(Style<'a>, &'a str)>),
    Chip(Mention),
}

fn format(size: f32) -> TextFormat {
    TextFormat { font_id: theme::font(size), line_height: Some(size * LINE), ..TextFormat::default() }
}

/// The built-in fonts have no bold face: bold is brighter.
fn job(pieces: &[(Style<'_>, &str)], size: f32, color: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (style, piece) in pieces {
        let plain = TextFormat { color, ..format(size) };
        let format = match style {
            // A link shows its text; nothing here opens a browser.
            Style::Plain | Style::Link(_) => plain,
            Style::Strong => TextFormat { color: theme::STRONG, ..plain },
            Style::Emphasis => TextFormat { italics: true, ..plain },
            Style::Code => TextFormat {
                font_id: FontId::monospace(if size > theme::BODY { theme::BODY } else { theme::SMALL }),
                color: theme::ACCENT.lerp_to_gamma(theme::STRONG, 0.55),
                ..plain
            },
        };
        job.append(piece, 0.0, format);
    }
    job
}
