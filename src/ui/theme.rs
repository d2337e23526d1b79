//! Theme of the panels: dark, translucent, one accent colour, tabular figures, so that the picture stays the brightest thing.

use egui::style::{HandleShape, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontId, Frame, Margin, RichText, Shadow, Stroke, Style, TextStyle, Theme, Visuals,
    vec2,
};

pub const ACCENT: Color32 = Color32::from_rgb(120, 196, 255);
pub const TEXT: Color32 = Color32::from_rgb(222, 226, 234);
pub const STRONG: Color32 = Color32::from_rgb(248, 249, 252);
pub const QUIET: Color32 = Color32::from_rgb(158, 166, 182);
/// Still 4.5 times as bright as the background.
pub const DIM: Color32 = Color32::from_rgb(134, 142, 156);
/// Nearly opaque, or the picture would interfere with the text.
pub const PANEL: Color32 = Color32::from_rgba_premultiplied(14, 16, 22, 243);
/// Fraction of its colour that a disabled widget keeps.
const DISABLED: f32 = 0.6;
pub const BAD: Color32 = Color32::from_rgb(255, 122, 112);
pub const WARN: Color32 = Color32::from_rgb(255, 196, 104);
/// Rail of a slider, and the inside of its handle.
pub const RAIL: Color32 = Color32::from_rgb(62, 68, 82);
pub const GOOD: Color32 = Color32::from_rgb(126, 217, 156);

pub const CHOSEN: Color32 = veil(64);

/// All sizes of text, points; the setting for the size of text scales them.
pub const SIZES: [f32; 4] = [SMALL, BODY, LARGE, TITLE];
pub const SMALL: f32 = 11.0;
pub const BODY: f32 = 12.5;
/// Headings, and the text of pages, which is read and not scanned.
pub const LARGE: f32 = 13.5;
pub const TITLE: f32 = 17.0;

pub const fn font(size: f32) -> FontId {
    FontId::proportional(size)
}

/// Digits of one width.
pub const fn figures() -> FontId {
    FontId::monospace(SMALL)
}

/// Between panels and from the window's edge.
pub const GAP: f32 = 12.0;
/// Between a panel's edge and its content.
pub const PADDING: i8 = 14;
pub const ANIMATION_S: f32 = 0.12;
/// Height of a row with a widget.
pub const ROW: f32 = 22.0;

/// Alike in lightness, apart in hue, the first ones furthest.
const LINES: [Color32; 14] = [
    Color32::from_rgb(120, 196, 255),
    Color32::from_rgb(255, 176, 92),
    Color32::from_rgb(126, 217, 156),
    Color32::from_rgb(240, 130, 170),
    Color32::from_rgb(190, 160, 255),
    Color32::from_rgb(236, 222, 110),
    Color32::from_rgb(110, 220, 218),
    Color32::from_rgb(214, 154, 124),
    Color32::from_rgb(255, 122, 112),
    Color32::from_rgb(164, 208, 84),
    Color32::from_rgb(96, 160, 235),
    Color32::from_rgb(232, 148, 232),
    Color32::from_rgb(176, 190, 205),
    Color32::from_rgb(72, 190, 150),
];

pub fn line_color(index: usize) -> Color32 {
    LINES[index % LINES.len()]
}

pub fn rgb([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Translucent white: raises a widget from its panel.
const fn veil(alpha: u8) -> Color32 {
    Color32::from_rgba_premultiplied(alpha, alpha, alpha, alpha)
}

/// No shadow: it would also be drawn below the whole panel, a third of the panels' cost on a software driver.
pub fn panel() -> Frame {
    Frame::new()
        .fill(PANEL)
        .stroke(Stroke::new(1.0, veil(26)))
        .corner_radius(CornerRadius::same(14))
        .inner_margin(Margin::same(PADDING))
}

pub fn page() -> Frame {
    panel().inner_margin(Margin::same(22))
}

pub fn chip() -> Frame {
    panel().corner_radius(CornerRadius::same(10)).inner_margin(Margin::symmetric(12, 9))
}

pub fn well() -> Frame {
    Frame::new().fill(Color32::from_black_alpha(70)).corner_radius(CornerRadius::same(8)).inner_margin(Margin::same(8))
}

/// A mesh: its colour stays as it is in the light theme.
pub fn swatch(ui: &egui::Ui, place: egui::Rect, color: [u8; 3]) {
    let mut mesh = egui::Mesh::default();
    mesh.add_colored_rect(place, rgb(color));
    ui.painter().add(mesh);
}

/// Small text, over as many lines as it takes.
pub fn note(ui: &mut egui::Ui, text: impl Into<String>) -> egui::Response {
    ui.add(egui::Label::new(small(text)).wrap())
}

/// Small button; whether it was clicked.
pub fn push(ui: &mut egui::Ui, text: &str, hint: &str) -> bool {
    ui.add(egui::Button::new(small(text))).on_hover_text(hint).clicked()
}

/// What a screen reader says of a painted widget.
pub fn speak(widget: &egui::Response, kind: egui::WidgetType, text: &str) {
    widget.widget_info(|| egui::WidgetInfo::labeled(kind, widget.enabled(), text));
}

/// A tooltip left of the panel, over the picture: it covers no other row.
pub fn hint_aside(ui: &egui::Ui, widget: &egui::Response, text: &str) {
    aside(ui, widget, |ui| {
        ui.label(text);
    });
}

/// The same with any content; also of a disabled widget.
pub fn aside(ui: &egui::Ui, widget: &egui::Response, add: impl FnOnce(&mut egui::Ui)) {
    let of = if widget.enabled() { egui::Tooltip::for_enabled } else { egui::Tooltip::for_disabled };
    let mut tooltip = of(widget);
    let row = widget.rect.with_min_x(ui.max_rect().left() - f32::from(PADDING));
    tooltip.popup = tooltip.popup.anchor(row).align(egui::RectAlign::LEFT_START);
    tooltip.show(add);
}

/// The place that is left in a row.
pub fn rest<T>(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui) -> T) {
    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), add);
}

pub fn from_right<T>(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui) -> T) -> T {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), add).inner
}

/// A dot, or a ring if it has no colour.
pub fn lamp(center: egui::Pos2, color: Option<Color32>) -> egui::Shape {
    match color {
        Some(color) => egui::Shape::circle_filled(center, 3.5, color),
        None => egui::Shape::circle_stroke(center, 3.0, Stroke::new(1.2, QUIET)),
    }
}

pub fn progress(part: f32, text: String) -> egui::ProgressBar {
    egui::ProgressBar::new(part).text(text).fill(ACCENT.gamma_multiply(0.55)).corner_radius(6)
}

/// Editable widgets are wells, like text fields; buttons are raised.
pub fn sink(ui: &mut egui::Ui) {
    let fill = ui.visuals().text_edit_bg_color();
    let widgets = &mut ui.visuals_mut().widgets;
    for visuals in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
        visuals.weak_bg_fill = fill;
    }
}

pub fn middle(text: &str) -> egui::Atoms<'static> {
    egui::Atoms::new((egui::Atom::grow(), text.to_owned(), egui::Atom::grow()))
}

pub fn caption(text: &str) -> RichText {
    RichText::new(text.to_uppercase()).size(SMALL).extra_letter_spacing(0.6).color(QUIET)
}

/// Name of a key: no link.
pub fn key(text: &str) -> RichText {
    RichText::new(text).size(11.0).color(TEXT).background_color(veil(30))
}

pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text).size(SMALL).color(QUIET)
}

pub fn figure(text: impl Into<String>) -> RichText {
    RichText::new(text).font(figures())
}

pub fn heading(text: impl Into<String>) -> RichText {
    RichText::new(text).size(LARGE).color(STRONG)
}

pub fn install(ctx: &Context) {
    ctx.set_theme(Theme::Dark);
    ctx.all_styles_mut(apply_theme);
    // The size of text is a setting.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

fn apply_theme(style: &mut Style) {
    style.text_styles = [
        (TextStyle::Small, font(SMALL)),
        (TextStyle::Body, font(BODY)),
        (TextStyle::Button, font(BODY)),
        (TextStyle::Heading, font(TITLE)),
        (TextStyle::Monospace, figures()),
    ]
    .into();

    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 5.0);
    spacing.button_padding = vec2(8.0, 3.0);
    spacing.interact_size = vec2(30.0, ROW);
    spacing.slider_rail_height = 4.0;
    spacing.icon_width = 15.0;
    spacing.icon_width_inner = 9.0;
    spacing.indent = 12.0;
    spacing.tooltip_width = 280.0;
    spacing.combo_height = 460.0;
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(10);
    spacing.scroll = egui::style::ScrollStyle::thin();
    // It fades to an opaque colour, which a translucent panel has not.
    spacing.scroll.fade.strength = 0.0;
    style.interaction.tooltip_delay = 0.45;
    style.interaction.selectable_labels = false;
    style.animation_time = ANIMATION_S;

    let radius = CornerRadius::same(6);
    let widget = |fill: Color32, text: Color32, edge: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, edge),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.2, text),
        expansion: 0.0,
    };
    let clear = Color32::TRANSPARENT;
    style.visuals = Visuals {
        override_text_color: None,
        weak_text_color: Some(QUIET),
        widgets: Widgets {
            noninteractive: widget(clear, TEXT, veil(20)),
            inactive: widget(veil(30), TEXT, veil(16)),
            hovered: widget(veil(46), STRONG, veil(26)),
            active: widget(veil(60), STRONG, veil(32)),
            open: widget(veil(40), STRONG, veil(26)),
        },
        selection: Selection {
            bg_fill: Color32::from_rgba_unmultiplied(120, 196, 255, 90),
            stroke: Stroke::new(1.0, STRONG),
        },
        hyperlink_color: ACCENT,
        faint_bg_color: veil(8),
        extreme_bg_color: Color32::from_black_alpha(80),
        text_edit_bg_color: Some(Color32::from_black_alpha(80)),
        code_bg_color: veil(18),
        warn_fg_color: WARN,
        error_fg_color: BAD,
        window_corner_radius: CornerRadius::same(10),
        menu_corner_radius: CornerRadius::same(10),
        // Menus and tooltips are over panels: less translucent, or two texts would overlap.
        window_fill: Color32::from_rgba_unmultiplied(24, 27, 35, 248),
        window_stroke: Stroke::new(1.0, veil(30)),
        panel_fill: PANEL,
        disabled_alpha: DISABLED,
        popup_shadow: Shadow { offset: [0, 6], blur: 18, spread: 0, color: Color32::from_black_alpha(110) },
        slider_trailing_fill: true,
        handle_shape: HandleShape::Circle,
        indent_has_left_vline: false,
        collapsing_header_frame: false,
        striped: false,
        ..Visuals::dark()
    };
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Relative luminance of the Web Content Accessibility Guidelines.
    pub fn luminance(color: Color32) -> f32 {
        let linear = |byte: u8| egui::ecolor::linear_f32_from_gamma_u8(byte);
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    #[test]
    fn all_text_can_be_read_over_any_picture() {
        for below in [Color32::BLACK, Color32::from_gray(128), Color32::WHITE] {
            let ground = below.blend(PANEL);
            let faded = ground.blend(TEXT.gamma_multiply(DISABLED));
            for text in [TEXT, STRONG, QUIET, DIM, ACCENT, BAD, WARN, GOOD, faded] {
                let contrast = (luminance(text) + 0.05) / (luminance(ground) + 0.05);
                assert!(contrast >= 4.5, "{text:?} over {ground:?}: {contrast}");
            }
        }
    }

    #[test]
    fn text_on_panels_of_glass_is_bright_enough_for_their_shade() {
        for text in [TEXT, STRONG, QUIET, ACCENT, WARN, GOOD] {
            assert!(luminance(text) >= glass::PANEL_INK, "{text:?}: {}", luminance(text));
        }
    }
}
