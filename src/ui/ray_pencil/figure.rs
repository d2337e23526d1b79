//! The glass in the cut, to scale: surface, normal, rays, thickness, displacement.

use super::labels::{COLORS, Labels, font};
use crate::techniques::glass::CrossSection;
use crate::ui::theme;
use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use glam::DVec2;

/// Height of what is below the picture's line: displacement, and lines to the taps.
pub(super) const BELOW: f32 = 32.0;
/// Points beside the edge for thickness and gap.
const GUTTER: f32 = 58.0;
/// Points at the other side.
const MARGIN: f32 = 10.0;
/// Most points of a pixel.
const LARGEST: f32 = 6.0;
/// Lengths of the normal over and below the surface, and the radius of its angle, points.
const NORMAL: [f32; 2] = [42.0, 26.0];
const ARC: f32 = 24.0;

/// Top and lower face. Meshes keep their colour in the light theme, so it suits both.
const GLASS: [Color32; 2] = [
    Color32::from_rgba_unmultiplied_const(120, 196, 255, 84),
    Color32::from_rgba_unmultiplied_const(120, 196, 255, 34),
];
/// Footprint of a pixel.
const BAND: Color32 = Color32::from_rgba_unmultiplied_const(158, 166, 182, 70);

pub(super) struct Figure<'a> {
    section: &'a CrossSection,
    plot: Rect,
    /// Points of a pixel.
    scale: f32,
    /// x in the cut at the outer side of the plot.
    first: f64,
    /// The outer side is at the right.
    mirrored: bool,
}

pub(super) fn moved(section: &CrossSection) -> String {
    let way = section.displacement.length();
    if way < 0.05 { "not displaced".into() } else { format!("displaced {way:.1} px") }
}

impl<'a> Figure<'a> {
    /// Everything of the pixel, and its edge if that is near, in `plot`; its top `sky` points are left free.
    pub fn new(section: &'a CrossSection, plot: Rect, sky: f32) -> Self {
        let [mut low, mut high] = section.extent();
        let (bevel, shift, room) = (section.bevel, section.shift(), high - low);
        if shift.abs() < 2.0 * (room + bevel) {
            (low, high) = (low.min(low + shift), high.max(high + shift));
        }
        let own = section.bodies.iter().find(|body| {
            let [Some(first), Some(last)] = [body.surface.first(), body.surface.last()] else { return false };
            (first.x..=last.x).contains(&section.point.place.x)
        });
        let end = |at: usize| {
            let body = own.filter(|body| body.ends_at_edge[at])?;
            let place = if at == 0 { body.surface.first() } else { body.surface.last() };
            place.map(|place| place.x)
        };
        let outer = end(0).filter(|edge| low - edge < 2.5 * bevel);
        let from = outer.map_or(low - 0.8 * bevel, |edge| edge.min(low));
        let to = (high + 0.15 * bevel).max(from + 1.2 * bevel);
        let inner = f64::from(plot.width() - GUTTER - MARGIN);
        let height = f64::from(plot.height() - sky);
        let scale = (inner / (to - from)).min(height / section.top().max(1e-6)).min(f64::from(LARGEST));
        // Free room at the inner side shows more of the glass; otherwise both sides share it.
        let last = match (outer, end(1)) {
            (Some(_), Some(edge)) => edge.max(to),
            (Some(_), None) => f64::MAX,
            (None, _) => to,
        };
        let free = (inner / scale - (last - from)).max(0.0);
        let first = from - 0.5 * free - f64::from(GUTTER) / scale;
        let along = section.along;
        let mirrored = if along.x.abs() >= 0.5 * along.y.abs() { along.x < 0.0 } else { along.y < 0.0 };
        Self { section, plot, scale: scale as f32, first, mirrored }
    }

    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// y of the picture on the screen.
    pub fn ground(&self) -> f32 {
        self.plot.bottom()
    }

    /// x on the screen of an x in the cut.
    pub fn across(&self, x: f64) -> f32 {
        let way = (x - self.first) as f32 * self.scale;
        if self.mirrored { self.plot.right() - way } else { self.plot.left() + way }
    }

    fn at(&self, place: DVec2) -> Pos2 {
        pos2(self.across(place.x), self.ground() - place.y as f32 * self.scale)
    }

    fn ahead(&self, way: DVec2) -> Vec2 {
        vec2(if self.mirrored { -way.x } else { way.x } as f32, -way.y as f32)
    }

    pub fn draw(&self, labels: &mut Labels<'_>, painter: &Painter) {
        let clipped = painter.with_clip_rect(self.plot.expand2(vec2(0.0, 2.0)));
        self.glass(&clipped);
        clipped.hline(self.plot.x_range(), self.ground(), Stroke::new(1.5, theme::QUIET));
        self.measures(labels, &clipped);
        self.rays(&clipped);
        self.angle(labels, &clipped);
        self.displacement(labels, painter);
    }

    fn glass(&self, painter: &Painter) {
        let gap = self.section.gap;
        for body in &self.section.bodies {
            let surface: Vec<Pos2> = body.surface.iter().map(|place| self.at(*place)).collect();
            let lower = |place: &DVec2| self.at(DVec2::new(place.x, gap));
            let mut mesh = Mesh::default();
            for (index, (place, top)) in (0_u32..).zip(body.surface.iter().zip(&surface)) {
                mesh.colored_vertex(*top, GLASS[0]);
                mesh.colored_vertex(lower(place), GLASS[1]);
                if index > 0 {
                    mesh.add_triangle(2 * index - 2, 2 * index - 1, 2 * index);
                    mesh.add_triangle(2 * index - 1, 2 * index, 2 * index + 1);
                }
            }
            painter.add(mesh);
            if let [Some(first), Some(last)] = [body.surface.first(), body.surface.last()].map(|end| end.map(lower)) {
                painter.line_segment([first, last], Stroke::new(1.0, theme::QUIET));
            }
            painter.add(Shape::line(surface, Stroke::new(1.6, theme::STRONG)));
        }
    }

    fn rays(&self, painter: &Painter) {
        let section = self.section;
        let place = self.at(section.point.place);
        // The unbent ray.
        let foot = pos2(place.x, self.ground());
        let faint = Stroke::new(1.0, theme::QUIET.gamma_multiply(0.7));
        painter.extend(Shape::dotted_line(&[place, foot], faint.color, 5.0, 0.8));
        let [outer, inner] = section.footprint.sides.map(|side| side.map(|place| self.at(place)));
        let mut mesh = Mesh::default();
        for corner in [outer[0], inner[0], outer[1], inner[1]] {
            mesh.colored_vertex(corner, BAND);
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(1, 2, 3);
        painter.add(mesh);
        let top = pos2(place.x, self.plot.top() + 2.0);
        painter.line_segment([top, place], Stroke::new(1.4, theme::STRONG));
        self.head(painter, top.lerp(place, 0.5), vec2(0.0, 1.0), theme::STRONG);
        if section.point.incidence > 0.005 {
            let normal = self.ahead(section.point.normal);
            let ends = [place + NORMAL[0] * normal, place - NORMAL[1] * normal];
            painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, theme::TEXT), 4.0, 3.0));
        }
        for (ray, color) in section.rays.iter().zip(COLORS) {
            let landing = self.at(DVec2::new(ray.landing, 0.0));
            painter.line_segment([self.at(ray.from), landing], Stroke::new(1.4, color));
            painter.circle_filled(landing, 2.2, color);
        }
        painter.circle_filled(place, 2.6, theme::STRONG);
        let shift = section.shift();
        if shift.abs() > 0.5 {
            // A magnifying face reads the picture elsewhere than where the ray lands.
            let [from, to] = [0.0, shift].map(|by| self.at(DVec2::new(section.footprint.center + by, 0.0)));
            painter.extend(Shape::dashed_line(&[from, to], Stroke::new(2.5, theme::WARN), 4.0, 3.0));
            painter.circle_filled(to, 2.6, theme::WARN);
        }
    }

    fn head(&self, painter: &Painter, tip: Pos2, ahead: Vec2, color: Color32) {
        let back = tip - 6.0 * ahead;
        let corners = vec![tip, back + 3.0 * ahead.rot90(), back - 3.0 * ahead.rot90()];
        painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
    }

    /// Thickness at the pixel, and the gap below the glass.
    fn measures(&self, labels: &mut Labels<'_>, painter: &Painter) {
        let (section, side) = (self.section, if self.mirrored { -1.0 } else { 1.0 });
        let line = if self.mirrored { self.plot.right() - 6.0 } else { self.plot.left() + 6.0 };
        let height = |z: f64| self.at(DVec2::new(0.0, z)).y;
        let (surface, face, ground) = (height(section.point.place.y), height(section.gap), self.ground());
        let faint = theme::QUIET.gamma_multiply(0.6);
        let place = self.at(section.point.place);
        painter.extend(Shape::dotted_line(&[pos2(line, surface), place], faint, 4.0, 0.7));
        painter.extend(Shape::dotted_line(&[pos2(line, face), pos2(line + side * GUTTER, face)], faint, 4.0, 0.7));
        let mut below = ground - 1.0;
        let parts = [("gap", section.gap, [face, ground]), ("glass", section.point.thickness, [surface, face])];
        for (name, length, [top, bottom]) in parts {
            let stroke = Stroke::new(1.0, theme::QUIET);
            painter.line_segment([pos2(line, top), pos2(line, bottom)], stroke);
            for y in [top, bottom] {
                painter.line_segment([pos2(line - 3.0, y), pos2(line + 3.0, y)], stroke);
            }
            let text = format!("{name}\n{length:.1} px");
            let size = labels.measure(&text);
            let bottom = (0.5 * (top + bottom + size.y)).min(below);
            let align = if self.mirrored { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
            labels.write(&text, theme::TEXT, &[(pos2(line + 6.0 * side, bottom), align)]);
            below = bottom - size.y - 1.0;
        }
    }

    /// Between view ray and normal.
    fn angle(&self, labels: &mut Labels<'_>, painter: &Painter) {
        let (point, place) = (&self.section.point, self.at(self.section.point.place));
        let normal = self.ahead(point.normal);
        if point.incidence > 0.005 {
            let turn = |part: f64| {
                let angle = point.incidence * part;
                place + ARC * self.ahead(DVec2::new(-angle.sin(), angle.cos()))
            };
            let arc = (0..=12).map(|step| turn(f64::from(step) / 12.0)).collect();
            painter.add(Shape::line(arc, Stroke::new(1.0, theme::TEXT)));
        }
        let text = format!("{:.1}\u{b0}", point.incidence.to_degrees());
        let [outer, inner] = if self.mirrored { [1.0, -1.0] } else { [-1.0, 1.0] };
        let tip = place + (NORMAL[0] + 3.0) * normal;
        let aligned = |side: f32, y: f32| match (side < 0.0, y < 0.0) {
            (true, true) => Align2::RIGHT_BOTTOM,
            (true, false) => Align2::RIGHT_CENTER,
            (false, true) => Align2::LEFT_BOTTOM,
            (false, false) => Align2::LEFT_CENTER,
        };
        let beside = |side: f32, up: f32| (pos2(place.x + 6.0 * side, place.y - up), aligned(side, 0.0));
        let places = [
            (tip, aligned(outer, 0.0)),
            (tip + vec2(4.0 * inner, 0.0), aligned(inner, -1.0)),
            beside(inner, ARC + 8.0),
            beside(inner, ARC + 22.0),
            beside(outer, ARC + 30.0),
            (pos2(place.x + 6.0 * inner, self.plot.top() + 10.0), aligned(inner, 0.0)),
            (pos2(place.x + 6.0 * outer, self.plot.top() + 10.0), aligned(outer, 0.0)),
        ];
        labels.write(&text, theme::TEXT, &places);
    }

    /// From the pixel to what it shows, below the picture's line.
    fn displacement(&self, labels: &mut Labels<'_>, painter: &Painter) {
        let section = self.section;
        let y = self.ground() + 12.0;
        let ends = [0.0, section.footprint.center + section.shift()].map(|x| {
            let x = self.across(x);
            x.clamp(self.plot.left() + 1.0, self.plot.right() - 1.0)
        });
        let text = moved(section);
        let [left, right] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let width = painter.layout_no_wrap(text.clone(), font(), theme::TEXT).size().x;
        let middle = 0.5 * (left + right);
        let is_long = right - left > width + 36.0;
        let places = if is_long {
            vec![(pos2(middle, y), Align2::CENTER_CENTER)]
        } else {
            vec![(pos2(right + 7.0, y), Align2::LEFT_CENTER), (pos2(left - 7.0, y), Align2::RIGHT_CENTER)]
        };
        labels.write(&text, theme::TEXT, &places);
        let stroke = Stroke::new(1.0, theme::TEXT);
        painter.line_segment([pos2(ends[0], y - 5.0), pos2(ends[0], y + 5.0)], stroke);
        if right - left < 1.0 {
            return;
        }
        let ahead = vec2((ends[1] - ends[0]).signum(), 0.0);
        let tip = pos2(ends[1], y);
        if is_long {
            let [before, after] = [middle - 0.5 * width - 4.0, middle + 0.5 * width + 4.0];
            painter.hline(left..=before, y, stroke);
            painter.hline(after..=right, y, stroke);
        } else {
            painter.hline(left..=right, y, stroke);
        }
        if right - left > 7.0 {
            self.head(painter, tip, ahead, theme::TEXT);
        } else {
            painter.line_segment([pos2(ends[1], y - 3.0), pos2(ends[1], y + 3.0)], stroke);
        }
    }
}
