//! Settings of one section, generated from its field descriptions; independent of any technique.

use egui::{
    Align, ComboBox, DragValue, EventFilter, Key, Label, Layout, Margin, Modifiers, Rect, Response, RichText, Sense,
    Slider, TextEdit, TextStyle, TextWrapMode, Ui, UiBuilder, WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use super::super::head::{self, Icon};
use super::super::{anchors, files, messages, theme};
use super::value_text::{default_text, short, suffix};
use super::{collapsing, differences, enabled::Applies};
use base::settings::{AnySettings, Choice, Field, FieldKind, FieldMut, Named, ShortText};

/// Fraction of a row taken by its label.
const LABEL: f32 = 0.36;
const LINE: f32 = 14.0;
const VALUE: f32 = 62.0;
/// The handle takes four fifths.
const HANDLE: f32 = 15.0;
const RESET: f32 = 18.0;
/// Integers with more steps have no slider: one point of it would be many steps.
const SLIDER_STEPS: u32 = 1_000_000;

/// Returns the names of those just changed. `id` is the section's name in presets.
///
/// `below`: what follows the row of a field.
pub fn fields(
    ui: &mut Ui,
    id: &str,
    section: &mut dyn AnySettings,
    applies: &Applies,
    mut below: impl FnMut(&mut Ui, &str),
) -> Vec<&'static str> {
    let mut changed = Vec::new();
    let is_shown = |field: &Field| field.is_setting() && !applies.hides(id, field);
    let all: Vec<(usize, &Field)> = section.fields().iter().enumerate().filter(|(_, field)| is_shown(field)).collect();
    let mut from = 0;
    while let Some((_, first)) = all.get(from) {
        let to = from + all[from..].iter().take_while(|(_, field)| field.group == first.group).count();
        let differs = |(index, _): &(usize, &Field)| !section.is_default(*index);
        let (is_open, differing) = (!first.folded, all[from..to].iter().filter(|one| differs(one)).count());
        let mut rows = |ui: &mut Ui| {
            for (index, field) in &all[from..to] {
                if row(ui, id, section, *index, field, applies) {
                    changed.push(field.name);
                    for text in in_place_of(section, field) {
                        section.reset(text);
                        changed.push(section.fields()[text].name);
                    }
                }
                below(ui, field.name);
            }
        };
        match first.group {
            "" if from == 0 => rows(ui),
            "" => collapsing::group(ui, id, "More", is_open, differing, rows),
            group => collapsing::group(ui, id, group, is_open, differing, rows),
        }
        from = to;
    }
    changed
}

pub fn view_parameters(
    ui: &mut Ui,
    (id, view): (&str, &str),
    section: &mut dyn AnySettings,
    applies: &Applies,
) -> Vec<&'static str> {
    let of_view = section.fields().iter().enumerate().filter(|(_, field)| field.is_of_view(view));
    let changed = of_view.filter(|(index, field)| row(ui, id, section, *index, field, applies));
    changed.map(|(_, field)| field.name).collect()
}

/// Texts that are shown in place of a choice.
fn in_place_of(section: &dyn AnySettings, field: &Field) -> Vec<usize> {
    let is_set = |index: &usize| section.value(*index).as_str().is_some_and(|text| !text.trim().is_empty());
    field.yields_to.split_whitespace().filter_map(|name| section.index_of(name)).filter(is_set).collect()
}

pub fn changed(section: &dyn AnySettings) -> Vec<usize> {
    let all = section.fields().iter().enumerate().filter(|(_, field)| field.is_setting());
    all.map(|(index, _)| index).filter(|index| !section.is_default(*index)).collect()
}

pub(crate) fn row(
    ui: &mut Ui,
    id: &str,
    section: &mut dyn AnySettings,
    index: usize,
    field: &Field,
    applies: &Applies,
) -> bool {
    let (was_default, why_not) = (section.is_default(index), applies.why_not(id, field));
    // Names wrap instead of being cut.
    let width = ui.available_width();
    let color = match (&why_not, was_default) {
        (Some(_), _) => theme::QUIET,
        (None, true) => theme::TEXT,
        (None, false) => theme::STRONG,
    };
    let text = RichText::new(field.title()).color(color);
    let name = WidgetText::from(text.line_height(Some(LINE)));
    let name = name.into_galley(ui, Some(TextWrapMode::Wrap), width * LABEL - 6.0, TextStyle::Body);
    let (whole, _) = ui.allocate_exact_size(vec2(width, theme::ROW.max(name.size().y + 4.0)), Sense::hover());
    let rect = Rect::from_center_size(whole.center(), vec2(width, theme::ROW));
    anchors::note(ui, || format!("setting {id}.{}", field.name), whole);
    let label_end = rect.left() + rect.width() * LABEL;
    let widget_end = rect.right() - RESET;

    let label = part(ui, whole, rect.left(), label_end - 6.0).add(Label::new(name).sense(Sense::click()));
    let mut place = part(ui, rect, label_end, widget_end);
    if why_not.is_some() {
        place.disable();
    }
    let instead = in_place_of(section, field).first().map(|text| section.fields()[*text].title());
    let widget = |ui: &mut Ui| widget(ui, section.field_mut(index), (field, instead.as_deref()), &label);
    let (response, changed) = place.push_id((id, field.name), widget).inner;
    let mut reset = label.double_clicked();
    // None over what is typed.
    for part in [label, response].into_iter().filter(|_| !ui.ctx().text_edit_focused()) {
        let tip = |ui: &mut Ui| tooltip(ui, id, section, index, field, why_not.as_deref());
        theme::aside(ui, &part, tip);
    }
    let differs = differences::mark(ui, rect, id, field.name);
    // Always there: an identifier more would take the focus from a field below, whose text may change this row.
    let mut end = part(ui, rect, widget_end, rect.right());
    if !was_default {
        if !differs {
            ui.painter().circle_filled(pos2(rect.left() - 7.0, rect.center().y), 2.2, theme::ACCENT);
        }
        reset |= reset_button(&mut end, field);
    }
    if reset && !was_default {
        section.reset(index);
    }
    changed || (reset && !was_default)
}

fn part(ui: &mut Ui, row: Rect, from: f32, to: f32) -> Ui {
    let place = row.with_min_x(from).with_max_x(to);
    ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)))
}

fn reset_button(ui: &mut Ui, field: &Field) -> bool {
    let hint = format!("Reset {} to {}", field.title(), default_text(field));
    collapsing::sign(ui, "↺", &hint)
}

/// `instead`: what is shown in place of a choice.
fn widget(
    ui: &mut Ui,
    value: FieldMut<'_>,
    (field, instead): (&Field, Option<&str>),
    label: &Response,
) -> (Response, bool) {
    let response = match (value, field.kind) {
        (FieldMut::Float(value), FieldKind::Float { min, max, unit, log }) => {
            let (min, max, before) = (min * field.times, max * field.times, *value * field.times as f32);
            let mut shown = before;
            let decimals = decimals([min, max], unit, log);
            let range = min as f32..=max as f32;
            let slider = Slider::new(&mut shown, range.clone()).logarithmic(log).max_decimals(decimals);
            let slid = slide(ui, slider);
            let drag = DragValue::new(&mut shown).range(range).speed((max - min) / 400.0).max_decimals(decimals);
            let drag = drag.custom_formatter(move |value, _| figure(value, decimals));
            let response = join(ui, slid, drag, unit, label);
            // Slider and figure round a value to the displayed digits, also when a figure loses the focus: that is no edit.
            let is_edited = response.changed() && figure(shown.into(), decimals) != figure(before.into(), decimals);
            if is_edited {
                *value = shown / field.times as f32;
            }
            return (response, is_edited);
        }
        (FieldMut::Int(value), FieldKind::Int { min, max, unit, powers: true, .. }) => {
            powers(ui, value, [min, max], unit, label)
        }
        (FieldMut::Int(value), FieldKind::Int { min, max, unit, log, .. }) => {
            let drag = |value| DragValue::new(value).range(min..=max);
            if max - min > SLIDER_STEPS && !log {
                well(ui, figure_place(ui), drag(value).suffix(suffix(unit))).labelled_by(label.id)
            } else {
                let slid = slide(ui, Slider::new(value, min..=max).logarithmic(log).integer());
                join(ui, slid, drag(value).speed(f64::from(max - min) / 400.0), unit, label)
            }
        }
        (FieldMut::Size(value), FieldKind::Size { max, unit }) => {
            // Side by side, each with the height and baseline of a single figure.
            let (row, gap) = (figure_place(ui), ui.spacing().item_spacing.x);
            let whole = ui.max_rect();
            let width = (whole.width() - gap) / 2.0;
            let mut side = |at: usize| {
                let left = whole.left() + at as f32 * (width + gap);
                let place = Rect::from_x_y_ranges(left..=left + width, row.y_range());
                let drag = DragValue::new(&mut value[at]).range(0..=max).suffix(suffix(unit));
                well(ui, place, drag).labelled_by(label.id)
            };
            side(0) | side(1)
        }
        (FieldMut::Bool(value), _) => switch(ui, value, &field.title()),
        (FieldMut::Color(value), _) => ui.color_edit_button_rgb(value).labelled_by(label.id),
        (FieldMut::Text(value), _) => line(ui, value, field).labelled_by(label.id),
        (FieldMut::Choice(value), FieldKind::Choice(choices)) => {
            choice(ui, value, choices, instead, field).labelled_by(label.id)
        }
        // settings! derives value and kind from the same type.
        _ => ui.label("?"),
    };
    let is_edited = response.changed();
    (response, is_edited)
}

fn line(ui: &mut Ui, value: &mut ShortText, field: &Field) -> Response {
    let mut typed = value.to_string();
    let edit = TextEdit::singleline(&mut typed).hint_text(field.asks).vertical_align(Align::Center);
    let mut place = Rect::from_x_y_ranges(ui.max_rect().x_range(), figure_place(ui).y_range());
    if files::is_outline(field) {
        let (left, end) = place.split_left_right_at_x(place.right() - theme::ROW);
        place = left;
        let mut end = ui.new_child(UiBuilder::new().max_rect(end));
        if head::button(&mut end, Icon::Open, true, false, "Open a drawing (SVG) as the outline").clicked() {
            files::want(ui.ctx(), field.name);
        }
    }
    // The text of a field is a point higher than a label's.
    let response = ui.put(place, edit.margin(Margin { left: 8, right: 8, top: 2, bottom: 0 }));
    if response.changed() {
        typed.retain(|c| !c.is_control());
        if let Some((end, _)) = typed.char_indices().nth(field.chars) {
            typed.truncate(end);
            let (name, most) = (field.title(), field.chars);
            messages::note(ui.ctx(), format!("{name}: at most {most} characters; the rest is left out."));
        }
        *value = ShortText::from(&*typed);
    }
    response
}

/// A ring on a rail, that leaves room for its figure.
fn slide(ui: &mut Ui, slider: Slider<'_>) -> Response {
    let mut place = ui.max_rect();
    place.max.x = (place.max.x - VALUE - 8.0).max(place.min.x + 24.0);
    let add = |ui: &mut Ui| {
        // The handle is as large as the row that the slider assumes.
        ui.spacing_mut().interact_size.y = HANDLE;
        ui.spacing_mut().slider_width = place.width();
        let widgets = &mut ui.visuals_mut().widgets;
        for (visuals, ring) in [
            (&mut widgets.inactive, theme::TEXT),
            (&mut widgets.hovered, theme::STRONG),
            (&mut widgets.active, theme::ACCENT),
        ] {
            visuals.bg_fill = theme::RAIL;
            visuals.fg_stroke = egui::Stroke::new(1.6, ring);
        }
        ui.visuals_mut().selection.bg_fill = theme::ACCENT.gamma_multiply(0.75);
        ui.put(place.shrink2(vec2(0.0, (theme::ROW - HANDLE) / 2.0)), slider.show_value(false))
    };
    ui.scope(add).inner
}

fn figure_place(ui: &Ui) -> Rect {
    let place = ui.max_rect().shrink2(vec2(0.0, 1.0));
    place.with_min_x(place.right() - VALUE)
}

fn well(ui: &mut Ui, place: Rect, drag: DragValue<'_>) -> Response {
    let add = |ui: &mut Ui| {
        theme::sink(ui);
        // Its text has a width of 46 points or more.
        ui.spacing_mut().button_padding.x = 6.0;
        ui.put(place, drag)
    };
    ui.scope(add).inner
}

/// Decimals of a thousandth of the range, more for small values of a logarithmic one. Pixels are whole if the range has
/// a hundred of them.
fn decimals([min, max]: [f64; 2], unit: &str, log: bool) -> usize {
    if unit == "px" && max >= 100.0 {
        return 0;
    }
    ((3.0 - (max - min).log10()).ceil().clamp(0.0, 4.0) as usize).max(if log { 2 } else { 0 })
}

/// At most four digits in all if it has decimals, so that it fits its width.
fn figure(value: f64, decimals: usize) -> String {
    let whole = value.abs().max(1.0).log10() as usize;
    short(value, decimals.min(3_usize.saturating_sub(whole)))
}

fn join(ui: &mut Ui, slid: Response, drag: DragValue<'_>, unit: &str, label: &Response) -> Response {
    let dragged = well(ui, figure_place(ui), drag.suffix(suffix(unit)));
    slid.labelled_by(label.id) | dragged.labelled_by(label.id)
}

/// A slider whose steps are powers of two.
fn powers(ui: &mut Ui, value: &mut u32, [min, max]: [u32; 2], unit: &str, label: &Response) -> Response {
    let exponents = min.trailing_zeros()..=max.trailing_zeros();
    let mut exponent = value.trailing_zeros();
    let slid = slide(ui, Slider::new(&mut exponent, exponents.clone()).integer());
    let drag = DragValue::new(&mut exponent).range(exponents).speed(0.05);
    let drag = drag.custom_formatter(|exponent, _| format!("{}", 2f64.powf(exponent)));
    // Values between two powers are rounded to the nearer one.
    let drag = drag.custom_parser(|text| Some(text.trim().parse::<f64>().ok()?.max(1.0).log2().round()));
    let response = join(ui, slid, drag, unit, label);
    *value = 1 << exponent.min(31);
    response
}

fn switch(ui: &mut Ui, value: &mut bool, name: &str) -> Response {
    let (rect, mut response) = ui.allocate_exact_size(vec2(30.0, 16.0), Sense::click());
    if response.clicked() {
        *value = !*value;
        response.mark_changed();
    }
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, *value, name));
    let on = ui.ctx().animate_bool_responsive(response.id, *value);
    let lit = response.hovered() || response.has_focus();
    let rail = theme::RAIL.lerp_to_gamma(theme::ACCENT.gamma_multiply(0.8), on);
    let knob = pos2(egui::lerp(rect.left() + 8.0..=rect.right() - 8.0, on), rect.center().y);
    ui.painter().rect_filled(rect, 8.0, rail);
    ui.painter().circle_filled(knob, 6.0, if lit { theme::STRONG } else { theme::TEXT });
    response
}

/// Where texts stand in its place, an outline of a file is a choice, too.
fn choice(ui: &mut Ui, value: &mut dyn Choice, choices: &[Named], instead: Option<&str>, field: &Field) -> Response {
    let before = value.index();
    let now = instead.is_none().then_some(before);
    let mut picked = now;
    // The box must be as high as the row; its text has the name's line height, or the two would be rounded to different
    // pixels.
    ui.spacing_mut().icon_width = theme::ROW - 2.0 * ui.spacing().button_padding.y;
    let shown = instead.map(str::to_owned).or(choices.get(before).map(Named::title)).unwrap_or_default();
    let shown = RichText::new(shown).line_height(Some(LINE));
    let combo = ComboBox::from_id_salt("choice")
        .width(ui.available_width())
        .selected_text(shown)
        .truncate()
        .icon(collapsing::combo_icon);
    let mut response = combo
        .show_ui(ui, |ui| {
            for (index, choice) in choices.iter().enumerate() {
                ui.selectable_value(&mut picked, Some(index), choice.title()).on_hover_text(choice.doc);
            }
            if !field.yields_to.is_empty()
                && ui
                    .selectable_label(false, "Path (SVG file) ...")
                    .on_hover_text("Opens a drawing as the outline")
                    .clicked()
            {
                files::want(ui.ctx(), field.name);
            }
        })
        .response;
    let step = arrows(ui, &response);
    if step != 0 {
        picked = Some((before as isize + step).clamp(0, choices.len() as isize - 1) as usize);
    }
    if let Some(picked) = picked.filter(|_| picked != now) {
        value.choose(picked);
        response.mark_changed();
    }
    response
}

/// List step by the arrow keys in a focused list: 1 or -1. Otherwise they would move the focus, even through an open
/// list.
pub fn arrows(ui: &Ui, list: &Response) -> isize {
    if !list.has_focus() {
        return 0;
    }
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list.id, filter));
    let pressed = |key| ui.input_mut(|input| isize::from(input.consume_key(Modifiers::NONE, key)));
    pressed(Key::ArrowDown) - pressed(Key::ArrowUp)
}

/// `why_not`: why it is disabled.
fn tooltip(ui: &mut Ui, id: &str, section: &dyn AnySettings, index: usize, field: &Field, why_not: Option<&str>) {
    ui.set_max_width(280.0);
    if let Some(why_not) = why_not {
        ui.label(RichText::new(why_not).color(theme::WARN));
    }
    ui.label(field.doc);
    if let FieldKind::Choice(choices) = field.kind {
        if let Some(choice) = choices.iter().find(|choice| section.value(index).as_str() == Some(choice.name)) {
            ui.label(theme::small(format!("{}: {}", choice.title(), choice.doc)));
        }
    } else {
        ui.label(theme::small(format!("{}; default {}", field.expected(), field.default_text())));
    }
    ui.label(theme::figure(format!("--set {id}.{}={}", field.name, section.value(index))).color(theme::QUIET));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture::painted;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    use techniques::Settings;

    #[test]
    fn a_text_that_changes_rows_above_it_is_typed_to_its_end() {
        let draw = |ui: &mut Ui, settings: &mut Settings| {
            theme::install(ui.ctx());
            let mut sections = settings.sections();
            let applies = Applies::of(&sections, true, &Default::default());
            let glass = sections.iter_mut().find(|section| section.id == "glass").unwrap();
            if fields(ui, "glass", glass.settings, &applies, |_, _| ()).contains(&"path") {
                settings.glass.half_width += 1.0;
            }
        };
        let mut harness = egui_kittest::Harness::new_ui_state(draw, Settings::default());
        harness.get_by_role_and_label(egui::accesskit::Role::TextInput, "Path").focus();
        harness.run();
        for letter in ["h", "e", "a", "r", "t"] {
            harness.event(egui::Event::Text(letter.into()));
            harness.run();
        }
        assert_eq!(&*harness.state().glass.path, "heart");
    }

    #[test]
    fn a_path_is_shown_in_place_of_the_shape_until_another_is_chosen() {
        let mut settings = Settings::default();
        settings.glass.path = ShortText::from("heart");
        let draw = |ui: &mut Ui, (settings, wanted): &mut (Settings, usize)| {
            theme::install(ui.ctx());
            let sections = &mut settings.sections();
            let applies = Applies::of(sections, true, &Default::default());
            let glass = sections.iter_mut().find(|section| section.id == "glass").unwrap();
            let changed = fields(ui, "glass", glass.settings, &applies, |_, _| ());
            assert!(changed.is_empty() || changed == ["shape", "path"], "{changed:?}");
            *wanted += usize::from(files::take_wish(ui.ctx()).is_some());
        };
        let mut harness =
            egui_kittest::Harness::builder().with_size([290.0, 900.0]).build_ui_state(draw, (settings, 0));
        let pick = |harness: &mut egui_kittest::Harness<'_, (Settings, usize)>, entry: &str| {
            harness
                .get_all_by_label("Shape")
                .find(|node| node.accesskit_node().value().is_some())
                .expect("the list")
                .click();
            harness.run_ok();
            harness.get_by_label(entry).click();
            harness.run_ok();
        };
        let shown = |harness: &egui_kittest::Harness<'_, (Settings, usize)>| {
            harness.get_all_by_label("Shape").find_map(|node| node.accesskit_node().value())
        };
        assert_eq!(shown(&harness).as_deref(), Some("Path"));
        pick(&mut harness, "Path (SVG file) ...");
        assert_eq!((harness.state().1, harness.state().0.glass.path), (1, ShortText::from("heart")));
        pick(&mut harness, "Superellipse");
        assert_eq!(
            (shown(&harness).as_deref(), harness.state().0.glass.path),
            (Some("Superellipse"), ShortText::new())
        );
    }

    #[test]
    fn no_name_of_a_setting_is_cut() {
        // The inner width of the dock in a wide window, and in a narrow one.
        for width in [278.0, 162.0] {
            for of in 0..Settings::default().sections().len() {
                let mut settings = Settings::default();
                let fields_of = settings.sections()[of].settings.fields();
                let names: Vec<_> = fields_of.iter().filter(|field| field.is_setting()).map(Field::title).collect();
                let mut harness = egui_kittest::Harness::builder().with_size([width, 2000.0]).build_ui(|ui| {
                    theme::install(ui.ctx());
                    let sections = &mut settings.sections();
                    let applies = Applies::of(sections, true, &Default::default());
                    // Collapsed content is included.
                    let opened = |field: &Field| !field.group.is_empty() && field.folded;
                    for field in sections[of].settings.fields().iter().filter(|field| opened(field)) {
                        collapsing::unfold(ui.ctx(), &format!("{}/{}", sections[of].id, field.group));
                    }
                    ui.set_width(width);
                    fields(ui, sections[of].id, sections[of].settings, &applies, |_, _| ());
                });
                harness.run_ok();
                let cut = |shape| match shape {
                    egui::Shape::Text(text) if text.galley.elided => Some(text.galley.text().to_owned()),
                    _ => None,
                };
                let cut: Vec<String> = painted(&harness).into_iter().filter_map(cut).collect();
                assert!(!cut.iter().any(|text| names.contains(text)), "{cut:?} in {width}");
                assert!(width < 200.0 || cut.is_empty(), "{cut:?} in {width}");
            }
        }
    }
}
