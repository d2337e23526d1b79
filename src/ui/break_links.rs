//! Links from a technique to what can be dropped from its shaders on purpose.

use egui::{Button, Context, Ui};

use super::settings::{collapsing, highlight};
use super::theme;
use crate::lab::Break;
use crate::techniques::{Info, Section};

/// Section and field of the choice.
pub(super) const SECTION: &str = "lab";
const FIELD: &str = "break";

/// A button for each break of a technique; returns the clicked one, or none to drop where it is dropped already.
pub(super) fn show(ui: &mut Ui, info: &Info, now: Option<Break>) -> Option<Break> {
    let breaks = info.trials.breaks;
    if breaks.is_empty() {
        return None;
    }
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(theme::small("Break it:"))
            .on_hover_text("Drops one thing from the shaders, in the lens; A beside it is right");
        for broken in breaks {
            let is_now = now == Some(broken.of);
            let hint = format!("{} Look for: {}", broken.of.doc(), broken.look_for);
            let button = Button::new(theme::small(broken.of.title())).small().selected(is_now);
            if ui.add(button).on_hover_text(hint).clicked() {
                clicked = Some(if is_now { Break::None } else { broken.of });
            }
        }
    });
    clicked
}

/// What is dropped.
pub(super) fn now(sections: &[Section<'_>]) -> Option<Break> {
    let section = sections.iter().find(|section| section.id == SECTION)?;
    let index = section.settings.fields().iter().position(|field| field.name == FIELD)?;
    section.settings.value(index).as_str()?.parse().ok()
}

/// Drops it and shows its card; returns the changed field.
pub(super) fn choose(ctx: &Context, section: &mut Section<'_>, of: Break) -> Option<&'static str> {
    let index = section.settings.fields().iter().position(|field| field.name == FIELD)?;
    section.settings.set(index, &toml::Value::from(of.name())).ok()?;
    collapsing::unfold(ctx, SECTION);
    highlight::find(ctx, SECTION, FIELD);
    Some(FIELD)
}
