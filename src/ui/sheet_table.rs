//! Table of a sheet, with selectable rows.

use egui::{Align2, Context, FontId, Id, Rect, Sense, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2};

use super::sheet_chooser::Chooser;
use super::theme;
use lab::{CardRow, CardTable, Cell, Column};

/// Points between columns, of a row, of a full bar, and between it and its figure.
const GAP: f32 = 16.0;
const ROW: f32 = 20.0;
const BAR: [f32; 2] = [44.0, 8.0];
const BETWEEN: f32 = 6.0;
/// Width of the button that makes B of a row, with the space before it.
const AS_B: f32 = 52.0;
/// Width of the selected row's mark.
const MARK: f32 = 12.0;
/// The longest share: all bars end at one line.
const WHOLE: &str = "100 %";

pub(super) fn text_width(ctx: &Context, text: &str, font: FontId) -> f32 {
    ctx.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, theme::TEXT).size().x)
}

fn cell_width(ctx: &Context, cell: &Cell) -> f32 {
    let width = text_width(ctx, &cell.text, theme::figures());
    if cell.is_share { width.max(text_width(ctx, WHOLE, theme::figures())) + BETWEEN + BAR[0] } else { width }
}

pub(super) fn widths(ctx: &Context, table: &CardTable) -> Vec<f32> {
    let head = |column: usize| text_width(ctx, table.columns[column].name, theme::font(theme::SMALL));
    let name = |row: &CardRow| MARK + text_width(ctx, &row.title, theme::font(theme::BODY));
    let of = |column: usize| match column.checked_sub(1) {
        None => table.rows.iter().map(name).fold(head(0) + MARK, f32::max),
        Some(cell) => {
            let cells = table.rows.iter().filter_map(|row| row.cells.get(cell)).map(|cell| cell_width(ctx, cell));
            cells.fold(head(column), f32::max)
        }
    };
    (0..table.columns.len()).map(of).collect()
}

pub(super) fn width(table: &CardTable, widths: &[f32]) -> f32 {
    let chooses = table.rows.iter().any(|row| !row.name.is_empty() || !row.sets.is_empty());
    let columns = widths.iter().sum::<f32>() + GAP * widths.len().saturating_sub(1) as f32;
    columns + if chooses { AS_B } else { 2.0 }
}

pub(super) fn show(
    ui: &mut Ui,
    salt: (&str, usize),
    table: &CardTable,
    widths: &[f32],
    chooser: &Chooser<'_>,
) -> Option<(usize, Clicked)> {
    if !table.title.is_empty() {
        ui.add_space(6.0);
        ui.label(theme::caption(&table.title));
    }
    let id = ui.id().with(("table", salt));
    let ends: Vec<f32> = widths
        .iter()
        .scan(-GAP, |end, width| {
            *end += GAP + width;
            Some(*end)
        })
        .collect();
    let whole = vec2(ui.available_width().max(width(table, widths)), ROW);
    ui.spacing_mut().item_spacing.y = 0.0;
    heads(ui, id, whole, &table.columns, (&ends, widths));
    let mut clicked = None;
    for (index, one) in table.rows.iter().enumerate() {
        clicked = row(ui, id.with(("row", index)), whole, one, &ends, chooser).map(|part| (index, part)).or(clicked);
    }
    ui.add_space(4.0);
    clicked
}

fn heads(ui: &mut Ui, id: Id, whole: Vec2, columns: &[Column], (ends, widths): (&[f32], &[f32])) {
    let (head, _) = ui.allocate_exact_size(whole, Sense::hover());
    for (column, ((of, end), width)) in columns.iter().zip(ends).zip(widths).enumerate() {
        let place = head.with_min_x(head.left() + end - width).with_max_x(head.left() + end);
        let response = ui.interact(place, id.with(("head", column)), Sense::hover());
        let (at, align) = match column {
            0 => (pos2(place.left() + MARK, place.center().y), Align2::LEFT_CENTER),
            _ => (pos2(place.right(), place.center().y), Align2::RIGHT_CENTER),
        };
        ui.painter().text(at, align, of.name, theme::font(theme::SMALL), theme::QUIET);
        theme::speak(&response, WidgetType::Label, of.name);
        if !of.meaning.is_empty() {
            response.on_hover_text(of.meaning);
        }
    }
    let line = egui::Stroke::new(1.0, theme::RAIL);
    ui.painter().hline(head.x_range(), head.bottom(), line);
}

/// What of a row was clicked.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Clicked {
    Row,
    AsB,
}

fn row(ui: &mut Ui, id: Id, whole: Vec2, row: &CardRow, ends: &[f32], chooser: &Chooser<'_>) -> Option<Clicked> {
    let (can_choose, is_chosen) = (chooser.can_choose(row), chooser.is_chosen(row));
    let (rect, _) = ui.allocate_exact_size(whole, Sense::hover());
    let sense = if can_choose { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, id, sense);
    if can_choose && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.bg_fill);
    }
    let name = &row.title;
    let color = if is_chosen { theme::ACCENT } else { theme::STRONG };
    if is_chosen {
        ui.painter().circle_filled(pos2(rect.left() + 4.0, rect.center().y), 2.4, theme::ACCENT);
    }
    ui.painter().text(
        pos2(rect.left() + MARK, rect.center().y),
        Align2::LEFT_CENTER,
        name,
        theme::font(theme::BODY),
        color,
    );
    for (cell, end) in row.cells.iter().zip(&ends[1.min(ends.len())..]) {
        draw_cell(ui, cell, pos2(rect.left() + end, rect.center().y));
    }
    let cells = row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(", ");
    let spoken = format!("{name}: {cells}");
    let kind = if can_choose { WidgetType::SelectableLabel } else { WidgetType::Label };
    response.widget_info(|| WidgetInfo::selected(kind, true, is_chosen, &spoken));
    if can_choose {
        let end = rect.left() + ends.last().copied().unwrap_or_default() + AS_B;
        let place = rect.with_min_x(end - AS_B + 8.0).with_max_x(end).shrink2(vec2(0.0, 1.0));
        let layout = egui::Layout::centered_and_justified(egui::Direction::LeftToRight);
        let mut aside = ui.new_child(egui::UiBuilder::new().id_salt(("as B", id)).max_rect(place).layout(layout));
        aside.spacing_mut().interact_size.y = place.height();
        let button = aside.add(egui::Button::new(theme::small("as B")).small());
        theme::speak(&button, WidgetType::Button, &format!("{name} as B"));
        if button.clicked() {
            return Some(Clicked::AsB);
        }
    }
    response.clicked().then_some(Clicked::Row)
}

fn draw_cell(ui: &Ui, cell: &Cell, end: egui::Pos2) {
    let color = if cell.value.is_some() { theme::TEXT } else { theme::DIM };
    ui.painter().text(end, Align2::RIGHT_CENTER, &cell.text, theme::figures(), color);
    let Some(share) = cell.value.filter(|_| cell.is_share) else { return };
    let widest = text_width(ui.ctx(), WHOLE, theme::figures());
    let right = end.x - widest.max(text_width(ui.ctx(), &cell.text, theme::figures())) - BETWEEN;
    let bar = Rect::from_min_max(pos2(right - BAR[0], end.y - BAR[1] / 2.0), pos2(right, end.y + BAR[1] / 2.0));
    ui.painter().rect_filled(bar, 2.0, theme::RAIL);
    let filled = bar.with_max_x(bar.left() + bar.width() * share.clamp(0.0, 1.0) as f32);
    ui.painter().rect_filled(filled, 2.0, theme::ACCENT);
}
