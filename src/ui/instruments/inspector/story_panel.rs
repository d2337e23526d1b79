//! Panel with the story of a pixel: its steps, the GPU's numbers, and those of the reference implementations.

use super::input::PixelStory;
use super::section;
use crate::layout::floating;
use crate::settings::collapsing;
use crate::{UiAction, panel_rects, theme};
use egui::{Align, Align2, Context, Id, Label, Layout, Rect, RichText, ScrollArea, Ui, pos2, vec2};
use glass::LiquidGlass;
use instrument::short_number;
use technique::{Agreement, Fact, Info, Step, Technique as _};

const AREA: &str = "story";
const WIDTH: f32 = 372.0;
const NAMES: f32 = 128.0;

pub fn show(
    ctx: &Context,
    space: Rect,
    is_left: bool,
    story: &PixelStory,
    infos: &[Info],
) -> Option<(Rect, Vec<UiAction>)> {
    let place = place(space, is_left)?;
    let mut actions = Vec::new();
    let place = floating(ctx, AREA, place, Align2::LEFT_TOP, |ui| {
        let frame = theme::panel().show(ui, |ui| {
            let inner = place.size() - theme::panel().total_margin().sum();
            ui.set_width(inner.x);
            ui.set_max_height(inner.y);
            actions.extend(head(ui, story).then_some(UiAction::Explain(None)));
            let again = story.is_outdated && outdated(ui);
            actions.extend(again.then_some(UiAction::Explain(Some(story.pixel))));
            let scroll = ScrollArea::vertical().id_salt(("story", story.pixel)).auto_shrink([false, true]);
            scroll.show(ui, |ui| {
                ui.set_width(inner.x - 10.0);
                for one in &story.steps {
                    if step(ui, one, infos) {
                        actions.push(UiAction::Replay { technique: one.technique, pixel: Some(story.pixel) });
                    }
                    if let Some(cut) = story.section.as_ref().filter(|_| is_refraction(one)) {
                        section::show(ui, cut);
                        ui.add_space(5.0);
                    }
                }
            });
        });
        panel_rects::note_opaque(ui.ctx(), frame.response.rect);
    });
    Some((place, actions))
}

pub fn show_awaited(ctx: &Context, space: Rect, is_left: bool, pixel: [u32; 2]) -> Option<Rect> {
    let place = place(space, is_left)?;
    if ctx.memory(|memory| memory.area_rect(Id::new(AREA)).is_none()) {
        ctx.request_discard("an area is invisible in its first pass, and this one may have one frame");
    }
    Some(floating(ctx, AREA, place, Align2::LEFT_TOP, |ui| {
        let frame = theme::panel().show(ui, |ui| {
            ui.set_width(place.width() - theme::panel().total_margin().sum().x);
            ui.label(theme::heading(format!("Pixel {}, {}", pixel[0], pixel[1])));
            ui.add(Label::new(theme::small(AWAITED)).wrap());
        });
        panel_rects::note_opaque(ui.ctx(), frame.response.rect);
    }))
}

const AWAITED: &str =
    "The next frame records every pass again for this story. On a software driver that takes seconds.";

fn place(space: Rect, is_left: bool) -> Option<Rect> {
    let has_room = space.width() >= WIDTH && space.height() >= 160.0;
    let left = if is_left { space.left() } else { space.right() - WIDTH };
    has_room.then(|| Rect::from_min_size(pos2(left, space.top()), vec2(WIDTH, space.height())))
}

fn head(ui: &mut Ui, story: &PixelStory) -> bool {
    let mut closed = false;
    let verdicts = || story.steps.iter().flat_map(|step| &step.facts).filter_map(|fact| fact.verdict);
    let (all, equal) = (verdicts().count(), verdicts().filter(|verdict| verdict.equal).count());
    ui.horizontal(|ui| {
        ui.label(theme::heading(format!("Pixel {}, {}", story.pixel[0], story.pixel[1])));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            closed = collapsing::cross(ui, "Close the story");
            let color = if equal == all { theme::GOOD } else { theme::BAD };
            let text = RichText::new(format!("{equal} of {all} equal")).size(11.0).color(color);
            ui.label(text).on_hover_text("Numbers of the GPU that agree with those of the reference implementations");
        });
    });
    let parts: Vec<&str> =
        story.steps.iter().map(|step| step.summary.as_str()).filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        ui.add(
            Label::new(RichText::new(format!("{}.", base::text::sentence(&parts.join(", ")))).color(theme::TEXT))
                .wrap(),
        );
    }
    ui.add_space(2.0);
    closed
}

fn outdated(ui: &mut Ui) -> bool {
    let mut is_asked = false;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
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

fn is_refraction(step: &Step) -> bool {
    step.technique == LiquidGlass::ID && step.name == "refraction"
}

fn step(ui: &mut Ui, step: &Step, infos: &[Info]) -> bool {
    collapsing::rule(ui);
    let info = infos.iter().find(|info| info.id == step.technique);
    let title = info.map_or(step.technique, |info| info.title);
    let replays = info.map_or("", |info| info.lab.replays);
    let mut is_asked = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new(base::text::sentence(step.name)).color(theme::STRONG));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(theme::small(title)).truncate());
            if !replays.is_empty() {
                is_asked = ui.small_button("Step by step").on_hover_text(replays).clicked();
            }
        });
    });
    if !step.note.is_empty() {
        ui.add(Label::new(theme::small(&step.note)).wrap());
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    step.facts.iter().for_each(|one| fact(ui, one));
    ui.add_space(5.0);
    is_asked
}

fn fact(ui: &mut Ui, fact: &Fact) {
    ui.horizontal_top(|ui| {
        let names = |ui: &mut Ui| {
            ui.set_width(NAMES);
            ui.add(Label::new(theme::small(fact.name)).wrap());
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

fn comparison(ui: &mut Ui, cpu: Option<String>, Agreement { equal, difference, bound }: Agreement) {
    let (color, sign) = if equal { (theme::GOOD, "=") } else { (theme::BAD, "\u{2260}") };
    let text = format!("{sign} CPU {}", cpu.unwrap_or_default());
    let number = |value: f64| short_number(&value.to_string());
    let hint = format!("Differs by {}, at most {} counts as equal", number(difference), number(bound));
    ui.add(Label::new(theme::figure(text).color(color)).wrap()).on_hover_text(hint);
}
