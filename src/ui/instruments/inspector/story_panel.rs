//! Story of a pixel: a headline, its clauses as rows that lead to what they name, and behind a fold the numbers of the GPU beside those of
//! the reference implementations.

use super::input::{Part, PixelStory, Row};
use crate::instruments::Signals;
use crate::layout::opaque;
use crate::pair_state::PairAction;
use crate::settings::collapsing::{self, Heading};
use crate::timings::{HoveredPass, Owners};
use crate::{UiAction, replay, theme};
use base::text::{micros, sentence};
use egui::{
    Align, Align2, Button, Color32, Context, Id, Label, Layout, Mesh, Pos2, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use instrument::short_number;
use technique::{Agreement, Crop, Fact, Info, Step};

const AREA: &str = "story";
const WIDTH: f32 = 372.0;
const NAMES: f32 = 128.0;
const PICTURE: egui::Vec2 = vec2(48.0, 36.0);
const SMALL: egui::Vec2 = vec2(28.0, 21.0);
/// Height of a figure over its width.
const HIGH: f32 = 0.76;
const NUMBERS: &str = "numbers of the story";

pub struct StoryPanel<'a, 'b> {
    pub story: &'a PixelStory,
    pub infos: &'a [Info],
    pub chosen: &'b mut Option<Part>,
    pub signals: &'b mut Signals,
    pub actions: &'b mut Vec<UiAction>,
}

impl StoryPanel<'_, '_> {
    pub fn show(&mut self, ctx: &Context, space: Rect, is_left: bool) -> Option<Rect> {
        floated(ctx, space, is_left, |ui, inner| {
            ui.set_max_height(inner.y);
            self.head(ui);
            let scroll = ScrollArea::vertical().id_salt(("story", self.story.pixel)).auto_shrink([false, true]);
            crate::layout::scrolled(ui, scroll, |ui| {
                ui.set_width(inner.x - 10.0);
                self.story.rows(self.infos).iter().for_each(|row| self.row(ui, row));
                self.steps(ui);
                self.numbers(ui);
            });
        })
    }

    fn head(&mut self, ui: &mut Ui) {
        let PixelStory { pixel, numbers, is_outdated, .. } = self.story;
        ui.horizontal(|ui| {
            let bytes: Vec<u8> = numbers.iter().take(3).filter_map(|number| number.parse().ok()).collect();
            if let [red, green, blue] = bytes[..] {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                theme::swatch(ui, rect, [red, green, blue]);
            }
            ui.label(theme::small(format!("Pixel {}, {}", pixel[0], pixel[1])));
            theme::from_right(ui, |ui| {
                if collapsing::cross(ui, "Close the story") {
                    self.actions.push(UiAction::Explain(None));
                }
            });
        });
        ui.add(Label::new(theme::heading(self.story.headline(self.infos))).wrap());
        if *is_outdated && outdated(ui) {
            self.actions.push(UiAction::Explain(Some(*pixel)));
        }
        ui.add_space(4.0);
    }

    fn row(&mut self, ui: &mut Ui, row: &Row<'_>) {
        let is_chosen = *self.chosen == Some(row.part);
        let room = ui.available_width() - PICTURE.x - 14.0;
        let words = ui.painter().layout(sentence(&row.words), theme::font(theme::BODY), theme::TEXT, room);
        let size = vec2(ui.available_width(), (words.size().y + 14.0).max(PICTURE.y) + 6.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response
            .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_chosen, sentence(&row.words)));
        if is_chosen {
            ui.painter().rect_filled(rect, 6.0, ui.visuals().selection.bg_fill.gamma_multiply(0.6));
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 6.0, ui.visuals().widgets.inactive.bg_fill);
        }
        let picture = Align2::LEFT_CENTER.align_size_within_rect(PICTURE, rect.shrink2(vec2(3.0, 0.0)));
        match row.steps.iter().find_map(|(step, _)| step.picture.as_ref()) {
            Some(crop) => draw_crop(ui, picture, crop),
            None => {
                let of = row.steps.iter().find(|(step, _)| !step.summary.is_empty()).or_else(|| row.steps.first());
                let color = of.map_or(theme::QUIET, |(step, _)| Owners(self.infos).color(step.technique));
                ui.painter().circle_filled(picture.center(), 4.0, color);
            }
        }
        let left = picture.right() + 8.0;
        let top = rect.center().y - (words.size().y + 13.0) / 2.0;
        ui.painter().text(pos2(left, top), Align2::LEFT_TOP, row.part.name(), theme::font(theme::SMALL), theme::QUIET);
        ui.painter().galley(pos2(left, top + 13.0), words, theme::TEXT);
        let response = response.on_hover_text("Shows it in the picture, and what leads further");
        if response.clicked() {
            *self.chosen = Some(row.part).filter(|_| !is_chosen);
        }
        if is_chosen {
            self.links(ui, row);
        }
    }

    fn links(&mut self, ui: &mut Ui, row: &Row<'_>) {
        let (story, infos) = (self.story, self.infos);
        if row.part == Part::Passes {
            for pass in story.passes() {
                let us = story.costs.get(pass).map_or("-".into(), |us| micros(*us));
                ui.horizontal(|ui| {
                    let (place, _) = ui.allocate_exact_size(SMALL, Sense::hover());
                    story.picture(pass, infos).into_iter().for_each(|crop| draw_crop(ui, place, crop));
                    let link = Button::new(theme::small(Owners(infos).pass_title(pass))).truncate().frame(false);
                    theme::from_right(ui, |ui| {
                        ui.label(theme::figure(us)).on_hover_text("On the GPU, in the frame of the story");
                        theme::rest(ui, |ui| {
                            let link = ui.add(link);
                            if link.clicked() {
                                self.signals.clicked.push(pass.to_owned());
                            }
                            if link.hovered() {
                                let pass = pass.to_owned();
                                self.signals.hovered = Some(HoveredPass { pass, row: link.rect, costs: None });
                            }
                        });
                    });
                });
            }
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            let link = |ui: &mut Ui, text: &str, hint: &str| {
                ui.add(Button::new(theme::small(text)).small()).on_hover_text(hint).clicked()
            };
            if let Some((pass, lines)) = row.made_by() {
                if link(ui, "Pass", &format!("What {pass} reads and writes")) {
                    self.signals.clicked.push(pass.to_owned());
                }
                if link(ui, "Shader", &format!("The lines of {pass} that compute it, and its limits")) {
                    self.signals.detailed.push((pass.to_owned(), lines));
                }
            }
            for about in row.steps.iter().filter_map(|(_, about)| *about).filter(|about| !about.off.is_empty()) {
                let hint = format!("A and B: B has {}", crate::names::in_panel_names(about.off));
                if link(ui, &format!("Without {}", about.name), &hint) {
                    self.actions.extend(without(about.off));
                }
            }
        });
        if let Some(figure) = row.steps.iter().find_map(|(step, _)| step.figure.as_ref()) {
            let size = vec2(ui.available_width(), HIGH * ui.available_width());
            let (area, response) = ui.allocate_exact_size(size, Sense::hover());
            theme::speak(&response, WidgetType::Image, "Cross-section");
            replay::draw_figure(&ui.painter_at(area), area, figure, None);
        }
        ui.add_space(6.0);
    }

    /// At its pixel, or where the technique has its part.
    fn steps(&mut self, ui: &mut Ui) {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            ui.label(theme::small("Step by step:"));
            let has_steps = |info: &&Info| !info.lab.replays.is_empty() && self.story.is_made_by(info.id, self.infos);
            for info in self.infos.iter().filter(has_steps) {
                let step = self.story.steps.iter().find(|step| step.technique == info.id);
                let link = ui.add(Button::new(theme::small(info.title)).small()).on_hover_text(info.lab.replays);
                let spoken = || format!("{}, step by step", info.title);
                theme::speak(&link, WidgetType::Button, &spoken());
                if link.clicked() {
                    let pixel = Some(step.map_or(self.story.pixel, |step| step.pixel));
                    self.actions.push(UiAction::Replay { technique: info.id, pixel });
                }
            }
        });
    }

    fn numbers(&self, ui: &mut Ui) {
        let story = self.story;
        let verdicts = || story.steps.iter().flat_map(|step| &step.facts).filter_map(|fact| fact.verdict);
        let (all, equal) = (verdicts().count(), verdicts().filter(|verdict| verdict.equal).count());
        let dot = if equal == all { theme::GOOD } else { theme::BAD };
        let title = format!("Numbers ({equal} of {all} equal the CPU's)");
        let tooltip = "Every number of the GPU, and beside it that of the reference implementation";
        ui.add_space(4.0);
        collapsing::rule(ui);
        let heading = Heading { title: &title, dot: Some(dot), tooltip, ..Heading::default() };
        collapsing::fold(
            ui,
            NUMBERS,
            heading,
            false,
            |_, _| (),
            |ui| {
                for (number, (one, _)) in story.in_order(self.infos).into_iter().enumerate() {
                    if number > 0 {
                        collapsing::rule(ui);
                    }
                    step(ui, one, self.infos);
                }
            },
        );
    }
}

/// B is A with what leaves the step out.
fn without(off: &'static str) -> Option<UiAction> {
    let (section, _) = off.split_once('.')?;
    let values = base::settings::parse_set(off).ok()?.remove(section)?;
    let toml::Value::Table(values) = values else { return None };
    Some(UiAction::Pair(PairAction::Pin(Some((section, values)))))
}

pub fn show_awaited(ctx: &Context, space: Rect, is_left: bool, pixel: [u32; 2]) -> Option<Rect> {
    if ctx.memory(|memory| memory.area_rect(Id::new(AREA)).is_none()) {
        ctx.request_discard("an area is invisible in its first pass, and this one may have one frame");
    }
    floated(ctx, space, is_left, |ui, _| {
        ui.horizontal(|ui| {
            ui.label(theme::small(format!("Pixel {}, {}", pixel[0], pixel[1])));
            ui.add(Label::new(AWAITED).truncate());
        });
    })
}

const AWAITED: &str = "All passes are recorded again for its story ...";

/// `add` gets the room inside.
fn floated(ctx: &Context, space: Rect, is_left: bool, add: impl FnOnce(&mut Ui, egui::Vec2)) -> Option<Rect> {
    let has_room = space.width() >= WIDTH && space.height() >= 160.0;
    let left = if is_left { space.left() } else { space.right() - WIDTH };
    let place = Rect::from_min_size(pos2(left, space.top()), vec2(WIDTH, space.height()));
    has_room.then(|| {
        opaque(ctx, AREA, (place, Align2::LEFT_TOP), theme::panel(), |ui, inner| {
            ui.set_width(inner.x);
            add(ui, inner);
        })
    })
}

fn draw_crop(ui: &Ui, rect: Rect, crop: &Crop) {
    let [wide, high] = Crop::SIZE;
    let cell = rect.size() / vec2(wide as f32, high as f32);
    let mut mesh = Mesh::default();
    for (number, color) in crop.colors.iter().enumerate() {
        let at = rect.min + vec2((number % wide) as f32, (number / wide) as f32) * cell;
        mesh.add_colored_rect(Rect::from_min_size(at, cell), theme::rgb(*color));
    }
    ui.painter().add(mesh);
    let at: Pos2 = rect.lerp_inside(egui::Vec2::from(crop.place));
    for (radius, color) in [(3.5, Color32::from_black_alpha(190)), (2.5, Color32::WHITE)] {
        ui.painter().circle_stroke(at, radius, Stroke::new(1.2, color));
    }
    ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, theme::RAIL), StrokeKind::Outside);
}

fn outdated(ui: &mut Ui) -> bool {
    let mut is_asked = false;
    ui.horizontal(|ui| {
        theme::from_right(ui, |ui| {
            let hint = "The story of the next frame, which records all passes";
            is_asked = ui.small_button("Tell again").on_hover_text(hint).clicked();
            ui.add(Label::new(theme::small(OUTDATED).color(theme::WARN)).truncate()).on_hover_text(WHY);
        });
    });
    is_asked
}

const OUTDATED: &str = "Of an earlier frame: the picture has changed since";
const WHY: &str =
    "The camera, a setting, a lens or the view is another now. The loupe shows the values of both frames.";

fn step(ui: &mut Ui, step: &Step, infos: &[Info]) {
    let title = infos.iter().find(|info| info.id == step.technique).map_or(step.technique, |info| info.title);
    ui.horizontal(|ui| {
        ui.label(RichText::new(sentence(step.name)).color(theme::STRONG));
        theme::from_right(ui, |ui| {
            ui.add(Label::new(theme::small(title)).truncate());
        });
    });
    if !step.note.is_empty() {
        theme::note(ui, &step.note);
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        step.facts.iter().for_each(|one| fact(ui, one));
    });
    ui.add_space(5.0);
}

fn fact(ui: &mut Ui, fact: &Fact) {
    ui.horizontal_top(|ui| {
        let names = |ui: &mut Ui| {
            ui.set_width(NAMES);
            theme::note(ui, explained(fact.name));
        };
        ui.allocate_ui_with_layout(vec2(NAMES, 0.0), Layout::top_down(Align::Min), names);
        let width = ui.available_width();
        ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(width);
            let value = ui.add(Label::new(theme::figure(&fact.text).color(theme::TEXT)).wrap());
            if let Some(stored) = fact.stored_text().filter(|stored| *stored != fact.text) {
                value.on_hover_text(format!("stored {stored}"));
            }
            if let Some(verdict) = fact.verdict {
                comparison(ui, fact.cpu_text(), verdict);
            }
        });
    });
}

/// With the unit of each number.
fn explained(name: &str) -> String {
    let of = match name {
        "weight" => return "part of the mirrored light that is seen: red, green, blue".into(),
        "weight of this frame" => return "part of this frame in the mean".into(),
        "light" | "light with the mirror" | "light of the sun" | "all other light" => {
            "red, green, blue, before exposure"
        }
        "value" | "display value" | "picture below the glass" => "red, green, blue, of 255",
        "albedo" => "red, green, blue",
        "normal" | "direction of the first ray" => "x, y, z",
        _ => return name.into(),
    };
    format!("{name}: {of}")
}

fn comparison(ui: &mut Ui, cpu: Option<String>, Agreement { equal, difference, bound }: Agreement) {
    let (color, sign) = if equal { (theme::GOOD, "=") } else { (theme::BAD, "\u{2260}") };
    let text = format!("{sign} CPU {}", cpu.unwrap_or_default());
    let number = |value: f64| short_number(&value.to_string());
    let hint = format!("Differs by {}, at most {} counts as equal", number(difference), number(bound));
    ui.add(Label::new(theme::figure(text).color(color)).wrap()).on_hover_text(hint);
}
