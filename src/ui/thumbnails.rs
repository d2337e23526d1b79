//! Thumbnails of a technique's views.

use egui::{
    Align2, Galley, Id, Rect, Response, Sense, StrokeKind, Ui, WidgetInfo, WidgetType,
    emath::GuiRounding as _,
    pos2,
    text::{LayoutJob, TextFormat, TextWrapping},
    vec2,
};
use std::sync::Arc;

use super::{
    names::in_panel_names,
    settings::collapsing,
    theme,
    view_pictures::{SIZE, ViewPictures},
};
use renderer::{ActiveView, ViewPlacement};
use technique::{Info, ViewInfo};

const GAP: f32 = 6.0;
pub(super) const ABOVE_TITLE: f32 = 2.0;
/// Thumbnails shown at first; the last place says how many more there are.
const FEW: usize = 6;

pub(super) fn show(
    ui: &mut Ui,
    info: &Info,
    shown: Option<ActiveView>,
    pictures: &mut ViewPictures,
) -> Option<Option<ActiveView>> {
    let key = format!("{}/views", info.id);
    let can_fold = info.views.len() > FEW;
    // A chosen view is never hidden.
    let is_kept_open = info.views.iter().skip(FEW - 1).any(|view| is_shown(shown, info, view));
    let is_open = is_kept_open || collapsing::is_unfolded(ui.ctx(), &key);
    let count = if can_fold && !is_open { FEW - 1 } else { info.views.len() };
    let views = info.views[..count].iter().map(|view| Some((view, view.title.to_owned())));
    let tiles: Vec<_> = views.chain((can_fold && !is_kept_open).then_some(None)).collect();
    let columns = ((ui.available_width() + GAP) / (SIZE.x + GAP)).round().max(1.0) as usize;
    let mut picked = None;
    grid(ui, columns, &tiles, ("views", &key, info.views.len() - count), |ui, view, title, [place, picture]| {
        let tile = Tile { view, title, place, picture, is_chosen: is_shown(shown, info, view) };
        if tile.show(ui, info, pictures).clicked() {
            picked = Some(selection(shown, info, view));
        }
    });
    picked
}

/// Tiles in rows, each a picture above a title; at `None` is the button that unfolds the `hidden` ones of a `kind`.
pub(super) fn grid<T: Copy>(
    ui: &mut Ui,
    columns: usize,
    tiles: &[Option<(T, String)>],
    (kind, key, hidden): (&str, &str, usize),
    mut show: impl FnMut(&Ui, T, Arc<Galley>, [Rect; 2]),
) {
    let width = ((ui.available_width() - GAP * (columns - 1) as f32) / columns as f32).floor();
    let picture = vec2(width, (width * SIZE.y / SIZE.x).round());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        for row in tiles.chunks(columns) {
            let row = row.iter().map(|tile| tile.as_ref().map(|(tile, text)| (*tile, title(ui, text, width))));
            let row: Vec<_> = row.collect();
            let lines = row.iter().flatten().map(|(_, title)| title.size().y).fold(0.0, f32::max);
            let size = vec2(ui.available_width(), picture.y + ABOVE_TITLE + lines);
            let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
            for (column, tile) in row.into_iter().enumerate() {
                let left = whole.left() + column as f32 * (width + GAP);
                let corner = pos2(left, whole.top()).round_to_pixels(ui.pixels_per_point());
                let [place, picture] = [vec2(width, size.y), picture].map(|size| Rect::from_min_size(corner, size));
                match tile {
                    Some((tile, title)) => show(ui, tile, title, [place, picture]),
                    None if more(ui, (kind, key), hidden, picture) => {
                        collapsing::set_unfolded(ui.ctx(), key, hidden > 0);
                    }
                    None => {}
                }
            }
        }
    });
    ui.add_space(4.0);
}

pub(super) fn single(
    ui: &mut Ui,
    info: &Info,
    view: &ViewInfo,
    shown: Option<ActiveView>,
    pictures: &mut ViewPictures,
) -> Option<Option<ActiveView>> {
    let (place, _) = ui.allocate_exact_size(SIZE, Sense::hover());
    let place = Rect::from_min_size(place.min.round_to_pixels(ui.pixels_per_point()), SIZE);
    let title = ui.painter().layout_no_wrap(String::new(), theme::font(theme::SMALL), theme::TEXT);
    let tile = Tile { view, title, place, picture: place, is_chosen: is_shown(shown, info, view) };
    let is_clicked = tile.show(ui, info, pictures).clicked();
    is_clicked.then(|| selection(shown, info, view))
}

fn is_shown(shown: Option<ActiveView>, info: &Info, view: &ViewInfo) -> bool {
    shown.is_some_and(|now| now.technique == info.id && now.view.name == view.name)
}

/// A second click returns to the final image; another view is where this one is.
fn selection(shown: Option<ActiveView>, info: &Info, view: &ViewInfo) -> Option<ActiveView> {
    let place = shown.map_or(ViewPlacement::Lens, |now| now.place);
    (!is_shown(shown, info, view)).then_some(ActiveView { technique: info.id, view: *view, place })
}

/// Two lines at most.
fn title(ui: &Ui, text: &str, width: f32) -> Arc<Galley> {
    let format = TextFormat::simple(theme::font(theme::SMALL), egui::Color32::PLACEHOLDER);
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.halign = egui::Align::Center;
    job.wrap = TextWrapping { max_width: width, max_rows: 2, ..TextWrapping::default() };
    ui.painter().layout_job(job)
}

struct Tile<'a> {
    view: &'a ViewInfo,
    title: Arc<Galley>,
    place: Rect,
    picture: Rect,
    is_chosen: bool,
}

impl Tile<'_> {
    fn show(self, ui: &Ui, info: &Info, pictures: &mut ViewPictures) -> Response {
        let Self { view, title, place, picture, is_chosen } = self;
        let response = ui.interact(place, ui.id().with(("thumbnail", info.id, view.name)), Sense::click());
        let spoken = format!("View {}", view.title);
        response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_chosen, &spoken));
        if ui.is_rect_visible(place) {
            let color = pictures.tile(ui, (info.id, view.name), picture, (&response, is_chosen));
            ui.painter().galley(picture.center_bottom() + vec2(0.0, ABOVE_TITLE), title, color);
        }
        response.on_hover_ui(|ui| {
            let words = if is_chosen { "A click: back to the final image." } else { "A click shows it." };
            ui.set_max_width(300.0);
            ui.label(theme::heading(view.title));
            ui.label(in_panel_names(view.doc));
            ui.label(theme::small(words));
            ui.label(theme::figure(format!("--view {}/{}", info.id, view.name)).color(theme::QUIET));
        })
    }
}

fn more(ui: &Ui, (kind, key): (&str, &str), hidden: usize, rect: Rect) -> bool {
    let response = ui.interact(rect, Id::new(("more", kind, key)), Sense::click());
    let (text, hint) = match hidden {
        0 => ("Fewer".to_owned(), format!("Show fewer {kind}")),
        _ => (format!("{hidden} more"), format!("Show {hidden} more {kind}")),
    };
    theme::speak(&response, WidgetType::Button, &hint);
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, 4.0, visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, theme::font(theme::BODY), theme::TEXT);
    response.on_hover_text(hint).clicked()
}
