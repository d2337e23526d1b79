//! Search over actions, views, settings and pages.

use egui::{Key, Label, Modifiers, ScrollArea, Sense, TextEdit, Ui, vec2};

use super::dock::{COMMANDS, Tab};
use super::keys::{self, Shortcut};
use super::presets::PresetAction;
use super::{FILE_KINDS, PanelKey, UiAction, UiState, instruments, theme, tour};
use glass::ShaderLanguage;
use renderer::{ActiveView, ViewPlacement};

const RESULTS_MOST: usize = 30;
const HEIGHT: f32 = 240.0;
const ACTION: &str = "action";

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    Run(UiAction),
    Setting { section: &'static str, field: &'static str, group: &'static str },
    Page(&'static str),
    Tour,
}

#[derive(Clone, Debug)]
struct Item {
    target: Target,
    title: String,
    place: String,
    /// Empty: none.
    key: String,
    /// Lower-case text in which words are looked for after the title.
    more: String,
}

#[derive(Default)]
pub(super) struct Search {
    is_open: bool,
    wants_focus: bool,
    text: String,
    chosen: usize,
}

impl Search {
    pub fn open(&mut self) {
        *self = Self { is_open: true, wants_focus: true, ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.is_open
    }

    pub fn show(&mut self, ui: &mut Ui, state: &UiState<'_>) -> Option<Target> {
        if !self.is_open {
            return None;
        }
        // Before the field takes them.
        let (step, is_picked, is_closed) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            let step = isize::from(pressed(Key::ArrowDown)) - isize::from(pressed(Key::ArrowUp));
            (step, pressed(Key::Enter), pressed(Key::Escape))
        });
        let field = TextEdit::singleline(&mut self.text).hint_text("Search actions, views, settings, pages");
        // Before the field is added: it takes what was typed since the key that opens it.
        let id = egui::Id::new("search field");
        if std::mem::take(&mut self.wants_focus) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let response = ui.add(field.id(id).desired_width(f32::INFINITY).vertical_align(egui::Align::Center));
        theme::speak(&response, egui::WidgetType::TextEdit, "Search");
        if response.changed() {
            self.chosen = 0;
        }
        if is_closed || is_picked {
            response.surrender_focus();
        }
        if is_closed {
            self.is_open = false;
            return None;
        }
        let found = matches(&self.text, items(state));
        self.chosen = self.chosen.saturating_add_signed(step).min(found.len().saturating_sub(1));
        let mut picked = found.get(self.chosen).filter(|_| is_picked).map(|item| item.target.clone());
        if found.is_empty() && !self.text.trim().is_empty() {
            ui.label(theme::small("Nothing has these words."));
        }
        let scroll = ScrollArea::vertical().id_salt("results").max_height(HEIGHT).auto_shrink([false, true]);
        super::layout::scrolled(ui, scroll, |ui| {
            for (index, item) in found.iter().enumerate() {
                if row(ui, item, index == self.chosen, step != 0) {
                    picked = Some(item.target.clone());
                }
            }
        });
        ui.add_space(4.0);
        self.is_open = picked.is_none();
        picked
    }
}

fn row(ui: &mut Ui, item: &Item, is_chosen: bool, follows: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    if is_chosen || response.hovered() {
        let fill = if is_chosen { theme::CHOSEN } else { ui.visuals().faint_bg_color };
        ui.painter().rect_filled(rect, 5.0, fill);
    }
    if is_chosen && follows {
        ui.scroll_to_rect(rect, None);
    }
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink2(vec2(6.0, 0.0))));
    theme::from_right(&mut inside, |ui| {
        if !item.key.is_empty() {
            ui.add(Label::new(theme::key(&item.key)).selectable(false));
        }
        ui.add(Label::new(theme::small(&item.place)).selectable(false));
        theme::rest(ui, |ui| {
            ui.add(Label::new(&item.title).truncate().selectable(false));
        });
    });
    let spoken = [&item.title, &item.place, &item.key].map(String::as_str);
    let spoken = Vec::from_iter(spoken.into_iter().filter(|part| !part.is_empty())).join(", ");
    theme::speak(&response, egui::WidgetType::Button, &spoken);
    response.clicked()
}

fn item(target: Target, title: impl Into<String>, place: impl Into<String>, more: impl AsRef<str>) -> Item {
    let (title, place, more) = (title.into(), place.into(), more.as_ref().to_lowercase());
    Item { target, title, place, key: String::new(), more }
}

fn items(state: &UiState<'_>) -> Vec<Item> {
    let UiState { infos, sections, presets, .. } = state;
    let keys = keys::actions().into_iter().map(|(shortcut, line)| Item {
        key: keys::name(shortcut),
        ..item(Target::Run(UiAction::Shortcut(shortcut)), keys::text(shortcut), "", line.text() + &hints(shortcut))
    });
    let command = |title: String, hint: &str, action| item(Target::Run(action), title, ACTION, hint);
    let commands = COMMANDS.into_iter().map(|(title, hint, action)| command(title.into(), hint, action));
    let shaders = ShaderLanguage::ALL.map(|language| {
        let title = format!("Copy lenses as {}", language.name());
        command(title, &format!("shader {}", language.hint()), UiAction::CopyShader(language))
    });
    let replays = infos.iter().filter(|info| !info.lab.replays.is_empty()).map(|info| {
        let steps = UiAction::Replay { technique: info.id, pixel: None };
        command(format!("Step by step: {}", info.title), info.lab.replays, steps)
    });
    let measurements = state.measured.measurements.iter().map(|one| {
        let why_not = one.why_not.as_ref().map(|why| UiAction::Say(format!("{}: {why}.", one.measures.label)));
        command(one.measures.label.into(), one.measures.doc, why_not.unwrap_or(UiAction::Measure(one.id)))
    });
    let own = infos.iter().filter_map(|info| info.action.map(|(label, doc)| (info.id, label, doc)));
    let own = own.map(|(id, label, doc)| command(label.into(), doc, UiAction::Act(id)));
    let breaks = infos.iter().flat_map(|info| info.lab.breaks).map(|one| one.of.title() + " ");
    let broken = Target::Setting { section: "lab", field: "break", group: "" };
    let broken = item(broken, "Break it, and run the check that notices", ACTION, breaks.collect::<String>());
    let presets = presets.list.iter().zip(1..).map(|(preset, number)| Item {
        key: keys::name(Shortcut::Preset(number)),
        ..item(
            Target::Run(UiAction::Preset(PresetAction::Load(preset.name.clone()))),
            &preset.title,
            "preset",
            format!("preset glass {}", preset.name),
        )
    });
    let views = infos.iter().flat_map(|info| {
        info.views.iter().map(|view| {
            let shown = ActiveView { technique: info.id, view: *view, place: ViewPlacement::Lens };
            let more = format!("{} {} {} view", info.title, view.doc, view.name);
            item(Target::Run(UiAction::View(Some(shown))), view.title, format!("{}, view", info.title), more)
        })
    });
    let settings = sections.iter().flat_map(|section| {
        section.settings.fields().iter().filter(|field| field.is_setting()).map(|field| {
            let target = Target::Setting { section: section.id, field: field.name, group: field.group };
            let more = format!("{} {} {} {} setting", section.title, field.group, field.doc, field.name);
            item(target, field.title(), format!("{}, setting", section.title), more)
        })
    });
    let pages = infos.iter().filter(|info| !info.doc.is_empty());
    let pages = pages.map(|info| item(Target::Page(info.id), info.title, "page", "page help how it works"));
    let tour = item(Target::Tour, tour::TITLE, "page", "page help steps learn introduction");
    let actions = keys.chain(commands).chain(shaders).chain(replays).chain(measurements).chain(own).chain([broken]);
    actions.chain(presets).chain(views).chain(settings).chain(pages).chain([tour]).collect()
}

/// What tooltips and switches say of the key's action.
fn hints(shortcut: Shortcut) -> String {
    let tabs = Tab::ALL.iter().filter(|(_, _, key, _)| Shortcut::Panel(*key) == shortcut);
    let tabs = tabs.flat_map(|(_, name, _, hint)| [*name, *hint]);
    let all = instruments::INFOS.iter().filter(|info| Shortcut::Panel(PanelKey::Instrument(info.id)) == shortcut);
    let switches =
        all.flat_map(|info| [&[info.title][..], info.switch.as_ref().map_or(&[], |words| &words[..])].concat());
    let is_open = shortcut == Shortcut::Open;
    let kinds = FILE_KINDS.iter().filter(|_| is_open).flat_map(|(kind, endings)| [&[*kind][..], endings].concat());
    tabs.chain(switches).chain(kinds).fold(String::new(), |all, one| all + " " + one)
}

/// Items with all words of the query, in the singular or the plural; those with all of them in the title first, and actions before others.
fn matches(query: &str, items: Vec<Item>) -> Vec<Item> {
    let query = query.trim().to_lowercase();
    let singular = |word| if str::len(word) > 3 { word.strip_suffix('s').unwrap_or(word) } else { word };
    let words: Vec<&str> = query.split_whitespace().map(singular).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let begin = words.join(" ");
    let rank = |item: &Item| {
        let title = item.title.to_lowercase();
        let is_in = |text: &str| words.iter().all(|word| text.contains(word));
        let is_action = matches!(item.target, Target::Run(UiAction::Shortcut(_))) || item.place == ACTION;
        match () {
            () if is_action && title.starts_with(&begin) => Some(0),
            () if title == query => Some(1),
            () if title.starts_with(&begin) => Some(2),
            () if is_in(&title) => Some(if is_action { 3 } else { 4 }),
            () if is_in(&format!("{title} {}", item.more)) => Some(if is_action { 5 } else { 6 }),
            () => None,
        }
    };
    let mut found: Vec<(usize, Item)> = items.into_iter().filter_map(|item| Some((rank(&item)?, item))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().take(RESULTS_MOST).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::super::manipulator::Key as LensKey;
    use super::super::test_fixture::{Hand as _, Panels, World, at_1280, real, view, world};
    use super::super::{PanelKey, instruments};
    use super::*;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn titles_come_first_and_actions_before_them() {
        let items = || {
            let all =
                [("Widths", "half"), ("Halfs", ""), ("Half", "width"), ("Half width", ""), ("Other", "half width")];
            let page = |(title, more)| item(Target::Page("x"), title, "", more);
            let action = |title| item(Target::Run(UiAction::CopyCommandLine), title, ACTION, "");
            Vec::from_iter(all.map(page).into_iter().chain(["Other action", "An other"].map(action)))
        };
        let titles = |query| matches(query, items()).into_iter().map(|item| item.title).collect::<Vec<_>>();
        assert_eq!(titles("half width"), ["Half width", "Widths", "Half", "Other"]);
        assert_eq!(titles("HALF"), ["Half", "Halfs", "Half width", "Widths", "Other"]);
        assert_eq!(titles("wid hal"), ["Half width", "Widths", "Half", "Other"]);
        assert_eq!(titles("other"), ["Other action", "Other", "An other"]);
        assert!(titles("").is_empty() && titles("nothing").is_empty());
    }

    fn ask(harness: &mut Panels, text: &str) {
        harness.press(PanelKey::Search);
        harness.run_steps(2);
        harness.get_by_label("Search").type_text(text);
        harness.run_steps(3);
    }

    fn search(text: &str) -> Panels {
        let mut harness = at_1280(world());
        ask(&mut harness, text);
        harness
    }

    #[test]
    fn actions_are_found_with_their_keys_and_run_as_by_them() {
        for (text, spoken, shortcut) in [
            ("rec", "Record the window, or end that, F9", Shortcut::Record),
            ("open", "Open a file, Ctrl + O", Shortcut::Open),
            ("compare", "Compare A and B, B", Shortcut::Panel(PanelKey::Instrument("compare"))),
            ("rotate", "Rotate 1° left, Q", Shortcut::Lens(LensKey::Turn(-1))),
            ("screenshot", "Save a screenshot, F2", Shortcut::TakePicture),
            ("video", "Record the window, or end that, F9", Shortcut::Record),
        ] {
            let mut harness = search(text);
            assert!(harness.has(spoken), "{text}");
            harness.key_for(Key::Enter, 3);
            assert_eq!(harness.state().actions, [UiAction::Shortcut(shortcut)], "{text}");
        }
        for (text, label, action) in [
            ("defaults", "Defaults, action", UiAction::Preset(PresetAction::Reset)),
            ("command", "Copy command, action", UiAction::CopyCommandLine),
            ("wgsl", "Copy lenses as WGSL, action", UiAction::CopyShader(ShaderLanguage::Wgsl)),
            ("frosted", "frosted, preset, 2", UiAction::Preset(PresetAction::Load("frosted".into()))),
        ] {
            let mut harness = search(text);
            harness.click_for(label, 3);
            assert_eq!(harness.taken(), [action], "{text}");
        }
    }

    #[test]
    fn every_key_is_an_action_or_a_preset_or_of_the_search() {
        let all = keys::actions();
        for (_, _, action) in instruments::lines().flat_map(keys::Line::chords) {
            let is_apart = matches!(action, Shortcut::Escape | Shortcut::Panel(PanelKey::Search) | Shortcut::Preset(_));
            assert_eq!(all.iter().filter(|(one, _)| *one == action).count(), usize::from(!is_apart), "{action:?}");
        }
    }

    #[test]
    fn a_view_is_found_and_shown() {
        let mut harness = search("to the edge");
        harness.click_for("Distance, Glass, view", 3);
        assert_eq!(harness.state().actions, [UiAction::View(Some(view(ViewPlacement::Lens)))]);
        assert!(!harness.has("Search"), "closed after the choice");
    }

    #[test]
    fn letters_typed_before_the_field_is_drawn_are_in_it() {
        let mut harness = at_1280(world());
        harness.ui_mut().press(PanelKey::Search);
        harness.event(egui::Event::Text("stu".into()));
        harness.event(egui::Event::Text("ff".into()));
        harness.step();
        assert_eq!(harness.get_by_label("Search").value().as_deref(), Some("stuff"));
    }

    #[test]
    fn keys_choose_and_close() {
        let mut harness = search("stuff");
        harness.key_for(Key::Enter, 3);
        assert!(matches!(harness.state().actions[..], [UiAction::View(Some(_))]));
        let mut harness = search("stuff");
        harness.key_for(Key::Escape, 3);
        assert!(!harness.has("Search") && harness.state().actions.is_empty());
    }

    #[test]
    fn a_setting_is_scrolled_to_in_its_opened_section() {
        let mut harness = at_1280(world());
        harness.press(PanelKey::Techniques);
        harness.run_steps(6);
        assert!(!harness.has("IOR"), "another tab has it");
        ask(&mut harness, "ior");
        harness.click_for("IOR, Glass, setting", 12);
        assert!(harness.query_all_by_label("IOR").next().is_some());
    }

    #[test]
    fn words_that_people_use_find_what_they_mean() {
        let mut harness = at_1280(real());
        for (text, found) in [
            ("step", "Step by step: Pixel sort, action"),
            ("steps", "Step by step: Pixel sort, action"),
            ("check", "Break it, and run the check that notices, action"),
            ("clip", "Record an eight-second clip, Shift + F9"),
            ("video", "Record an eight-second clip, Shift + F9"),
            ("share", "Record an eight-second clip, Shift + F9"),
            ("svg", "Open a file, Ctrl + O"),
            ("tile", "Step by step: Pixel sort, action"),
            ("why", "Inspect pixels, I"),
            ("compare", "Compare A and B, B"),
            ("cost", "Techniques, or the glass, F3"),
        ] {
            ask(&mut harness, text);
            assert!(harness.has(found), "{text}");
        }
    }

    #[test]
    fn a_measurement_that_is_found_opens_its_table() {
        let mut start = world();
        start.measurements = vec![crate::sheet_tests::idle()];
        let mut harness = at_1280(start);
        ask(&mut harness, "methods");
        harness.key_for(Key::Enter, 3);
        assert_eq!(harness.taken(), [UiAction::Measure("glass")]);
        assert!(harness.has("quartiles"));
    }

    #[test]
    fn a_page_is_opened() {
        let mut harness = search("glass page");
        harness.click_for("Glass, page", 3);
        harness.get_by_label("Text of the page.");
    }

    #[test]
    fn zero_and_escape_return_to_the_final_image() {
        for key in [PanelKey::FinalImage, PanelKey::Close] {
            let mut harness = at_1280(World { shown: Some(view(ViewPlacement::Lens)), ..world() });
            harness.press(key);
            assert_eq!(harness.taken(), [UiAction::View(None)], "{key:?}");
            harness.state_mut().shown = None;
            harness.press(key);
            assert!(harness.state().actions.is_empty(), "{key:?}");
        }
        let mut harness = at_1280(World { shown: Some(view(ViewPlacement::Lens)), ..world() });
        harness.click_for("Back to the final image (0)", 3);
        assert_eq!(harness.taken(), [UiAction::View(None)]);
    }
}
