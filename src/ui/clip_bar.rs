//! Play, pause and position of a moving picture.

use egui::{Button, Slider, Ui, WidgetInfo, vec2};

use super::{ClipAction, ClipState, theme};

const BUTTON: f32 = 52.0;

pub fn show(ui: &mut Ui, clip: &ClipState) -> Option<ClipAction> {
    let mut action = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (text, hint) = if clip.is_paused { ("Play", "Play on") } else { ("Pause", "Keep this frame") };
        let button = Button::new(theme::middle(text)).min_size(vec2(BUTTON, theme::ROW));
        if ui.add(button).on_hover_text(hint).clicked() {
            action = Some(ClipAction::Toggle);
        }
        theme::from_right(ui, |ui| {
            let mut shown = clip.frame + 1;
            // Of fixed width, so that the slider stays.
            let [frames, times] = [clip.count.to_string(), format!("{:.2}", clip.length_s)].map(|most| most.len());
            let text = format!("{shown:>frames$} / {}, {:>times$.2} s", clip.count, clip.at_s);
            let hint = format!("Frame {shown} of {}, at {:.2} of {:.2} seconds", clip.count, clip.at_s, clip.length_s);
            ui.label(theme::figure(text).color(theme::TEXT)).on_hover_text(hint);
            ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(20.0);
            let slider = ui.add(Slider::new(&mut shown, 1..=clip.count.max(1)).show_value(false).step_by(1.0));
            slider.widget_info(|| WidgetInfo::slider(true, shown as f64, "Frame"));
            if slider.changed() {
                action = Some(ClipAction::Seek(shown.saturating_sub(1)));
            }
        });
    });
    action
}
