//! Column labels of the blur comparison: method and PSNR.

use egui::{Color32, Rect, pos2, vec2};
use glam::{UVec2, Vec2};
use glass::LiquidGlass;
use renderer::{ActiveView, ViewPlacement};
use summed_area::{RowName, SummedArea, SummedAreaSettings, row_names};
use technique::{Legend, Technique as _};
use ui::{Strip, view_labels};

#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Width and height, pixels.
    pub px: Vec2,
    pub free_px: Vec2,
    pub free_above_legend_px: Vec2,
    /// 0 without one.
    pub line_px: f32,
    pub scale: f32,
}

pub fn labels(view: &ActiveView, tables: &SummedAreaSettings, room: &Room, psnr_db: &[f64]) -> Vec<Strip> {
    let Room { px, free_px, free_above_legend_px: free, line_px, scale } = *room;
    let line = line_px / scale;
    let mut all = strips(view, free_px.x, px / scale, scale, line, psnr_db);
    all.extend(row_signs(view, tables, [px, free], scale));
    if view.place == ViewPlacement::Split && all.is_empty() {
        let free = Rect::from_min_max(egui::Pos2::ZERO, pos2(free.x, free.y) / scale);
        all.extend(view_labels::sides(line, free, ["Final image", view.view.title]));
    }
    all
}

const VIEW: &str = "blur_compare";

/// `free_px`: width of the columns; `extent`: points of `scale` pixels; `psnr_db`: of each measured blur.
fn strips(view: &ActiveView, free_px: f32, extent: Vec2, scale: f32, line: f32, psnr_db: &[f64]) -> Vec<Strip> {
    let Legend::Swatches(swatches) = view.view.legend else { return Vec::new() };
    if view.technique != LiquidGlass::ID || view.view.name != VIEW || view.place == ViewPlacement::Lens {
        return Vec::new();
    }
    let width = (free_px.max(1.0) as u32 / swatches.len() as u32).max(1) as f32 / scale;
    let psnr = |row: usize| psnr_db.get(row).map(|psnr_db| format!("{psnr_db:.1} dB"));
    let mut all = Vec::new();
    for (column, ([red, green, blue], name)) in swatches.iter().enumerate() {
        let place = Rect::from_min_size(pos2(column as f32 * width, 0.0), vec2(width, extent.y));
        let figure = column.checked_sub(1).map(|row| psnr(row).unwrap_or_else(|| "...".into()));
        let lines = std::iter::once((*name).to_owned()).chain(figure).collect();
        all.push(Strip { place, lines, color: Some(Color32::from_rgb(*red, *green, *blue)) });
    }
    let lower = Rect::from_min_size(pos2(0.0, extent.y / 2.0), vec2(width, extent.y / 2.0));
    for column in 0..swatches.len() {
        let place = lower.translate(vec2(column as f32 * width, 0.0));
        if place.center().x > line {
            all.push(Strip { place, lines: vec!["Below: error x 8".into()], color: Some(Color32::GRAY) });
            break;
        }
    }
    all.retain(|strip| strip.place.center().x > line);
    all
}

/// Row labels beside the picture of a scan. `whole` and `free`: pixels.
fn row_signs(view: &ActiveView, settings: &SummedAreaSettings, [whole, free]: [Vec2; 2], scale: f32) -> Vec<Strip> {
    if view.technique != SummedArea::ID || view.view.name != "scan" || view.place != ViewPlacement::Full {
        return Vec::new();
    }
    let sign = |RowName { place, name }| {
        let [corner, size] = place.map(|px: UVec2| px.as_vec2() / scale);
        let place = Rect::from_min_size(pos2(corner.x, corner.y - ABOVE), vec2(size.x, size.y));
        Strip { place, lines: vec![name.to_owned()], color: None }
    };
    row_names(settings, whole.as_uvec2(), free.as_uvec2()).into_iter().map(sign).collect()
}

const ABOVE: f32 = 12.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_its_name_and_figure_within_the_free_part() {
        let view = |place| ActiveView::find(LiquidGlass::ID, VIEW, place).unwrap();
        let Legend::Swatches(columns) = view(ViewPlacement::Full).view.legend else { panic!("columns have names") };
        let psnr_db: Vec<f64> = (1..columns.len()).map(|row| row as f64 - 0.5).collect();
        let extent = Vec2::new(640.0, 360.0);
        let strips = |view: &ActiveView, line| strips(view, 800.0, extent, 2.0, line, &psnr_db);
        let full = strips(&view(ViewPlacement::Full), 0.0);
        assert_eq!(full.len(), columns.len() + 1);
        assert_eq!(full[0].lines, ["True Gaussian"]);
        assert_eq!(full[5].lines, ["Pre-blur (4 taps)", "4.5 dB"]);
        assert!(full.iter().all(|strip| strip.place.right() <= 400.0 && strip.place.bottom() <= 360.0));
        let split = strips(&view(ViewPlacement::Split), 200.0);
        assert!((2..full.len()).contains(&split.len()) && split.iter().all(|strip| strip.place.center().x > 200.0));
        assert!(strips(&view(ViewPlacement::Lens), 0.0).is_empty());
    }
}
