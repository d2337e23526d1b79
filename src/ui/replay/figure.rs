//! Figure of a step: its grids, with items on their way from the step before.

use crate::techniques::{Grid, ReplayStep, Role};
use crate::ui::theme;
use egui::epaint::{Mesh, Shape};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};
use std::collections::BTreeMap;

/// Height of a grid's title, and room between grids, in points.
const TITLE: f32 = 17.0;
const SPACE: f32 = 14.0;
/// Largest cell, in points.
const LARGEST: f32 = 64.0;
/// Cells have marks and gaps from this size on, in points.
const MARKED: f32 = 3.5;
/// Of other colours only this part is kept where a cell has no part in a step.
const FADED: f32 = 0.28;
const GROUND: Color32 = Color32::from_rgb(26, 29, 37);

/// Grids of a step at their places.
pub struct FigureLayout {
    /// Of the cells, by grid.
    pub grids: Vec<Rect>,
}

impl FigureLayout {
    /// Places the grids of a step within `area`.
    pub fn new(area: Rect, step: &ReplayStep) -> Self {
        let grids = &step.grids;
        let mut rects = vec![Rect::NOTHING; grids.len()];
        let mut free = area;
        for (index, grid) in grids.iter().enumerate().filter(|(_, grid)| grid.is_wide) {
            let height = fitted(grid, vec2(area.width(), 0.4 * area.height())).y;
            let (above, below) = free.split_top_bottom_at_y(free.bottom() - height - TITLE);
            rects[index] = centered(grid, below);
            free = above.with_max_y(above.bottom() - SPACE);
        }
        let rest: Vec<usize> = (0..grids.len()).filter(|index| !grids[*index].is_wide).collect();
        let Some((first, others)) = rest.split_first() else { return Self { grids: rects } };
        let (main, column) = if others.is_empty() {
            (free, Rect::NOTHING)
        } else if free.width() > 1.2 * free.height() {
            let most = (0.6 * free.width()).min(fitted(&grids[*first], free.size() - vec2(0.0, TITLE)).x);
            (free.with_max_x(free.left() + most), free.with_min_x(free.left() + most + 2.0 * SPACE))
        } else {
            let most = (0.64 * free.height()).min(fitted(&grids[*first], free.size()).y + TITLE);
            (free.with_max_y(free.top() + most), free.with_min_y(free.top() + most + SPACE))
        };
        rects[*first] = centered(&grids[*first], main);
        // The column's grids share its height by what each needs of it.
        let need = |index: &usize| fitted(&grids[*index], vec2(column.width(), f32::INFINITY)).y + TITLE;
        let needs: f32 = others.iter().map(need).sum::<f32>() + SPACE * (others.len().max(1) - 1) as f32;
        let scale = (column.height() / needs).min(1.0);
        let mut top = column.top();
        for index in others {
            let height = need(index) * scale;
            rects[*index] =
                centered(&grids[*index], Rect::from_min_size(pos2(column.left(), top), vec2(column.width(), height)));
            top += height + SPACE;
        }
        Self { grids: rects }
    }

    /// Area of a cell.
    pub fn cell(&self, grid: usize, of: &Grid, cell: usize) -> Rect {
        let area = self.grids[grid];
        let size = vec2(area.width() / of.columns as f32, area.height() / of.rows().max(1) as f32);
        let at = vec2((cell % of.columns) as f32, (cell / of.columns) as f32);
        Rect::from_min_size(area.min + at * size, size)
    }

    /// Grid and cell at a point.
    pub fn cell_at(&self, step: &ReplayStep, at: Pos2) -> Option<[usize; 2]> {
        let is_in = |index: &usize| self.grids[*index].contains(at);
        let index = (0..step.grids.len()).find(is_in)?;
        let (area, grid) = (self.grids[index], &step.grids[index]);
        let part = (at - area.min) / area.size();
        let [column, row] = [part.x * grid.columns as f32, part.y * grid.rows() as f32].map(|at| at as usize);
        let cell = row * grid.columns + column;
        (cell < grid.cells.len()).then_some([index, cell])
    }
}

/// Size of a grid's cells within `room`.
fn fitted(grid: &Grid, room: Vec2) -> Vec2 {
    let (columns, rows) = (grid.columns as f32, grid.rows().max(1) as f32);
    let height = (room.x / (columns * grid.aspect)).min(room.y / rows).min(LARGEST / grid.aspect.max(1.0)).max(0.5);
    vec2(columns * grid.aspect * height, rows * height)
}

/// Place of a grid's cells within `room`, its title above them.
fn centered(grid: &Grid, room: Rect) -> Rect {
    let room = room.with_min_y((room.top() + TITLE).min(room.bottom()));
    let size = fitted(grid, room.size());
    Rect::from_min_size(pos2(room.center().x - 0.5 * size.x, room.top()), size)
}

/// Draws a step; `before`: the step that items come from, and the part of their way.
pub fn draw(painter: &Painter, area: Rect, step: &ReplayStep, before: Option<(&ReplayStep, f32)>) -> FigureLayout {
    let layout = FigureLayout::new(area, step);
    let earlier = before.map(|(from, part)| (FigureLayout::new(area, from), from, part));
    let mut origins: BTreeMap<u32, Rect> = BTreeMap::new();
    if let Some((old, from, _)) = &earlier {
        for (index, grid) in from.grids.iter().enumerate() {
            let items = grid.cells.iter().enumerate().filter_map(|(cell, one)| Some((cell, one.item?)));
            origins.extend(items.map(|(cell, item)| (item, old.cell(index, grid, cell))));
        }
    }
    let part = earlier.as_ref().map_or(1.0, |(.., part)| *part);
    let (mut still, mut moving) = (CellMesh::new(painter), CellMesh::new(painter));
    for (index, grid) in step.grids.iter().enumerate() {
        let title = layout.grids[index].left_top() - vec2(0.0, 4.0);
        painter.text(title, Align2::LEFT_BOTTOM, &grid.title, FontId::proportional(11.0), theme::QUIET);
        for (number, cell) in grid.cells.iter().enumerate() {
            let place = layout.cell(index, grid, number);
            let origin = cell.item.and_then(|item| origins.get(&item)).filter(|origin| part < 1.0 && **origin != place);
            match origin {
                Some(origin) => {
                    still.add(place, [0; 3], Role::Empty, "");
                    moving.add(origin.lerp_towards(&place, part), cell.color, cell.role, &cell.text);
                }
                None => still.add(place, cell.color, cell.role, &cell.text),
            }
        }
    }
    painter.add(Shape::mesh(still.mesh));
    for (index, grid) in step.grids.iter().enumerate() {
        outlines(painter, &layout, index, grid, part);
    }
    painter.add(Shape::mesh(moving.mesh));
    for arrow in &step.arrows {
        let middle = |[grid, cell]: [usize; 2]| Some(layout.cell(grid, step.grids.get(grid)?, cell).center());
        if let (Some(from), Some(to)) = (middle(arrow.from), middle(arrow.to)) {
            draw_arrow(painter, [from, to], theme::ACCENT.gamma_multiply(part));
        }
    }
    layout
}

/// Frames of the groups.
fn outlines(painter: &Painter, layout: &FigureLayout, index: usize, grid: &Grid, part: f32) {
    let stroke = Stroke::new(1.0, theme::STRONG.gamma_multiply(0.45 * part));
    for [column, row, columns, rows] in &grid.outlines {
        let first = layout.cell(index, grid, row * grid.columns + column);
        let last = layout.cell(index, grid, (row + rows - 1) * grid.columns + column + columns - 1);
        let place = Rect::from_min_max(first.min, last.max);
        if place.width().min(place.height()) >= MARKED {
            painter.rect_stroke(place, 0.0, stroke, StrokeKind::Middle);
        }
    }
}

fn draw_arrow(painter: &Painter, [from, to]: [Pos2; 2], color: Color32) {
    let along = (to - from).normalized();
    let stroke = Stroke::new(1.3, color);
    painter.line_segment([from, to - 3.0 * along], stroke);
    let wing = |side: f32| to - 6.0 * along + side * 3.0 * along.rot90();
    painter.add(Shape::convex_polygon(vec![to, wing(1.0), wing(-1.0)], color, Stroke::NONE));
}

/// Cells with their values as one mesh: colours are those of the picture, in a light theme too.
struct CellMesh<'a> {
    painter: &'a Painter,
    mesh: Mesh,
    /// One over the size of the font's texture.
    texel: Vec2,
}

impl<'a> CellMesh<'a> {
    fn new(painter: &'a Painter) -> Self {
        let [width, height] = painter.ctx().fonts(|fonts| fonts.font_image_size());
        Self { painter, mesh: Mesh::default(), texel: vec2(1.0 / width as f32, 1.0 / height as f32) }
    }

    fn add(&mut self, place: Rect, [red, green, blue]: [u8; 3], role: Role, text: &str) {
        let size = place.width().min(place.height());
        let gap = if size >= 9.0 {
            0.75
        } else if size >= MARKED {
            0.25
        } else {
            0.0
        };
        let place = place.shrink(gap);
        let color = Color32::from_rgb(red, green, blue);
        let (fill, edge) = match role {
            Role::Empty => (GROUND, None),
            Role::Idle => (color, None),
            Role::Active => (color, Some(theme::STRONG)),
            Role::Faded => (GROUND.lerp_to_gamma(color, FADED), None),
            Role::Wrong => (color, Some(theme::BAD)),
        };
        match edge {
            Some(edge) if size >= MARKED => {
                self.mesh.add_colored_rect(place, edge);
                let width = if role == Role::Wrong { 0.2 * size } else { 0.12 * size };
                self.mesh.add_colored_rect(place.shrink(width.clamp(0.8, 2.5)), fill);
            }
            Some(edge) => self.mesh.add_colored_rect(place, edge),
            None => self.mesh.add_colored_rect(place, fill),
        }
        if !text.is_empty() && size >= 9.0 {
            let bright = 0.299 * f32::from(fill.r()) + 0.587 * f32::from(fill.g()) + 0.114 * f32::from(fill.b());
            let ink = if bright > 120.0 { Color32::BLACK } else { Color32::WHITE };
            self.write(place, text, ink);
        }
    }

    /// A value in the middle of its cell, where it fits.
    fn write(&mut self, place: Rect, text: &str, ink: Color32) {
        let font = FontId::monospace((0.62 * place.height()).clamp(7.0, 12.0));
        let galley = self.painter.layout_no_wrap(text.to_owned(), font, ink);
        if galley.size().x > place.width() + 1.0 {
            return;
        }
        let scale = self.painter.ctx().pixels_per_point();
        let corner = place.center() - 0.5 * galley.size();
        let corner = pos2((corner.x * scale).round() / scale, (corner.y * scale).round() / scale);
        for row in &galley.rows {
            let first = self.mesh.vertices.len() as u32;
            let glyphs = &row.visuals.mesh;
            self.mesh.indices.extend(glyphs.indices.iter().map(|index| first + index));
            let placed = |vertex: &egui::epaint::Vertex| egui::epaint::Vertex {
                pos: corner + row.pos.to_vec2() + vertex.pos.to_vec2(),
                uv: (vertex.uv.to_vec2() * self.texel).to_pos2(),
                color: ink,
            };
            self.mesh.vertices.extend(glyphs.vertices.iter().map(placed));
        }
    }
}
