//! Places of controls that the tour points at.

use egui::{Align, Context, Id, Rect, Ui};

/// Seconds during which it scrolls to the control: sections open meanwhile.
const SCROLLS_S: f64 = 0.7;

type Wanted = Option<(String, f64)>;

fn wanted_id() -> Id {
    Id::new("tour points at")
}

fn place_id() -> Id {
    Id::new("place that the tour points at")
}

pub(super) fn want(ctx: &Context, name: Option<String>) {
    let end_s = ctx.input(|input| input.time) + SCROLLS_S;
    let wanted: Wanted = name.map(|name| (name, end_s));
    ctx.data_mut(|data| data.insert_temp(wanted_id(), wanted));
}

/// `name` is evaluated only while the tour asks for a control.
pub(super) fn note(ui: &Ui, name: impl FnOnce() -> String, rect: Rect) {
    let (ctx, clip) = (ui.ctx(), ui.clip_rect());
    let wanted = ctx.data(|data| data.get_temp::<Wanted>(wanted_id())).flatten();
    let Some((_, end_s)) = wanted.filter(|(wanted, _)| *wanted == name()) else { return };
    if ui.input(|input| input.time) < end_s {
        ui.scroll_to_rect(rect.expand(40.0), Some(Align::Center));
        ctx.request_repaint();
    }
    ctx.data_mut(|data| data.insert_temp(place_id(), Some(rect.expand(3.0).intersect(clip.expand(2.0)))));
}

pub(super) fn take(ctx: &Context) -> Option<Rect> {
    ctx.data_mut(|data| data.remove_temp::<Option<Rect>>(place_id())).flatten()
}
