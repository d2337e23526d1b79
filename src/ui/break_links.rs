//! Links from a technique to what can be dropped from its shaders on purpose.

use egui::{Button, Context, Ui};

use super::settings::{collapsing, highlight};
use super::theme;
use lab::Break;
use technique::{Info, Section};

pub(super) const SECTION: &str = "lab";
const FIELD: &str = "break";

pub(super) fn show(ui: &mut Ui, info: &Info, now: Option<Break>) -> Option<Break> {
    let breaks = info.lab.breaks;
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

pub(super) fn now(sections: &[Section<'_>]) -> Option<Break> {
    let section = sections.iter().find(|section| section.id == SECTION)?;
    let index = section.settings.fields().iter().position(|field| field.name == FIELD)?;
    section.settings.value(index).as_str()?.parse().ok()
}

pub(super) fn choose(ctx: &Context, section: &mut Section<'_>, of: Break) -> Option<&'static str> {
    let index = section.settings.fields().iter().position(|field| field.name == FIELD)?;
    section.settings.set(index, &toml::Value::from(of.name())).ok()?;
    collapsing::unfold(ctx, SECTION);
    highlight::find(ctx, SECTION, FIELD);
    Some(FIELD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::kittest::Queryable as _;
    use techniques::{Settings, info};

    #[test]
    fn a_techniques_breaks_are_offered_and_chosen() {
        let draw = |ui: &mut Ui, (settings, clicked): &mut (Settings, Vec<Break>)| {
            theme::install(ui.ctx());
            let mut sections = settings.sections();
            let now = now(&sections);
            let found = info("mip_chain").and_then(|info| show(ui, info, now));
            let lab = sections.iter_mut().find(|section| section.id == SECTION);
            if let Some((of, lab)) = found.zip(lab) {
                assert_eq!(choose(ui.ctx(), lab, of), Some(FIELD));
                clicked.push(of);
            }
        };
        let world = (Settings::default(), Vec::new());
        let mut harness = egui_kittest::Harness::builder().with_size([290.0, 90.0]).build_ui_state(draw, world);
        assert!(harness.query_by_label(&Break::Sentinel.title()).is_none(), "of another technique");
        for (count, of) in [(1, Break::Barrier), (2, Break::None)] {
            harness.get_by_label(&Break::Barrier.title()).click();
            harness.run_steps(3);
            assert_eq!((harness.state().1.len(), harness.state().0.lab.r#break), (count, of));
        }
    }
}
