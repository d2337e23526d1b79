//! Card of what is dropped on purpose: what to look for, and the check that notices it.

use egui::{Button, CollapsingHeader, Label, RichText, ScrollArea, Ui, vec2};

use crate::{UiAction, names, theme};
use instrument::CheckRun;

/// Most letters of a check's message, and height of the rest.
const BRIEF: usize = 160;
const DETAILS: f32 = 140.0;

pub struct Card<'a> {
    pub sentence: &'a str,
    pub look_for: &'a str,
    pub check: &'a str,
    /// Missing settings that it needs to show.
    pub lacks: &'a [&'static str],
    pub run: &'a CheckRun,
}

impl Card<'_> {
    pub fn show(&self, ui: &mut Ui, actions: &mut Vec<UiAction>) {
        let wide = vec2(ui.available_width(), theme::ROW + 2.0);
        let text = |ui: &mut Ui, text: &str| ui.add(Label::new(RichText::new(text)).wrap());
        ui.add_space(2.0);
        let was_running = ui.id().with("a check runs");
        match self.run {
            CheckRun::Running { done, of } => {
                progress(ui, *done, *of);
                ui.data_mut(|data| data.insert_temp(was_running, ()));
            }
            run => {
                let again = if *run == CheckRun::Idle { "" } else { " again" };
                let hint = format!(
                    "meniscus verify {}, with the broken shaders, on a device of its own, until a case fails",
                    self.check
                );
                ui.columns_const(|[mend, check]| {
                    let half = vec2(mend.available_width(), wide.y);
                    let button = |text: &str| Button::new(theme::middle(text)).min_size(half);
                    if mend.add(button("Mend it")).on_hover_text("Nothing is dropped").clicked() {
                        actions.push(UiAction::Lay(vec!["lab.break=none"]));
                    }
                    if check.add(button(&format!("Check it{again}"))).on_hover_text(hint).clicked() {
                        actions.push(UiAction::RunCheck);
                    }
                });
            }
        }
        ui.add_space(2.0);
        text(ui, self.sentence);
        text(ui, &format!("Look for: {}", self.look_for));
        if !self.lacks.is_empty() {
            let lacks: Vec<String> = self.lacks.iter().map(|set| set.replacen('=', ": ", 1)).collect();
            let lacks = names::in_panel_names(&lacks.join(", "));
            text(ui, &format!("It does not show yet. It needs: {lacks}."));
            let button = Button::new(theme::middle("Use settings that show it")).min_size(wide);
            if ui.add(button).on_hover_text(format!("Sets {lacks}")).clicked() {
                actions.push(UiAction::Lay(self.lacks.to_vec()));
            }
        }
        let (verdict, color) = match self.run {
            CheckRun::Idle | CheckRun::Running { .. } => return,
            CheckRun::Failed { text, .. } => {
                let text = format!("Noticed: the check {} fails, as it must: {}.", self.check, brief(text));
                (text, theme::GOOD)
            }
            CheckRun::Passed { cases } => {
                (format!("It passes {cases} cases: this device hides the fault."), theme::WARN)
            }
            CheckRun::Refused(why) => (format!("It cannot run: {why}."), theme::WARN),
        };
        let said = ui.add(Label::new(RichText::new(verdict).color(color)).wrap());
        if ui.data_mut(|data| data.remove_temp::<()>(was_running)).is_some() {
            said.scroll_to_me(None);
        }
        if let CheckRun::Failed { case, text } = self.run {
            CollapsingHeader::new(theme::small("Details")).id_salt("details of the check").show(ui, |ui| {
                ScrollArea::vertical().max_height(DETAILS).show(ui, |ui| {
                    let text = format!("First case that fails: {case}. {text}");
                    ui.add(Label::new(theme::small(text)).wrap().selectable(true));
                });
            });
        }
    }
}

fn progress(ui: &mut Ui, done: usize, of: usize) {
    let text = if of == 0 { "Opens a device ...".to_owned() } else { format!("Case {} of {of}", done + 1) };
    let bar = theme::progress(done as f32 / of.max(1) as f32, text);
    ui.add(bar.desired_width(ui.available_width()).desired_height(theme::ROW + 2.0));
}

/// The check that noticed the break runs again without it.
pub fn mended(ui: &mut Ui, check: &str, run: &CheckRun) {
    let (text, color) = match run {
        CheckRun::Idle => return,
        CheckRun::Running { done, of } => {
            progress(ui, *done, *of);
            (format!("Mended. The check {check} runs again ..."), theme::TEXT)
        }
        CheckRun::Passed { cases } => {
            (format!("Mended: the check {check} passes again, in all {cases} cases."), theme::GOOD)
        }
        CheckRun::Failed { text, .. } => (format!("Mended, but the check {check} fails: {}.", brief(text)), theme::BAD),
        CheckRun::Refused(why) => (format!("Mended, but the check cannot run: {why}."), theme::WARN),
    };
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}

fn brief(text: &str) -> String {
    let first = text.split([':', ';']).next().unwrap_or(text).trim();
    match first.char_indices().nth(BRIEF) {
        Some((end, _)) => format!("{} ...", &first[..end]),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    struct World {
        run: CheckRun,
        lacks: &'static [&'static str],
        actions: Vec<UiAction>,
    }

    fn card(run: CheckRun, lacks: &'static [&'static str]) -> Harness<'static, World> {
        let draw = |ui: &mut egui::Ui, world: &mut World| {
            theme::install(ui.ctx());
            let card = Card {
                sentence: "The flag arrives before the sum.",
                look_for: "Tiles.",
                check: "summed_area/tables",
                lacks: world.lacks,
                run: &world.run,
            };
            card.show(ui, &mut world.actions);
        };
        let world = World { run, lacks, actions: Vec::new() };
        Harness::builder().with_size([290.0, 260.0]).build_ui_state(draw, world)
    }

    #[test]
    fn the_check_is_named_and_run() {
        let mut harness = card(CheckRun::Idle, &[]);
        assert!(harness.query_by_label("Use settings that show it").is_none());
        harness.get_by_label("Check it").click();
        harness.run_steps(3);
        harness.get_by_label("Mend it").click();
        harness.run_steps(3);
        assert_eq!(harness.state().actions, [UiAction::RunCheck, UiAction::Lay(vec!["lab.break=none"])]);
    }

    #[test]
    fn what_needs_settings_offers_them() {
        let mut harness = card(CheckRun::Idle, &["glass.frost=12"]);
        harness.get_by_label("It does not show yet. It needs: Frost: 12.");
        harness.get_by_label("Use settings that show it").click();
        harness.run_steps(3);
        assert_eq!(harness.state().actions, [UiAction::Lay(vec!["glass.frost=12"])]);
    }

    #[test]
    fn its_end_is_said() {
        let runs =
            "3 of 40 runs leave other values: auto as bits, subgroups Usual, thresholds [4, 1, 7]; words as bits";
        let harness = card(CheckRun::Failed { case: "none, Shared".into(), text: runs.into() }, &[]);
        let said = "the check summed_area/tables fails, as it must: 3 of 40 runs leave other values.";
        harness.get_by_label(&format!("Noticed: {said}"));
        harness.get_by_label("Details");
        assert!(harness.query_by_label_contains("thresholds").is_none(), "folded");
    }

    #[test]
    fn what_noticed_a_break_says_that_it_is_mended() {
        let said = |run: CheckRun, text: &str| {
            let draw = move |ui: &mut egui::Ui| mended(ui, "glass/rays", &run);
            Harness::builder().with_size([290.0, 160.0]).build_ui(draw).get_by_label(text);
        };
        said(CheckRun::Running { done: 1, of: 4 }, "Mended. The check glass/rays runs again ...");
        said(CheckRun::Passed { cases: 4 }, "Mended: the check glass/rays passes again, in all 4 cases.");
    }
}
