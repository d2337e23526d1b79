//! Steps of replays: their figures and texts, for the player, for pages and for files.

mod drawing;
mod figure;
mod step_cost;
#[cfg(test)]
pub(super) mod tests;

pub(super) use self::drawing::mesh_of;
pub(super) use self::figure::draw as draw_figure;
pub(super) use self::step_cost::{StepCost, Times};

use super::theme;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Context, FontId, Label, Rect, Response, RichText, Sense, Ui, UiBuilder, WidgetType, vec2};
use technique::{MemoryComparison, Replay, ReplayStep, TilePlace};

/// Height of a step's name below the figure.
const NAME: f32 = 28.0;
/// Height of a line, and about the width of a letter.
const LINE: f32 = 18.0;
const LETTER: f32 = 6.6;

pub(super) fn draw_step(
    ui: &mut Ui,
    area: Rect,
    replay: &Replay,
    (steps, number): (&[ReplayStep], usize),
    before: Option<(usize, f32)>,
) -> Response {
    let response = ui.allocate_rect(area, Sense::click());
    let Some(step) = steps.get(number) else { return response };
    theme::speak(&response, WidgetType::Image, &step.name);
    // In a page it may be scrolled away.
    if !ui.is_rect_visible(area) {
        return response;
    }
    let layout = figure::draw(&ui.painter_at(area), area, (steps, number), before);
    let pointed = response.hover_pos().and_then(|at| layout.cell_at(step, at));
    if let Some([grid, number]) = pointed {
        response.clone().on_hover_ui_at_pointer(|ui| {
            let (grid, cell) = (&step.grids[grid], &step.grids[grid].cells[number]);
            let place = format!("{}: row {}, column {}", grid.title, number / grid.columns, number % grid.columns);
            ui.label(theme::small(place));
            let item = cell.item.and_then(|item| replay.items.get(item as usize));
            if !cell.text.is_empty() {
                ui.label(theme::figure(&cell.text).color(theme::STRONG));
            }
            item.into_iter().for_each(|item| {
                ui.label(RichText::new(item).color(theme::TEXT));
            });
        });
    }
    response
}

fn lines(letters: usize, width: f32) -> f32 {
    (letters as f32 * LETTER / width.max(1.0)).ceil()
}

/// Height of the text below every step, so that figures keep their places; the last one has the comparisons, too.
pub(super) fn text_height(replay: &Replay, width: f32) -> f32 {
    let compared: f32 = replay.comparisons.iter().map(|one| lines(one.text.len() + 3, width)).sum();
    let of = |(number, step): (usize, &ReplayStep)| {
        let letters: usize = step.figures.iter().map(|(name, value)| name.len() + value.len() + 3).sum();
        let figures = lines(letters + if step.passes.is_empty() { 0 } else { 40 }, width);
        lines(step.sentence.len(), width) + figures + if number + 1 < replay.steps.len() { 0.0 } else { compared }
    };
    let most = replay.steps.iter().enumerate().map(of).fold(1.0, f32::max);
    NAME + LINE * (most + lines(replay.note.len(), width))
}

pub(super) fn describe(ui: &mut Ui, (number, step): (usize, &ReplayStep), replay: &Replay, cost: Option<StepCost>) {
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.label(theme::heading(format!("{}. {}", number + 1, step.name)));
    let is_first = number == 0 && !replay.note.is_empty();
    if is_first {
        ui.add(Label::new(RichText::new(&replay.note).color(theme::TEXT)).wrap());
    }
    ui.add(Label::new(RichText::new(&step.sentence).color(theme::TEXT)).wrap());
    ui.horizontal_wrapped(|ui| {
        if let Some(cost) = cost {
            ui.label(theme::small(cost.of)).on_hover_text(&cost.hint);
            ui.label(theme::figure(cost.us).color(theme::STRONG)).on_hover_text(&cost.hint);
            ui.add_space(6.0);
        }
        for (name, value) in &step.figures {
            // A name and its value stay in one row.
            ui.add(Label::new(pair(name, value)).extend());
            ui.add_space(6.0);
        }
    });
    if number + 1 == replay.steps.len() {
        replay.comparisons.iter().for_each(|one| verdict(ui, one));
    }
    if !is_first {
        note(ui, replay);
    }
}

fn pair(name: &str, value: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    let format =
        |size: FontId, color| TextFormat { font_id: size, color, valign: Align::Center, ..TextFormat::default() };
    job.append(&format!("{name} "), 0.0, format(theme::font(theme::SMALL), theme::QUIET));
    job.append(value, 2.0, format(theme::figures(), theme::TEXT));
    job
}

/// What the frame does otherwise.
pub(super) fn note(ui: &mut Ui, replay: &Replay) {
    if !replay.note.is_empty() {
        theme::note(ui, &replay.note);
    }
}

fn verdict(ui: &mut Ui, comparison: &MemoryComparison) {
    let (sign, color) = if comparison.is_equal() { ("=", theme::GOOD) } else { ("\u{2260}", theme::BAD) };
    ui.add(Label::new(RichText::new(format!("{sign} {}.", comparison.text)).color(color)).wrap());
}

pub(super) fn tile_pixel(ctx: &Context, tiles: &TilePlace) -> [u32; 2] {
    let whole = ctx.content_rect().size() * ctx.pixels_per_point();
    tiles.pixel_of(tiles.at, [whole.x as u32, whole.y as u32])
}

pub(super) fn figure_of(ui: &mut Ui, replay: &Replay, step: &ReplayStep) -> Response {
    let size = vec2(ui.available_width(), 0.6 * ui.available_width());
    draw_step(ui, Rect::from_min_size(ui.cursor().min, size), replay, (std::slice::from_ref(step), 0), None)
}

/// A step with all that belongs to it, over the whole screen of a file's picture.
pub fn show_still(ui: &mut Ui, replay: &Replay, title: &str, number: usize) {
    let Some(step) = replay.steps.get(number) else { return };
    let room = ui.ctx().content_rect().shrink(14.0);
    let head = format!("{title}, {} {}, {}", replay.tiles.name, replay.tiles.at[0], replay.tiles.at[1]);
    let font = theme::font(theme::SMALL);
    ui.painter().text(room.right_bottom(), Align2::RIGHT_BOTTOM, head, font, theme::QUIET);
    let figure = room.with_max_y(room.bottom() - text_height(replay, room.width()));
    figure::draw(ui.painter(), figure, (&replay.steps, number), None);
    let text = room.with_min_y(figure.bottom() + 8.0);
    ui.scope_builder(UiBuilder::new().max_rect(text), |ui| describe(ui, (number, step), replay, None));
}
