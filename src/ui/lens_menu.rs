//! Context menu of a lens.

use egui::containers::menu::menu_style;
use egui::{Align, Button, Context, Id, Layout, Popup, PopupAnchor, PopupCloseBehavior, Pos2, Response, Ui};

use super::keys::{self, Shortcut};
use super::manipulator::Key;
use super::{PanelKey, UiAction, UiState, settings::collapsing, theme};

const WIDTH: f32 = 214.0;

fn id() -> Id {
    Id::new("lens menu")
}

pub fn open(ctx: &Context, at: Pos2) {
    ctx.data_mut(|data| data.insert_temp(id(), (at, true)));
    Popup::open_id(ctx, id());
}

pub fn show(ctx: &Context, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
    let Some((at, is_fresh)) = ctx.data(|data| data.get_temp::<(Pos2, bool)>(id())) else { return };
    // The click that opened it is in the first passes and must not close it.
    let closes = if is_fresh { PopupCloseBehavior::IgnoreClicks } else { PopupCloseBehavior::CloseOnClick };
    if is_fresh && ctx.input(|input| !input.pointer.any_pressed() && !input.pointer.any_released()) {
        ctx.data_mut(|data| data.insert_temp(id(), (at, false)));
    }
    let layer = egui::LayerId::background();
    let popup = Popup::new(id(), ctx.clone(), PopupAnchor::Position(at), layer).kind(egui::PopupKind::Menu);
    let popup = popup.layout(Layout::top_down_justified(Align::Min)).style(menu_style);
    let popup = popup.open_memory(None).close_behavior(closes).width(WIDTH).gap(0.0);
    popup.show(|ui| lines(ui, state, actions));
}

fn lines(ui: &mut Ui, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 1.0;
    let lens = state.lens;
    let mut entry = |ui: &mut Ui, enabled: bool, text: &str, key: &str, action: UiAction| {
        if line(ui, enabled, text, key).clicked() {
            actions.push(action);
        }
    };
    let (ours, several) = (!lens.is_reference, lens.count > 1);
    let (can_raise, can_lower) = (lens.selected + 1 < lens.count, lens.selected > 0);
    let mut press = |ui: &mut Ui, enabled: bool, key: Key| {
        let shortcut = Shortcut::Lens(key);
        entry(ui, enabled, keys::text(shortcut), &keys::name(shortcut), UiAction::Shortcut(shortcut));
    };
    press(ui, lens.can_add, Key::N);
    press(ui, ours && several, Key::Delete);
    press(ui, ours && several, Key::Tab);
    press(ui, ours && can_raise, Key::PageUp);
    press(ui, ours && can_lower, Key::PageDown);
    press(ui, ours, Key::Turn(-15));
    press(ui, ours, Key::Turn(15));
    press(ui, true, Key::R);
    entry(ui, ours && lens.has_several_glasses, "This glass for all lenses", "", UiAction::ShareGlass);
    collapsing::rule(ui);
    let glass = if lens.is_reference { "Glass: Meniscus" } else { "Glass: reference" };
    let mut same = |ui: &mut Ui, enabled: bool, text: &str, shortcut: Shortcut| {
        entry(ui, enabled, text, &keys::name(shortcut), UiAction::Shortcut(shortcut));
    };
    // With a B the key shows A or B.
    same(ui, state.pair.is_none(), glass, Shortcut::FlipGlass);
    collapsing::rule(ui);
    if let Some(drifts) = lens.drifts {
        same(ui, true, if drifts { "Pause the camera" } else { "Let the camera drift" }, Shortcut::ToggleDrift);
    }
    let others = [Shortcut::Panel(PanelKey::NextView), Shortcut::TakePicture, Shortcut::Record, Shortcut::TogglePanels];
    others.into_iter().for_each(|shortcut| same(ui, true, keys::text(shortcut), shortcut));
}

/// Of a menu.
pub(super) fn line(ui: &mut Ui, enabled: bool, text: &str, key: &str) -> Response {
    let response = ui.add_enabled(enabled, Button::new(text).right_text(theme::small(key)));
    theme::speak(&response, egui::WidgetType::Button, text);
    response
}
