//! Display of texels: look, channel, range and exposure, and their controls.

use crate::theme;
use egui::{Rect, Sense, Ui, pos2, vec2};
use instrument::{Figures, PictureLook, PictureView, TexelKind};

/// Lower and upper end of the displayed values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Range {
    #[default]
    Automatic,
    Fixed([f32; 2]),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Display {
    /// `None`: by the format.
    look: Option<PictureLook>,
    channel: u32,
    range: Range,
    /// Stops.
    exposure: f32,
}

const LOOKS: [(PictureLook, &str, &str); 4] = [
    (PictureLook::Colour, "Colour", "Red, green and blue"),
    (PictureLook::Grey, "Grey", "One channel from black to white"),
    (PictureLook::Ramp, "Scale", "One channel by a colour scale"),
    (PictureLook::Hash, "Hash", "A colour of its own for each value"),
];

impl Display {
    fn look(&self, (kind, channels): (TexelKind, usize)) -> PictureLook {
        self.look.unwrap_or(match kind {
            TexelKind::Unsigned => PictureLook::Hash,
            _ if channels >= 3 => PictureLook::Colour,
            _ => PictureLook::Ramp,
        })
    }

    /// `origin`: the first texel. Also returns whether the range follows the figures.
    pub fn view(&self, kind: (TexelKind, usize), origin: glam::Vec2, step: f32) -> (PictureView, bool) {
        let look = self.look(kind);
        let range = match self.range {
            Range::Fixed(range) => range,
            Range::Automatic => [0.0, (-self.exposure).exp2()],
        };
        let view = PictureView { look, channel: self.channel.min(kind.1 as u32 - 1), range, origin, step };
        (view, self.range == Range::Automatic)
    }

    pub fn choose(&mut self, ui: &mut Ui, kind: (TexelKind, usize), figures: Option<&Figures>) {
        let (now, channels) = (self.look(kind), kind.1);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for (look, name, tip) in LOOKS {
                let fits = look != PictureLook::Colour || channels >= 3;
                if fits && ui.selectable_label(now == look, theme::small(name)).on_hover_text(tip).clicked() {
                    self.look = Some(look);
                }
            }
            if now != PictureLook::Colour && channels > 1 {
                ui.add_space(6.0);
                for (channel, name) in (0..).zip(["R", "G", "B", "A"]).take(channels) {
                    if ui.selectable_label(self.channel == channel, theme::small(name)).clicked() {
                        self.channel = channel;
                    }
                }
            }
        });
        ui.horizontal(|ui| match now {
            PictureLook::Hash => {
                ui.label(theme::small("Equal values have equal colours."));
            }
            PictureLook::Colour if self.range == Range::Automatic => {
                let exposure = egui::DragValue::new(&mut self.exposure).range(-16.0..=16.0).speed(0.05).suffix(" EV");
                ui.add(exposure).on_hover_text("Exposure in stops");
            }
            _ => self.choose_range(ui, figures),
        });
    }

    fn choose_range(&mut self, ui: &mut Ui, figures: Option<&Figures>) {
        let automatic = figures.and_then(|figures| Some([figures.percentile(0.01)?, figures.percentile(0.99)?]));
        let automatic = automatic.map_or([0.0, 1.0], |range| range.map(|number| number as f32));
        let mut is_automatic = self.range == Range::Automatic;
        let tip = "Black and white at the 1st and the 99th percentile";
        if ui.checkbox(&mut is_automatic, theme::small("Auto")).on_hover_text(tip).changed() {
            self.range = if is_automatic { Range::Automatic } else { Range::Fixed(automatic) };
        }
        let before = if let Range::Fixed(range) = self.range { range } else { automatic };
        let mut range = before;
        for (end, tip) in range.iter_mut().zip(["Shown as black", "Shown as white"]) {
            let speed = f64::from((before[1] - before[0]).abs().max(1e-6)) * 0.01;
            ui.add(egui::DragValue::new(end).speed(speed).max_decimals(4)).on_hover_text(tip);
        }
        if range != before {
            self.range = Range::Fixed(range);
        }
        if let Some(figures) = figures {
            histogram(ui, &figures.buckets);
        }
    }
}

/// Bars of the buckets that have numbers, to the right end of the row.
fn histogram(ui: &mut Ui, buckets: &[u32]) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let first = buckets.iter().position(|count| *count > 0);
    let last = buckets.iter().rposition(|count| *count > 0);
    let Some((first, last)) = first.zip(last) else { return };
    let (most, count) = (buckets.iter().copied().max().unwrap_or(1), last + 1 - first);
    let bars = rect.width().floor().max(1.0) as usize;
    for bar in 0..bars {
        let from = first + bar * count / bars;
        let to = (first + (bar + 1) * count / bars).max(from + 1).min(buckets.len());
        let highest = buckets[from..to].iter().copied().max().unwrap_or(0);
        // Logarithmic: a rare value is still seen.
        let part = (1.0 + highest as f32).ln() / (1.0 + most as f32).ln();
        let x = rect.left() + bar as f32;
        let bar = Rect::from_min_max(pos2(x, rect.bottom() - part * rect.height()), pos2(x + 1.0, rect.bottom()));
        ui.painter().rect_filled(bar, 0.0, theme::ACCENT.gamma_multiply(0.7));
    }
}
