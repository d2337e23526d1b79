//! Preferences for panels that are legible and calm: size of text, contrast, motion.

use egui::{Context, Event, Id, MouseWheelUnit, TouchPhase, style::ScrollAnimation};

use super::theme;
use glass::GlassSettings;
use techniques::Settings;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preferences {
    /// Factor on the size of text and panels.
    pub text_scale: f32,
    pub high_contrast: bool,
    pub reduced_motion: bool,
    pub reduced_transparency: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { text_scale: 1.0, high_contrast: false, reduced_motion: false, reduced_transparency: false }
    }
}

const TEXT_SCALES: [f32; 2] = [0.75, 3.0];

impl Preferences {
    /// The product of both sizes, and either's other wishes.
    pub fn and(self, other: Self) -> Self {
        Self {
            text_scale: (self.text_scale * other.text_scale).clamp(TEXT_SCALES[0], TEXT_SCALES[1]),
            high_contrast: self.high_contrast || other.high_contrast,
            reduced_motion: self.reduced_motion || other.reduced_motion,
            reduced_transparency: self.reduced_transparency || other.reduced_transparency,
        }
    }

    /// The glass that they call for, if it is another: text is legible at high contrast, and opaque glass is not clear.
    pub fn glass_of(self, settings: &Settings) -> Option<Settings> {
        let Settings { glass, .. } = settings;
        let reduced_transparency = glass.reduced_transparency || self.reduced_transparency || self.high_contrast;
        let legible = glass.legible || self.high_contrast;
        let is_same = (glass.reduced_transparency, glass.legible) == (reduced_transparency, legible);
        let preferred = || GlassSettings { reduced_transparency, legible, ..glass.clone() };
        (!is_same).then(|| Settings { glass: preferred(), ..settings.clone() })
    }

    /// Sizes stay while the pointer drags: a slider would move away from under it. `scale` enlarges all of them.
    pub fn apply(self, ctx: &Context, scale: f32) {
        if !ctx.egui_is_using_pointer() {
            ctx.set_zoom_factor(self.text_scale * scale);
        }
        let id = Id::new("reduced motion");
        let before =
            ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(id), self.reduced_motion));
        if before != self.reduced_motion {
            ctx.all_styles_mut(|style| {
                style.animation_time = if self.reduced_motion { 0.0 } else { theme::ANIMATION_S };
                style.scroll_animation = if self.reduced_motion { ScrollAnimation::none() } else { Default::default() };
            });
        }
    }
}

/// egui smooths longer steps of a wheel.
const STEP: f32 = 7.0;

impl Preferences {
    /// With reduced motion, a wheel scrolls at once.
    pub fn calm(self, ctx: &Context, events: &mut Vec<Event>) {
        if !self.reduced_motion {
            return;
        }
        let (line, page) =
            (ctx.options(|options| options.input_options.line_scroll_speed), ctx.content_rect().height());
        let calm = |event| match event {
            Event::MouseWheel { unit, delta, phase: TouchPhase::Move, modifiers } => {
                let by = match unit {
                    MouseWheelUnit::Point => 1.0,
                    MouseWheelUnit::Line => line,
                    MouseWheelUnit::Page => page,
                };
                let count = (by * delta.length() / STEP).ceil().max(1.0);
                let (unit, delta) = (MouseWheelUnit::Point, by / count * delta);
                vec![Event::MouseWheel { unit, delta, phase: TouchPhase::Move, modifiers }; count as usize]
            }
            event => vec![event],
        };
        *events = std::mem::take(events).into_iter().flat_map(calm).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_scrolls_at_once_if_motion_is_reduced() {
        for reduced_motion in [false, true] {
            let (ctx, modifiers) = (Context::default(), egui::Modifiers::NONE);
            let (unit, delta) = (MouseWheelUnit::Line, egui::vec2(0.0, -2.0));
            let mut events = vec![Event::MouseWheel { unit, delta, phase: TouchPhase::Move, modifiers }];
            Preferences { reduced_motion, ..Preferences::default() }.calm(&ctx, &mut events);
            let mut scrolled = 0.0;
            let input = egui::RawInput { events, ..Default::default() };
            ctx.run_ui(input, |ui| scrolled = ui.input(|input| input.smooth_scroll_delta().y))
                .drop_without_applying_deltas();
            let line = ctx.options(|options| options.input_options.line_scroll_speed);
            assert_eq!((scrolled + 2.0 * line).abs() < 0.1, reduced_motion, "{scrolled}");
        }
    }

    #[test]
    fn what_one_of_two_asks_for_is_done() {
        let large = Preferences { text_scale: 1.5, ..Preferences::default() };
        let calm = Preferences { reduced_motion: true, ..Preferences::default() };
        let both = Preferences { reduced_motion: true, ..large };
        assert_eq!([large.and(calm), calm.and(large)], [both; 2]);
        assert_eq!(large.and(large).and(large).text_scale, 3.0, "at most");
    }

    #[test]
    fn glass_is_opaque_and_legible_where_that_is_asked_for() {
        let settings = Settings::default();
        let glass = |asked: Preferences| {
            asked.glass_of(&settings).map(|all| (all.glass.reduced_transparency, all.glass.legible))
        };
        let plain = Preferences::default();
        assert_eq!(glass(plain), None);
        assert_eq!(glass(Preferences { reduced_transparency: true, ..plain }), Some((true, false)));
        assert_eq!(glass(Preferences { high_contrast: true, ..plain }), Some((true, true)));
    }

    #[test]
    fn text_grows_with_the_panels_and_motion_stops() {
        let ctx = Context::default();
        theme::install(&ctx);
        let width = |preferences: Preferences| {
            let mut width_px = 0.0;
            for _ in 0..2 {
                let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                    preferences.apply(ui.ctx(), 1.0);
                    width_px = ui.label("As wide as its text").rect.width() * ui.ctx().pixels_per_point();
                });
                output.drop_without_applying_deltas();
            }
            width_px
        };
        let plain = width(Preferences::default());
        let larger = width(Preferences { text_scale: 2.0, reduced_motion: true, ..Preferences::default() });
        assert!((larger / plain - 2.0).abs() < 0.05, "{plain} {larger}");
        assert_eq!(ctx.global_style().animation_time, 0.0);
        width(Preferences::default());
        assert_eq!(ctx.global_style().animation_time, theme::ANIMATION_S);
    }
}
