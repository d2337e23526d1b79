//! Smooth lines and dots as meshes.

use egui::{Color32, Mesh, Pos2, Vec2};

/// Half the width of the edge's transition, points.
const SOFT: f32 = 0.5;
const CORNERS: u32 = 12;

pub fn line(mesh: &mut Mesh, [from, to]: [Pos2; 2], width: f32, color: Color32) {
    let along = (to - from).normalized();
    if along == Vec2::ZERO {
        return;
    }
    let across = along.rot90();
    let first = mesh.vertices.len() as u32;
    let half = width / 2.0;
    let sides = [(-half - SOFT, Color32::TRANSPARENT), (-half + SOFT, color), (half - SOFT, color)];
    for (side, color) in sides.into_iter().chain([(half + SOFT, Color32::TRANSPARENT)]) {
        mesh.colored_vertex(from + across * side, color);
        mesh.colored_vertex(to + across * side, color);
    }
    for quad in [0, 2, 4].map(|at| first + at) {
        mesh.add_triangle(quad, quad + 1, quad + 2);
        mesh.add_triangle(quad + 1, quad + 2, quad + 3);
    }
}

pub fn dot(mesh: &mut Mesh, middle: Pos2, radius: f32, color: Color32) {
    let first = mesh.vertices.len() as u32;
    mesh.colored_vertex(middle, color);
    for corner in 0..CORNERS {
        let direction = Vec2::angled(corner as f32 / CORNERS as f32 * std::f32::consts::TAU);
        mesh.colored_vertex(middle + direction * (radius - SOFT), color);
        mesh.colored_vertex(middle + direction * (radius + SOFT), Color32::TRANSPARENT);
    }
    for corner in 0..CORNERS {
        let [here, next] = [corner, (corner + 1) % CORNERS].map(|corner| first + 1 + 2 * corner);
        mesh.add_triangle(first, here, next);
        mesh.add_triangle(here, here + 1, next);
        mesh.add_triangle(here + 1, next, next + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn marks_have_their_size() {
        let mut mesh = Mesh::default();
        line(&mut mesh, [pos2(10.0, 20.0), pos2(30.0, 20.0)], 2.0, Color32::RED);
        assert_eq!(mesh.calc_bounds(), egui::Rect::from_min_max(pos2(10.0, 18.5), pos2(30.0, 21.5)));
        line(&mut mesh, [pos2(10.0, 20.0); 2], 2.0, Color32::RED);
        assert_eq!((mesh.vertices.len(), mesh.triangles().count()), (8, 6), "nothing of no length");
        let mut mesh = Mesh::default();
        dot(&mut mesh, pos2(50.0, 60.0), 3.0, Color32::RED);
        let size = mesh.calc_bounds().size();
        assert!((size - vec2(7.0, 7.0)).abs().max_elem() < 1e-4 && mesh.is_valid(), "{size}");
    }
}
