//! Places of controls that the tour points at, and of settings that were searched for.

use super::theme;
use egui::{Align, Context, Id, Rect, Ui, vec2};

/// Seconds during which it scrolls to the control: sections open meanwhile.
const SCROLLS_S: f64 = 0.7;
/// Seconds for which a setting that was searched for is highlighted.
const HIGHLIGHT_S: f64 = 2.0;

#[derive(Clone, Default)]
struct Anchors {
    /// Of the tour and of the search: a name, and since when it is wanted, seconds.
    wanted: [Option<(String, f64)>; 2],
    /// Where the tour's is.
    place: Option<Rect>,
}

fn with<T>(ctx: &Context, work: impl FnOnce(&mut Anchors) -> T) -> T {
    ctx.data_mut(|data| work(data.get_temp_mut_or_default(Id::new("anchors"))))
}

pub(super) fn want(ctx: &Context, name: Option<String>) {
    let now_s = ctx.input(|input| input.time);
    with(ctx, |anchors| anchors.wanted[0] = name.map(|name| (name, now_s)));
}

/// Scrolls to a setting and highlights its row, from the next frame on.
pub(super) fn find_setting(ctx: &Context, section: &str, field: &str) {
    let now_s = ctx.input(|input| input.time);
    with(ctx, |anchors| anchors.wanted[1] = Some((format!("setting {section}.{field}"), now_s)));
}

/// `name` is evaluated only while a control is wanted.
pub(super) fn note(ui: &Ui, name: impl FnOnce() -> String, rect: Rect) {
    let now_s = ui.input(|input| input.time);
    let wanted = with(ui.ctx(), |anchors| {
        anchors.wanted[1].take_if(|(_, since_s)| now_s - *since_s >= HIGHLIGHT_S);
        anchors.wanted.clone()
    });
    if wanted == [None, None] {
        return;
    }
    let name = name();
    for (is_found, wanted) in [false, true].into_iter().zip(wanted) {
        let Some((_, since_s)) = wanted.filter(|(wanted, _)| *wanted == name) else { continue };
        if now_s - since_s < SCROLLS_S {
            ui.scroll_to_rect(rect.expand(40.0), Some(Align::Center));
            ui.ctx().request_repaint();
        }
        if is_found {
            let part = 1.0 - ((now_s - since_s) / HIGHLIGHT_S) as f32;
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 1.0)), 5.0, theme::ACCENT.gamma_multiply(0.35 * part));
            ui.ctx().request_repaint();
        } else {
            let place = rect.expand(3.0).intersect(ui.clip_rect().expand(2.0));
            with(ui.ctx(), |anchors| anchors.place = Some(place));
        }
    }
}

pub(super) fn take(ctx: &Context) -> Option<Rect> {
    with(ctx, |anchors| anchors.place.take())
}
