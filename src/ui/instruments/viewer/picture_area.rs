//! Area of a picture that the renderer draws: magnification, the texel under the pointer, and numbers in magnified texels.

use crate::theme;
use egui::{Align2, Color32, Label, Rect, Sense, Ui, Vec2, vec2};
use instrument::{PinResult, TexelKind, short_number as short, texel_kind};

/// Points of a texel from which on its numbers are written into it.
const TEXEL_TEXT: f32 = 44.0;
/// Largest magnification, points of a texel.
const TEXEL_MOST: f32 = 160.0;

const READOUT: f32 = 16.0;
/// Letters from which on the line is narrower: numbers of four channels are as long.
const LONG: usize = 44;

pub(super) struct PictureArea {
    /// Magnification over the size that fits.
    zoom: f32,
    /// Point of the image at the middle, 0 to 1.
    middle: Vec2,
    /// Of the last frame.
    pointed: Option<[u32; 2]>,
}

impl Default for PictureArea {
    fn default() -> Self {
        Self { zoom: 1.0, middle: Vec2::splat(0.5), pointed: None }
    }
}

fn whole(size: [u32; 2]) -> Vec2 {
    vec2(size[0] as f32, size[1] as f32)
}

impl PictureArea {
    /// Texels in a point.
    pub fn step(&self, hole: Rect, size: [u32; 2]) -> f32 {
        (fit(hole, size) / self.zoom).max(1.0 / TEXEL_MOST)
    }

    /// The texel at the hole's left top.
    pub fn first(&self, hole: Rect, size: [u32; 2]) -> Vec2 {
        self.middle * whole(size) - hole.size() / 2.0 * self.step(hole, size)
    }

    /// Texels to read: left, top, width, height; around the pointer `reach` on each side.
    pub fn region(&self, hole: Rect, size: [u32; 2], reach: u32) -> Option<[u32; 4]> {
        let around = |[x, y]: [u32; 2]| {
            let [left, top] = [x, y].map(|at| at.saturating_sub(reach));
            [left, top, x + reach + 1 - left, y + reach + 1 - top]
        };
        self.magnified(hole, size).or(self.pointed.map(around))
    }

    pub fn texel_at(&self, hole: Rect, size: [u32; 2], at: egui::Pos2) -> Option<[u32; 2]> {
        let texel = self.first(hole, size) + (at - hole.min) * self.step(hole, size);
        let is_inside = texel.x >= 0.0 && texel.y >= 0.0 && texel.x < size[0] as f32 && texel.y < size[1] as f32;
        is_inside.then_some([texel.x as u32, texel.y as u32])
    }

    /// The texels that are large enough for text.
    fn magnified(&self, hole: Rect, size: [u32; 2]) -> Option<[u32; 4]> {
        let (step, first) = (self.step(hole, size), self.first(hole, size));
        if 1.0 / step < TEXEL_TEXT {
            return None;
        }
        let last = (first + hole.size() * step).min(whole(size));
        let first = first.max(Vec2::ZERO);
        let [left, top] = [first.x, first.y].map(|at| at.floor() as u32);
        let [right, bottom] = [last.x, last.y].map(|at| at.ceil() as u32);
        Some([left, top, right.saturating_sub(left).max(1), bottom.saturating_sub(top).max(1)])
    }

    /// Leaves a hole of this height, and writes a line about the texels below it.
    pub fn show(&mut self, ui: &mut Ui, height: f32, result: Option<&PinResult>) -> Rect {
        let (hole, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        let Some((size, format)) = result.and_then(|result| result.image) else { return hole };
        if response.double_clicked() {
            (self.zoom, self.middle) = (1.0, Vec2::splat(0.5));
        }
        self.middle -= response.drag_delta() * self.step(hole, size) / whole(size);
        self.pointed = None;
        if let Some(at) = response.hover_pos() {
            let texel_at = |area: &Self| area.first(hole, size) + (at - hole.min) * area.step(hole, size);
            let texel = texel_at(self);
            let wheel = ui.input(|input| input.smooth_scroll_delta.y + 200.0 * input.zoom_delta().ln());
            if wheel != 0.0 {
                let most = (fit(hole, size) * TEXEL_MOST).max(1.0);
                self.zoom = (self.zoom * (wheel * 0.006).exp()).clamp(0.25_f32.min(most), most);
                // The texel under the pointer stays there.
                self.middle += (texel - texel_at(self)) / whole(size);
                ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
            }
            self.pointed = self.texel_at(hole, size, at);
        }
        self.middle = self.middle.clamp(Vec2::ZERO, Vec2::splat(1.0));
        self.numbers(ui, hole, size, result);
        let text = self.readout(size, texel_kind(format).0, result);
        ui.allocate_ui(vec2(ui.available_width(), READOUT), |ui| {
            ui.set_min_height(READOUT);
            ui.add(
                Label::new(if text.len() > LONG {
                    theme::small(text)
                } else {
                    theme::figure(text).color(theme::QUIET)
                })
                .truncate(),
            );
        });
        hole
    }

    fn numbers(&self, ui: &Ui, hole: Rect, size: [u32; 2], result: Option<&PinResult>) {
        let Some([left, top, width, height]) = self.magnified(hole, size) else { return };
        let Some(texels) = result.and_then(|result| result.texels.as_ref()) else { return };
        let (step, first) = (self.step(hole, size), self.first(hole, size));
        let painter = ui.painter().with_clip_rect(hole);
        for (x, y) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y))) {
            let Some(numbers) = texels.numbers(x, y) else { continue };
            let middle = hole.min + (vec2(x as f32 + 0.5, y as f32 + 0.5) - first) / step;
            let text = numbers.iter().map(|number| short(number)).collect::<Vec<_>>().join("\n");
            let galley = painter.layout_no_wrap(text, theme::figures(), theme::STRONG);
            let at = Align2::CENTER_CENTER.anchor_size(middle, galley.size());
            painter.rect_filled(at.expand(2.0), 2.0, Color32::from_black_alpha(150));
            painter.galley(at.min, galley, theme::STRONG);
        }
    }

    /// The texel under the pointer, else the figures.
    fn readout(&self, size: [u32; 2], kind: TexelKind, result: Option<&PinResult>) -> String {
        if let Some([x, y]) = self.pointed {
            let numbers = result.and_then(|result| result.texels.as_ref()).and_then(|texels| texels.numbers(x, y));
            return format!("{x}, {y}: {}", numbers.unwrap_or_default().join("  "));
        }
        let mut parts = vec![format!("{}x{}", size[0], size[1])];
        if let Some(figures) = result.and_then(|result| result.figures.as_ref()) {
            if let Some(range) = figures.range {
                let [least, most] = range.map(|number| short(&number.to_string()));
                parts.push(format!("{least} to {most}"));
            }
            if kind == TexelKind::Float {
                parts.push(format!("{} NaN, {} infinite", figures.nans, figures.infinities));
            }
        }
        parts.join(" · ")
    }
}

/// Texels in a point where all of the image is visible.
fn fit(hole: Rect, size: [u32; 2]) -> f32 {
    (size[0] as f32 / hole.width()).max(size[1] as f32 / hole.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn numbers_fit_into_texels() {
        for (number, text) in [
            ("0.25", "0.25"),
            ("0.33333334", "0.3333"),
            ("-12345.678", "-12345."),
            ("1.17549e-38", "1.2e-38"),
            ("4294967295", "4294967295"),
            ("NaN", "NaN"),
        ] {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn an_image_fits_and_its_texels_are_found() {
        let hole = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 100.0));
        let mut area = PictureArea::default();
        // 600 x 400 texels: the height decides, four texels a point.
        assert_eq!(area.step(hole, [600, 400]), 4.0);
        assert_eq!(area.first(hole, [600, 400]), vec2(300.0 - 600.0, 0.0));
        assert_eq!(area.region(hole, [600, 400], 5), None);
        area.pointed = Some([3, 399]);
        assert_eq!(area.region(hole, [600, 400], 0), Some([3, 399, 1, 1]));
        assert_eq!(area.region(hole, [600, 400], 5), Some([0, 394, 9, 11]));
        assert_eq!(area.texel_at(hole, [600, 400], pos2(160.0, 20.0)), Some([300, 0]));
        assert_eq!(area.texel_at(hole, [600, 400], pos2(11.0, 20.0)), None);
        (area.zoom, area.middle) = (400.0, vec2(0.5, 0.5));
        // A hundred points a texel: three columns around the middle.
        assert_eq!(area.step(hole, [600, 400]), 0.01);
        assert_eq!(area.region(hole, [600, 400], 5), Some([298, 199, 4, 2]));
        area.middle = vec2(0.0, 0.0);
        assert_eq!(area.region(hole, [600, 400], 5), Some([0, 0, 2, 1]));
    }
}
