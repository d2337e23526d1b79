//! Context menu of a lens.

use egui::{Align, Button, Context, Id, Layout, Popup, PopupAnchor, PopupCloseBehavior, Pos2, RichText, Ui, vec2};

use super::manipulator::Key;
use super::{PresetAction, UiAction, UiState, settings::collapsing, theme, views};

/// Width of the menu, in points.
const WIDTH: f32 = 214.0;
/// Degrees per menu entry that turns the lens: one key press.
const DEGREES: u8 = 15;

fn id() -> Id {
    Id::new("lens menu")
}

/// Opens it at the pointer, in points.
pub fn open(ctx: &Context, at: Pos2) {
    ctx.data_mut(|data| data.insert_temp(id(), (at, true)));
    Popup::open_id(ctx, id());
}

/// Shows it while open.
pub fn show(ctx: &Context, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
    let Some((at, is_fresh)) = ctx.data(|data| data.get_temp::<(Pos2, bool)>(id())) else { return };
    // The click that opened it is in the first passes and must not close it.
    let closes = if is_fresh { PopupCloseBehavior::IgnoreClicks } else { PopupCloseBehavior::CloseOnClick };
    if is_fresh && ctx.input(|input| !input.pointer.any_pressed() && !input.pointer.any_released()) {
        ctx.data_mut(|data| data.insert_temp(id(), (at, false)));
    }
    let layer = egui::LayerId::background();
    let popup = Popup::new(id(), ctx.clone(), PopupAnchor::Position(at), layer).kind(egui::PopupKind::Menu);
    let popup = popup.open_memory(None).close_behavior(closes).width(WIDTH).gap(0.0);
    popup.show(|ui| lines(ui, state, actions));
}

fn lines(ui: &mut Ui, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
    ui.set_width(WIDTH);
    ui.spacing_mut().item_spacing.y = 1.0;
    let lens = state.lens;
    let mut key = |ui: &mut Ui, enabled: bool, text: &str, key: &str, action: UiAction| {
        if line(ui, enabled, text, key) {
            actions.push(action);
        }
    };
    let (ours, several) = (!lens.is_reference, lens.count > 1);
    key(ui, lens.can_add, "New lens", "N", UiAction::Press(Key::N, 1));
    key(ui, ours && several, "Remove this lens", "Del", UiAction::Press(Key::Delete, 1));
    key(ui, ours && several, "Select the next lens", "Tab", UiAction::Press(Key::Tab, 1));
    let (can_raise, can_lower) = (lens.selected + 1 < lens.count, lens.selected > 0);
    key(ui, ours && can_raise, "Bring forward", "Page Up", UiAction::Press(Key::PageUp, 1));
    key(ui, ours && can_lower, "Send backward", "Page Down", UiAction::Press(Key::PageDown, 1));
    key(ui, ours && lens.has_own_glass, "This glass for all lenses", "", UiAction::ShareGlass);
    key(ui, ours, "Rotate 15\u{b0} left", "Q", UiAction::Press(Key::Q, DEGREES));
    key(ui, ours, "Rotate 15\u{b0} right", "E", UiAction::Press(Key::E, DEGREES));
    key(ui, true, "Reset lens and camera", "R", UiAction::Press(Key::R, 1));
    collapsing::rule(ui);
    let glass = if lens.is_reference { "Glass: Meniscus" } else { "Glass: reference" };
    key(ui, true, glass, "Space", UiAction::Press(Key::Space, 1));
    for (number, preset) in (1..=9).zip(state.presets.list) {
        let load = UiAction::Preset(PresetAction::Load(preset.name.clone()));
        key(ui, true, &format!("Preset {}", preset.title), &number.to_string(), load);
    }
    collapsing::rule(ui);
    let next = views::next(state.infos, state.view.shown, 1);
    key(ui, true, "Next view", "V", UiAction::View(next));
    if let Some(drifts) = lens.drifts {
        key(ui, true, if drifts { "Pause the camera" } else { "Let the camera drift" }, "F", UiAction::ToggleDrift);
    }
    key(ui, true, "Save a picture", "F2", UiAction::TakePicture);
    key(ui, true, "Record the window, or end that", "F9", UiAction::Record);
    key(ui, true, "Hide or show the panels", "H", UiAction::Press(Key::H, 1));
}

/// A menu entry with its key at the right end. True when clicked.
fn line(ui: &mut Ui, enabled: bool, text: &str, key: &str) -> bool {
    let add = |ui: &mut Ui| {
        let atoms = egui::Atoms::new((text.to_owned(), egui::Atom::grow(), RichText::new(key).color(theme::QUIET)));
        let visuals = &mut ui.visuals_mut().widgets.inactive;
        (visuals.weak_bg_fill, visuals.bg_stroke) = (egui::Color32::TRANSPARENT, egui::Stroke::NONE);
        let button = Button::new(atoms).min_size(vec2(ui.available_width(), theme::ROW));
        let response = ui.add_enabled(enabled, button);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, text));
        response.clicked()
    };
    ui.with_layout(Layout::top_down(Align::Min), add).inner
}
