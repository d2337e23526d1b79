//! Scale of a time axis in points, and its marks.

use egui::{Align2, Painter, Rangef, Stroke, pos2};

use super::super::theme;

/// Microseconds on a range of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisScale {
    pub x: Rangef,
    pub us: [f64; 2],
}

/// Lines at round figures.
fn grid() -> Stroke {
    Stroke::new(1.0, theme::QUIET.gamma_multiply(0.35))
}

impl AxisScale {
    pub fn x_of(&self, us: f64) -> f32 {
        self.x.min + (f64::from(self.x.span()) * (us - self.us[0]) / (self.us[1] - self.us[0])) as f32
    }

    pub fn us_of(&self, x: f32) -> f64 {
        self.us[0] + f64::from(x - self.x.min) * self.us_a_point()
    }

    pub fn us_a_point(&self) -> f64 {
        (self.us[1] - self.us[0]) / f64::from(self.x.span().max(1.0))
    }

    /// Lines at round times over the height `y`, with the times at `labels`.
    pub fn marks(&self, painter: &Painter, y: Rangef, labels: f32) {
        let step = step((self.us[1] - self.us[0]) * 1e-3);
        let mut free_from = self.x.min;
        let first = (self.us[0] * 1e-3 / step).ceil();
        // A step is at least a fifth of what is visible, but for rounding.
        for ms in (0..8).map(|mark| (first + f64::from(mark)) * step).take_while(|ms| ms * 1e3 <= self.us[1]) {
            let x = self.x_of(ms * 1e3);
            painter.vline(x, y, grid());
            let text = painter.layout_no_wrap(in_unit(ms), theme::font(theme::SMALL), theme::QUIET);
            let width = text.size().x;
            let x = (x - 0.5 * width).clamp(self.x.min, (self.x.max - width).max(self.x.min));
            if x < free_from {
                continue; // it would overlap the label before it
            }
            free_from = x + width + 4.0;
            let place = Align2::LEFT_TOP.anchor_size(pos2(x, labels), text.size());
            painter.galley(place.min, text, theme::QUIET);
        }
    }
}

/// `200 µs`, `5 ms`, `2 s`.
fn in_unit(ms: f64) -> String {
    let (value, unit) = match ms {
        ms if ms >= 1000.0 => (ms * 1e-3, "s"),
        ms if ms >= 1.0 => (ms, "ms"),
        ms => (ms * 1e3, "µs"),
    };
    // 300 and not 300.00000000000006.
    format!("{} {unit}", (value * 1e3).round() / 1e3)
}

/// 1, 2 or 5 times a power of ten: two or three are up to `highest`.
fn step(highest: f64) -> f64 {
    let rough = (highest / 2.5).max(1e-6);
    let ten = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * ten).find(|step| *step >= rough).unwrap_or(rough)
}

#[cfg(test)]
mod tests {
    #[test]
    fn marks_are_round_and_few() {
        for highest in [1e-3, 0.0123, 0.4, 1.0, 3.3, 16.7, 120.0, 1400.0, 9000.0] {
            let step = super::step(highest);
            let marks: Vec<f64> = (1..).map(|n| f64::from(n) * step).take_while(|mark| *mark <= highest).collect();
            assert!((1..=3).contains(&marks.len()), "{highest}: {marks:?}");
            let mut texts = marks.iter().map(|mark| super::in_unit(*mark));
            assert!(texts.all(|text| text.chars().count() <= 6), "{highest}: {marks:?}");
        }
        for (ms, text) in [(0.3, "300 µs"), (0.000_5, "0.5 µs"), (5.0, "5 ms"), (2000.0, "2 s")] {
            assert_eq!(super::in_unit(ms), text);
        }
    }
}
