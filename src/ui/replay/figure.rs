//! Figure of a step: its grids, with items on their way from the step before.

use super::drawing;
use crate::theme;
use egui::epaint::{CubicBezierShape, Mesh, Shape};
use egui::text::LayoutJob;
use egui::{Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};
use std::collections::BTreeMap;
use technique::{Arrow, Cell, Grid, ReplayStep, Role};

/// Height of a grid's title, and room between grids.
const TITLE: f32 = 17.0;
const TITLE_LINE: f32 = 13.0;
const TITLE_LINES: usize = 4;
const SPACE: f32 = 14.0;
/// About the width of a letter of a title.
const LETTER: f32 = 5.4;
/// Largest cell, and the height of a line of text, which cells of a table have.
const LARGEST: f32 = 64.0;
const LINE: f32 = 22.0;
/// More grids than this have rooms of one size.
const MATRIX: usize = 4;
/// Cells have marks, and gaps between them, from this size on.
const MARKED: f32 = 3.5;
const SPACED: f32 = 9.0;
/// Font size of the smallest values.
const SMALLEST: f32 = 7.0;
/// Height of the arcs of arrows over a row.
const ARC: f32 = 16.0;
/// Saturation kept by cells without a part in a step.
const FADED: f32 = 0.28;
/// Between cells, and of empty ones.
const GROUND: Color32 = Color32::from_rgb(18, 20, 26);
const EMPTY: Color32 = Color32::from_rgb(36, 40, 50);

/// Wide or not, and its number among those.
fn place_of(step: &ReplayStep, index: usize) -> [usize; 2] {
    let is_wide = step.grids[index].is_wide;
    [usize::from(is_wide), step.grids[..index].iter().filter(|grid| grid.is_wide == is_wide).count()]
}

/// What grids of several steps need of their room.
struct Slot<'a> {
    /// The one with the greatest height for its width.
    grid: &'a Grid,
    letters: usize,
    /// Room for arcs.
    lift: f32,
}

impl Slot<'_> {
    /// A title takes as many lines as it needs in that width.
    fn above(&self, width: f32) -> f32 {
        let lines = (LETTER * self.letters as f32 / width.max(1.0)).ceil().clamp(1.0, TITLE_LINES as f32);
        TITLE + (lines - 1.0) * TITLE_LINE + self.lift
    }

    fn shape(&self) -> (usize, usize, u32) {
        (self.grid.columns, self.grid.rows(), self.grid.aspect.to_bits())
    }
}

impl<'a> Slot<'a> {
    fn join(&mut self, other: &Slot<'a>) {
        let height = |grid: &Grid| grid.rows() as f32 / (grid.columns as f32 * grid.aspect);
        if height(other.grid) > height(self.grid) {
            self.grid = other.grid;
        }
        (self.letters, self.lift) = (self.letters.max(other.letters), self.lift.max(other.lift));
    }
}

pub struct FigureLayout {
    pub grids: Vec<Rect>,
    /// Points of a pixel.
    pixel: f32,
}

impl FigureLayout {
    /// Cells have whole pixels, of `pixel` points. Wide grids follow below the others. Consecutive steps with a first grid of the same
    /// columns share the rooms of their grids, so that nothing jumps between them.
    pub fn new(area: Rect, steps: &[ReplayStep], number: usize, pixel: f32) -> Self {
        let first = |step: &ReplayStep| step.grids.first().map(|grid| (grid.columns, grid.aspect.to_bits()));
        let Some(step) = steps.get(number) else { return Self { grids: Vec::new(), pixel } };
        let mut slots: BTreeMap<[usize; 2], Slot<'_>> = BTreeMap::new();
        let is_alike = |other: &ReplayStep| first(other) == first(step);
        let begin = steps[..number].iter().rposition(|other| !is_alike(other)).map_or(0, |at| at + 1);
        for other in steps[begin..].iter().take_while(|other| is_alike(other)) {
            for (index, grid) in other.grids.iter().enumerate() {
                let slot = Slot { grid, letters: grid.title.chars().count(), lift: lift(other, index) };
                slots.entry(place_of(other, index)).and_modify(|known| known.join(&slot)).or_insert(slot);
            }
        }
        let rooms = Self::rooms(area, &slots, pixel);
        let placed = |index: usize| {
            let place = place_of(step, index);
            Some(centered(&step.grids[index], slots.get(&place)?, *rooms.get(&place)?, pixel))
        };
        Self { grids: (0..step.grids.len()).map(|index| placed(index).unwrap_or(Rect::NOTHING)).collect(), pixel }
    }

    fn rooms(area: Rect, slots: &BTreeMap<[usize; 2], Slot<'_>>, pixel: f32) -> BTreeMap<[usize; 2], Rect> {
        let (wide, rest): (Vec<_>, Vec<_>) = slots.iter().partition(|([is_wide, _], _)| *is_wide == 1);
        let (mut rooms, mut free) = (BTreeMap::new(), area);
        for (place, slot) in &wide {
            let height = fitted(slot.grid, vec2(area.width(), 0.4 * area.height()), pixel).y;
            let (rest, below) = free.split_top_bottom_at_y(free.bottom() - height - slot.above(area.width()));
            rooms.insert(**place, below);
            free = rest.with_max_y(rest.bottom() - SPACE);
        }
        let slots_of_rest: Vec<&Slot<'_>> = rest.iter().map(|(_, slot)| *slot).collect();
        let spread = spread(free, &slots_of_rest, pixel);
        let bottom = |(room, slot): (&Rect, &&Slot<'_>)| centered(slot.grid, slot, *room, pixel).bottom();
        let low = spread.iter().zip(&slots_of_rest).map(bottom).fold(f32::NEG_INFINITY, f32::max);
        let gap = rooms.values().map(Rect::top).fold(f32::INFINITY, f32::min) - low - SPACE;
        if gap > 0.0 && gap.is_finite() {
            rooms.values_mut().for_each(|room| *room = room.translate(vec2(0.0, -(gap / pixel).floor() * pixel)));
        }
        rooms.extend(rest.iter().map(|(place, _)| **place).zip(spread));
        rooms
    }

    pub fn cell(&self, grid: usize, of: &Grid, cell: usize) -> Rect {
        let area = self.grids[grid];
        let size = vec2(area.width() / of.columns as f32, area.height() / of.rows().max(1) as f32);
        let at = vec2((cell % of.columns) as f32, (cell / of.columns) as f32);
        Rect::from_min_size(area.min + at * size, size)
    }

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

/// Rooms next to each other.
fn spread(free: Rect, slots: &[&Slot<'_>], pixel: f32) -> Vec<Rect> {
    let fit = |slot: &Slot<'_>, room: Vec2| fitted(slot.grid, room, pixel);
    let Some((first, others)) = slots.split_first() else { return Vec::new() };
    if slots.len() > MATRIX {
        return matrix(free, slots.len(), |room| room.min_elem());
    }
    if !others.is_empty() && others.iter().all(|slot| slot.shape() == first.shape()) {
        return matrix(free, slots.len(), |room| fit(first, (room - vec2(0.0, first.above(room.x))).max(Vec2::ZERO)).x);
    }
    let (main, column) = if others.is_empty() {
        (free, Rect::NOTHING)
    } else if free.width() > 1.2 * free.height() {
        let title = LETTER * first.letters as f32;
        let most = (0.6 * free.width()).min(fit(first, free.size() - vec2(0.0, TITLE)).x.max(title));
        (free.with_max_x(free.left() + most), free.with_min_x(free.left() + most + 2.0 * SPACE))
    } else {
        let most = (0.66 * free.height()).min(fit(first, free.size()).y + TITLE);
        (free.with_max_y(free.top() + most), free.with_min_y(free.top() + most + SPACE))
    };
    // The column's grids share its height by what each needs of it.
    let need = |slot: &Slot<'_>| fit(slot, vec2(column.width(), f32::INFINITY)).y + slot.above(column.width());
    let needs: f32 = others.iter().map(|slot| need(slot)).sum();
    let gaps = SPACE * (others.len().max(1) - 1) as f32;
    let scale = ((column.height() - gaps) / needs).clamp(0.0, 1.0);
    let mut top = column.top();
    let below = others.iter().map(|slot| {
        let room = Rect::from_min_size(pos2(column.left(), top), vec2(column.width(), need(slot) * scale));
        top = room.bottom() + SPACE;
        room
    });
    std::iter::once(main).chain(below).collect()
}

/// At the top of its room, below its title, which begins at its left: the smaller the grid, the less room it has.
fn centered(grid: &Grid, slot: &Slot<'_>, room: Rect, pixel: f32) -> Rect {
    let below = |width: f32| {
        let room = room.with_min_y((room.top() + slot.above(width)).min(room.bottom()));
        let size = fitted(grid, room.size(), pixel);
        let corner = pos2(room.center().x - 0.5 * size.x, room.top());
        Rect::from_min_size((corner / pixel).round() * pixel, size)
    };
    below((0..3).fold(room.width(), |width, _| room.right() - below(width).left()))
}

/// Rooms for `count` grids of one shape: as many in a row as makes them largest.
fn matrix(area: Rect, count: usize, width: impl Fn(Vec2) -> f32) -> Vec<Rect> {
    let room = |across: usize| {
        let down = count.div_ceil(across);
        let gaps = vec2(2.0 * SPACE * (across - 1) as f32, SPACE * (down - 1) as f32);
        ((area.size() - gaps) / vec2(across as f32, down as f32)).max(Vec2::ZERO)
    };
    // Among equals the one with the fewest empty rooms.
    let empty = |across: usize| across * count.div_ceil(across) - count;
    let largest = |a: &usize, b: &usize| width(room(*a)).total_cmp(&width(room(*b))).then(empty(*b).cmp(&empty(*a)));
    let across = (1..=count).max_by(largest).unwrap_or(1);
    let (size, step) = (room(across), room(across) + vec2(2.0 * SPACE, SPACE));
    let place = |at: usize| area.min + vec2((at % across) as f32, (at / across) as f32) * step;
    (0..count).map(|at| Rect::from_min_size(place(at), size)).collect()
}

/// Height of the arcs over a grid, for arrows from cell to cell of one row.
fn lift(step: &ReplayStep, index: usize) -> f32 {
    let row = |cell: usize| cell / step.grids[index].columns;
    let is_arc =
        |arrow: &Arrow| arrow.from[0] == index && arrow.to[0] == index && row(arrow.from[1]) == row(arrow.to[1]);
    if step.arrows.iter().any(is_arc) { ARC } else { 0.0 }
}

fn fitted(grid: &Grid, room: Vec2, pixel: f32) -> Vec2 {
    let (columns, rows) = (grid.columns as f32, grid.rows().max(1) as f32);
    let height =
        (room.x / (columns * grid.aspect)).min(room.y / rows).min((LARGEST / grid.aspect.max(1.0)).max(LINE)).max(0.5);
    // Whole pixels, where that does not make it much smaller.
    let whole = |size: f32| if size >= 3.0 * pixel { (size / pixel + 1e-3).floor() * pixel } else { size };
    vec2(columns * whole(grid.aspect * height), rows * whole(height))
}

/// `before`: the step that items come from, and the progress.
pub fn draw(
    painter: &Painter,
    area: Rect,
    (steps, number): (&[ReplayStep], usize),
    before: Option<(usize, f32)>,
) -> FigureLayout {
    let pixel = 1.0 / painter.ctx().pixels_per_point();
    let layout = FigureLayout::new(area, steps, number, pixel);
    let Some(step) = steps.get(number) else { return layout };
    let mut origins: BTreeMap<u32, Rect> = BTreeMap::new();
    if let Some((number, from)) = before.and_then(|(number, _)| Some((number, steps.get(number)?))) {
        let old = FigureLayout::new(area, steps, number, pixel);
        for (index, grid) in from.grids.iter().enumerate() {
            let items = grid.cells.iter().enumerate().filter_map(|(cell, one)| Some((cell, one.item?)));
            origins.extend(items.map(|(cell, item)| (item, old.cell(index, grid, cell))));
        }
    }
    let part = before.map_or(1.0, |(_, part)| part);
    let (mut still, mut moving) = (CellMesh::new(painter), CellMesh::new(painter));
    for (index, grid) in step.grids.iter().enumerate() {
        let title = layout.grids[index].left_top() - vec2(0.0, 4.0 + lift(step, index));
        let is_beside = |other: &&Rect| {
            let top = other.top() - TITLE_LINES as f32 * TITLE_LINE;
            other.left() > title.x && (top..other.bottom()).contains(&title.y)
        };
        let right =
            layout.grids.iter().filter(is_beside).fold(area.right(), |right, other| right.min(other.left() - 6.0));
        let (font, width) = (theme::font(theme::SMALL), (right - title.x).max(1.0));
        let mut job = LayoutJob::simple(grid.title.clone(), font, theme::QUIET, width);
        job.wrap.max_rows = TITLE_LINES;
        let text = painter.layout_job(job);
        painter.galley(title - vec2(0.0, text.size().y), text, theme::QUIET);
        still.mesh.add_colored_rect(layout.grids[index], GROUND);
        let cell = layout.cell(index, grid, 0).size();
        [&mut still, &mut moving].into_iter().for_each(|mesh| mesh.choose_values(grid, cell));
        for (number, cell) in grid.cells.iter().enumerate() {
            let place = layout.cell(index, grid, number);
            let origin = cell.item.and_then(|item| origins.get(&item)).filter(|origin| **origin != place);
            match origin {
                Some(origin) => moving.add(origin.lerp_towards(&place, part), cell),
                None => still.add(place, cell),
            }
        }
        still.outlines(&layout, index, grid, part);
    }
    painter.add(Shape::mesh(still.mesh));
    painter.add(Shape::mesh(moving.mesh));
    for (index, grid) in step.grids.iter().enumerate().filter(|(_, grid)| !grid.drawings.is_empty()) {
        drawing::draw(painter, layout.grids[index], layout.cell(index, grid, 0).size(), &grid.drawings, part);
    }
    let color = theme::ACCENT.gamma_multiply(part);
    for arrow in &step.arrows {
        let place = |[grid, cell]: [usize; 2]| Some(layout.cell(grid, step.grids.get(grid)?, cell));
        if let (Some(from), Some(to)) = (place(arrow.from), place(arrow.to)) {
            draw_arrow(painter, [from, to], arrow.from[0] == arrow.to[0], color);
        }
    }
    layout
}

/// An arc over cells of one row, else a line between middles.
fn draw_arrow(painter: &Painter, [from, to]: [Rect; 2], is_within: bool, color: Color32) {
    let stroke = Stroke::new(1.2, color);
    let (tip, along) = if is_within && from.top() == to.top() {
        let (start, end) = (from.center_top(), to.center_top());
        let lift = vec2(0.0, ARC.min(4.0 + 0.2 * (end - start).length()) * 1.3);
        let points = [start, start - lift, end - lift, end];
        let curve = CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke);
        painter.add(curve);
        (end, vec2(0.0, 1.0))
    } else {
        // Within a grid from edge to edge, so that values stay legible.
        let (start, end) = match (is_within, from.top() < to.top()) {
            (true, true) => (from.center_bottom(), to.center_top()),
            (true, false) => (from.center_top(), to.center_bottom()),
            (false, _) => (from.center(), to.center()),
        };
        painter.line_segment([start, end], stroke);
        (end, (end - start).normalized())
    };
    let wing = |side: f32| tip - 5.0 * along + side * 2.6 * along.rot90();
    painter.add(Shape::convex_polygon(vec![tip, wing(1.0), wing(-1.0)], color, Stroke::NONE));
}

/// One mesh: it keeps the picture's colours in a light theme.
struct CellMesh<'a> {
    painter: &'a Painter,
    mesh: Mesh,
    /// One over the size of the font's texture.
    texel: Vec2,
    /// Height of the values, and whether those of marked cells and those of other cells all fit.
    font: f32,
    fits: [bool; 2],
}

impl<'a> CellMesh<'a> {
    fn new(painter: &'a Painter) -> Self {
        let [width, height] = painter.ctx().fonts(|fonts| fonts.font_image_size());
        Self {
            painter,
            mesh: Mesh::default(),
            texel: vec2(1.0 / width as f32, 1.0 / height as f32),
            font: SMALLEST,
            fits: [false; 2],
        }
    }

    /// All values of a grid are written, or none: some alone would mislead. They are as large as the longest allows,
    /// within the frames of marked cells.
    fn choose_values(&mut self, grid: &Grid, size: Vec2) {
        let is_marked = |cell: &&Cell| matches!(cell.role, Role::Active | Role::Wrong);
        let longest = |marked: bool| {
            let cells = grid.cells.iter().filter(|cell| is_marked(cell) == marked);
            cells.map(|cell| cell.text.chars().count()).max().unwrap_or_default()
        };
        let letter = |font: f32| self.painter.layout_no_wrap("0".into(), FontId::monospace(font), theme::TEXT).size().x;
        let room = |marked: bool| size.x - if marked { 4.0 + 0.24 * size.min_elem().min(12.0) } else { 3.0 };
        let fits =
            |marked, font: f32| size.min_elem() >= SPACED && longest(marked) as f32 * letter(font) <= room(marked);
        let largest = (0.62 * size.y).clamp(SMALLEST, 12.0);
        let all = [true, false].into_iter().filter(|marked| fits(*marked, SMALLEST));
        let both: Vec<bool> = all.collect();
        let sizes = (0..).map(|step| largest - 0.5 * step as f32).take_while(|font| *font > SMALLEST);
        self.font = sizes.into_iter().find(|font| both.iter().all(|marked| fits(*marked, *font))).unwrap_or(SMALLEST);
        self.fits = [true, false].map(|marked| both.contains(&marked));
    }

    fn add(&mut self, place: Rect, cell: &Cell) {
        let size = place.width().min(place.height());
        // A gap of a pixel, at the right and at the bottom.
        let pixel = 1.0 / self.painter.ctx().pixels_per_point();
        let place = if size >= SPACED { Rect::from_min_max(place.min, place.max - Vec2::splat(pixel)) } else { place };
        let color = theme::rgb(cell.color);
        let (fill, edge) = match cell.role {
            Role::Empty => (EMPTY, None),
            Role::Idle => (color, None),
            Role::Active => (color, Some(theme::STRONG)),
            Role::Faded => (GROUND.lerp_to_gamma(color, FADED), None),
            Role::Wrong => (color, Some(theme::BAD)),
        };
        match edge {
            Some(edge) if size >= MARKED => {
                self.mesh.add_colored_rect(place, edge);
                let width = if cell.role == Role::Wrong { 0.2 * size } else { 0.12 * size };
                let inner = place.shrink((width.clamp(0.8, 2.5) / pixel).round() * pixel);
                // A dark line inside: the frame shows around bright cells, too.
                let line = if size >= SPACED { pixel } else { 0.0 };
                self.mesh.add_colored_rect(inner, GROUND);
                self.mesh.add_colored_rect(inner.shrink(line), fill);
            }
            Some(edge) => self.mesh.add_colored_rect(place, edge),
            None => self.mesh.add_colored_rect(place, fill),
        }
        if !cell.text.is_empty() && self.fits[usize::from(edge.is_none())] {
            let bright = 0.299 * f32::from(fill.r()) + 0.587 * f32::from(fill.g()) + 0.114 * f32::from(fill.b());
            let ink = if bright > 120.0 { Color32::BLACK } else { Color32::WHITE };
            self.write(place, &cell.text, ink);
        }
    }

    /// Frames of the groups: bright over cells with gaps, else dark.
    fn outlines(&mut self, layout: &FigureLayout, index: usize, grid: &Grid, part: f32) {
        let pixel = layout.pixel;
        for [column, row, columns, rows] in &grid.outlines {
            let first = layout.cell(index, grid, row * grid.columns + column);
            let last = layout.cell(index, grid, (row + rows - 1) * grid.columns + column + columns - 1);
            let is_spaced = first.width().min(first.height()) >= SPACED;
            let color =
                if is_spaced { theme::STRONG.gamma_multiply(0.7 * part) } else { GROUND.gamma_multiply(0.85 * part) };
            let Rect { min, max } = Rect::from_min_max(first.min, last.max - Vec2::splat(pixel));
            if (max - min).min_elem() < MARKED {
                continue;
            }
            // Neighbours share the line between them.
            let [right, bottom] = [max.x + pixel, max.y + pixel];
            for (from, to) in [
                (min - vec2(pixel, pixel), pos2(right, min.y)),
                (pos2(min.x - pixel, max.y), pos2(right, bottom)),
                (pos2(min.x - pixel, min.y), pos2(min.x, max.y)),
                (pos2(max.x, min.y), pos2(right, max.y)),
            ] {
                self.mesh.add_colored_rect(Rect::from_min_max(from, to), color);
            }
        }
    }

    fn write(&mut self, place: Rect, text: &str, ink: Color32) {
        let galley = self.painter.layout_no_wrap(text.to_owned(), FontId::monospace(self.font), ink);
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
