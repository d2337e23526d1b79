//! Preferences for panels that are legible and calm: size of text, contrast, motion.

use egui::{Context, Id, style::ScrollAnimation};

use super::theme;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preferences {
    /// Factor on the size of text and panels.
    pub text_scale: f32,
    pub high_contrast: bool,
    pub reduced_motion: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { text_scale: 1.0, high_contrast: false, reduced_motion: false }
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
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_of_two_asks_for_is_done() {
        let large = Preferences { text_scale: 1.5, ..Preferences::default() };
        let calm = Preferences { reduced_motion: true, ..Preferences::default() };
        let both = Preferences { text_scale: 1.5, high_contrast: false, reduced_motion: true };
        assert_eq!([large.and(calm), calm.and(large)], [both; 2]);
        assert_eq!(large.and(large).and(large).text_scale, 3.0, "at most");
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
