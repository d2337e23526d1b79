//! Labels over views of several parts: rows of a scan, sides of a split view.

use egui::{Rect, pos2, vec2};
use glam::{UVec2, Vec2};
use renderer::{ActiveView, ViewPlacement};
use summed_area::{RowName, SummedArea, SummedAreaSettings, row_names};
use technique::Technique as _;
use ui::{Strip, view_labels};

#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Width and height, pixels.
    pub px: Vec2,
    pub free_above_legend_px: Vec2,
    /// 0 without one.
    pub line_px: f32,
    pub scale: f32,
}

pub fn labels(view: &ActiveView, tables: &SummedAreaSettings, room: &Room) -> Vec<Strip> {
    let Room { px, free_above_legend_px: free, line_px, scale } = *room;
    if view.place != ViewPlacement::Split {
        return row_signs(view, tables, [px, free], scale);
    }
    let free = Rect::from_min_max(egui::Pos2::ZERO, pos2(free.x, free.y) / scale);
    view_labels::sides(line_px / scale, free, ["Final image", view.view.title])
}

/// Row labels beside the picture of a scan. `whole` and `free`: pixels.
fn row_signs(view: &ActiveView, settings: &SummedAreaSettings, [whole, free]: [Vec2; 2], scale: f32) -> Vec<Strip> {
    if view.technique != SummedArea::ID || view.view.name != "scan" || view.place != ViewPlacement::Full {
        return Vec::new();
    }
    let sign = |RowName { place, name }| {
        let [corner, size] = place.map(|px: UVec2| px.as_vec2() / scale);
        let place = Rect::from_min_size(pos2(corner.x, corner.y - ABOVE), vec2(size.x, size.y));
        Strip { place, name: name.to_owned() }
    };
    row_names(settings, whole.as_uvec2(), free.as_uvec2()).into_iter().map(sign).collect()
}

const ABOVE: f32 = 12.0;
