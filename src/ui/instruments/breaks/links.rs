//! Links from a technique to what can be dropped from its shaders on purpose.

use super::SECTION;
use crate::instruments::Choice;
use crate::theme;
use egui::{Button, Ui};
use lab::Break;
use technique::Info;

const FIELD: &str = "break";

pub fn show(ui: &mut Ui, info: &Info, now: Option<Break>) -> Option<Choice> {
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
    let choice = |of: Break| Choice {
        section: SECTION,
        field: FIELD,
        value: of.name().into(),
        is_in_picture: of != Break::None,
    };
    clicked.map(choice)
}

#[cfg(test)]
mod tests {
    use super::super::Breaks;
    use super::*;
    use crate::UiAction;
    use crate::instruments::Instrument as _;
    use egui_kittest::kittest::Queryable as _;
    use instrument::FrameResults;
    use techniques::{Settings, info};

    #[test]
    fn the_check_stands_in_the_row_of_its_technique() {
        let draw = |ui: &mut Ui, actions: &mut Vec<UiAction>| {
            theme::install(ui.ctx());
            let breaks = Breaks { now: Some(Break::Barrier), ..Breaks::default() };
            for info in ["mip_chain", "glass"].into_iter().filter_map(info) {
                breaks.links(ui, info, &FrameResults::of_passes(&[]), actions);
            }
        };
        let mut harness = egui_kittest::Harness::builder().with_size([290.0, 300.0]).build_ui_state(draw, Vec::new());
        harness.get_by_label("Check it").click();
        harness.run_steps(3);
        assert_eq!(harness.state()[..], [UiAction::RunCheck]);
    }

    #[test]
    fn a_techniques_breaks_are_offered_and_chosen() {
        let draw = |ui: &mut Ui, (settings, count): &mut (Settings, usize)| {
            theme::install(ui.ctx());
            let now = Some(settings.lab.r#break);
            let Some(choice) = info("mip_chain").and_then(|info| show(ui, info, now)) else { return };
            let mut sections = settings.sections();
            let lab = sections.iter_mut().find(|section| section.id == choice.section).unwrap();
            assert_eq!(choice.make(lab), Some(UiAction::Changed { section: SECTION, field: FIELD }));
            *count += 1;
        };
        let world = (Settings::default(), 0);
        let mut harness = egui_kittest::Harness::builder().with_size([290.0, 90.0]).build_ui_state(draw, world);
        assert!(harness.query_by_label(&Break::Sentinel.title()).is_none(), "of another technique");
        for (count, of) in [(1, Break::Barrier), (2, Break::None)] {
            harness.get_by_label(&Break::Barrier.title()).click();
            harness.run_steps(3);
            assert_eq!((harness.state().1, harness.state().0.lab.r#break), (count, of));
        }
    }
}
