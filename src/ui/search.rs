//! Search over views, settings and pages.

use egui::{Key, Label, Modifiers, ScrollArea, Sense, TextEdit, Ui, vec2};

use super::{theme, tour};
use renderer::{ActiveView, ViewPlacement};
use technique::{Info, Section};

const RESULTS_MOST: usize = 30;
const HEIGHT: f32 = 240.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    View(ActiveView),
    Setting { section: &'static str, field: &'static str, group: &'static str },
    Page(&'static str),
    Tour,
}

#[derive(Clone, Debug)]
struct Item {
    target: Target,
    title: String,
    place: String,
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

    pub fn show(&mut self, ui: &mut Ui, infos: &[Info], sections: &[Section<'_>]) -> Option<Target> {
        if !self.is_open {
            return None;
        }
        // Before the field takes them.
        let (step, is_picked, is_closed) = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            let step = isize::from(pressed(Key::ArrowDown)) - isize::from(pressed(Key::ArrowUp));
            (step, pressed(Key::Enter), pressed(Key::Escape))
        });
        let field = TextEdit::singleline(&mut self.text).hint_text("Search views, settings, pages");
        // Before the field is added: it takes what was typed since the key that opens it.
        let id = egui::Id::new("search field");
        if std::mem::take(&mut self.wants_focus) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let response = ui.add(field.id(id).desired_width(f32::INFINITY).vertical_align(egui::Align::Center));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Search"));
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
        let found = matches(&self.text, items(infos, sections));
        self.chosen = self.chosen.saturating_add_signed(step).min(found.len().saturating_sub(1));
        let mut picked = found.get(self.chosen).filter(|_| is_picked).map(|item| item.target.clone());
        if found.is_empty() && !self.text.trim().is_empty() {
            ui.label(theme::small("Nothing has these words."));
        }
        let scroll = ScrollArea::vertical().id_salt("results").max_height(HEIGHT).auto_shrink([false, true]);
        scroll.show(ui, |ui| {
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
    inside.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.add(Label::new(theme::small(&item.place)).selectable(false));
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.add(Label::new(&item.title).truncate().selectable(false));
        });
    });
    let spoken = format!("{}, {}", item.title, item.place);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &spoken));
    response.clicked()
}

fn items(infos: &[Info], sections: &[Section<'_>]) -> Vec<Item> {
    let views = infos.iter().flat_map(|info| {
        info.views.iter().map(|view| Item {
            target: Target::View(ActiveView { technique: info.id, view: *view, place: ViewPlacement::Lens }),
            title: view.title.to_owned(),
            place: format!("{}, view", info.title),
            more: format!("{} {} {} view", info.title, view.doc, view.name).to_lowercase(),
        })
    });
    let settings = sections.iter().flat_map(|section| {
        section.settings.fields().iter().filter(|field| field.is_setting()).map(|field| Item {
            target: Target::Setting { section: section.id, field: field.name, group: field.group },
            title: field.title(),
            place: format!("{}, setting", section.title),
            more: format!("{} {} {} {} setting", section.title, field.group, field.doc, field.name).to_lowercase(),
        })
    });
    let pages = infos.iter().filter(|info| !info.doc.is_empty()).map(|info| Item {
        target: Target::Page(info.id),
        title: info.title.to_owned(),
        place: "page".into(),
        more: "page help how it works".into(),
    });
    let tour = Item {
        target: Target::Tour,
        title: tour::TITLE.into(),
        place: "page".into(),
        more: "page help steps learn introduction".into(),
    };
    views.chain(settings).chain(pages).chain([tour]).collect()
}

/// Items with all words of the query; first those whose title is the query, then those whose title begins with it, then
/// those with all of them in the title.
fn matches(query: &str, items: Vec<Item>) -> Vec<Item> {
    let query = query.trim().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let rank = |item: &Item| {
        let title = item.title.to_lowercase();
        let is_in = |text: &str| words.iter().all(|word| text.contains(word));
        match () {
            () if title == query => Some(0),
            () if title.starts_with(&query) => Some(1),
            () if is_in(&title) => Some(2),
            () if is_in(&format!("{title} {}", item.more)) => Some(3),
            () => None,
        }
    };
    let mut found: Vec<(usize, Item)> = items.into_iter().filter_map(|item| Some((rank(&item)?, item))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().take(RESULTS_MOST).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_fixture::{Hand as _, Panels, World, at_1280, view, world};
    use super::super::{PanelKey, UiAction};
    use super::*;
    use egui_kittest::kittest::Queryable as _;

    fn item(title: &str, more: &str) -> Item {
        Item { target: Target::Page("x"), title: title.into(), place: String::new(), more: more.into() }
    }

    #[test]
    fn titles_come_first() {
        let items = || {
            vec![
                item("Widths", "half"),
                item("Halfs", ""),
                item("Half", "width"),
                item("Half width", ""),
                item("Other", "half width"),
            ]
        };
        let titles = |query| matches(query, items()).into_iter().map(|item| item.title).collect::<Vec<_>>();
        assert_eq!(titles("half width"), ["Half width", "Widths", "Half", "Other"]);
        assert_eq!(titles("HALF"), ["Half", "Halfs", "Half width", "Widths", "Other"]);
        assert_eq!(titles("wid hal"), ["Half width", "Widths", "Half", "Other"]);
        assert!(titles("").is_empty() && titles("nothing").is_empty());
    }

    fn search(text: &str) -> Panels {
        let mut harness = at_1280(world());
        harness.press(PanelKey::Search);
        harness.run_steps(2);
        harness.get_by_label("Search").type_text(text);
        harness.run_steps(3);
        harness
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
        harness.state_mut().ui_mut().press(PanelKey::Search);
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
        harness.press(PanelKey::Search);
        harness.run_steps(2);
        harness.get_by_label("Search").type_text("ior");
        harness.run_steps(3);
        harness.click_for("IOR, Glass, setting", 12);
        assert!(harness.query_all_by_label("IOR").next().is_some());
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
            assert_eq!(harness.state().actions, [UiAction::View(None)], "{key:?}");
            harness.state_mut().shown = None;
            harness.taken();
            harness.press(key);
            assert!(harness.state().actions.is_empty(), "{key:?}");
        }
        let mut harness = at_1280(World { shown: Some(view(ViewPlacement::Lens)), ..world() });
        harness.click_for("Back to the final image (0)", 3);
        assert_eq!(harness.state().actions, [UiAction::View(None)]);
    }
}
