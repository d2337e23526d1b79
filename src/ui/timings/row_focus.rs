//! Keyboard focus among the rows of the table.

use egui::{Context, EventFilter, Id, Key, Response, Ui};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fold {
    Open,
    Close,
}

fn request_id() -> Id {
    Id::new("focus of the rows")
}

/// The first row that runs gets the focus as soon as there is one.
pub(crate) fn request(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(request_id(), ()));
}

pub(super) fn withdraw(ctx: &Context) {
    ctx.data_mut(|data| data.remove::<()>(request_id()));
}

pub(super) fn is_requested(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp::<()>(request_id())).is_some()
}

/// Right opens a row and left closes it; otherwise both would move the focus out of the table.
pub(super) fn fold(ui: &Ui, row: &Response) -> Option<Fold> {
    if !row.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(row.id, filter));
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    match (pressed(Key::ArrowRight), pressed(Key::ArrowLeft)) {
        (true, false) => Some(Fold::Open),
        (false, true) => Some(Fold::Close),
        _ => None,
    }
}
