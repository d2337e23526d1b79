//! Damage rectangles of the panels (pixels: left, top, right, bottom; right and bottom excluded), and the meshes that
//! repaint them.
use egui::{
    ClippedPrimitive, Mesh, Rect,
    epaint::{Primitive, Vertex},
    pos2,
};

/// Disjoint; empty if both look the same, `None` if their meshes do not correspond. Triangles are painted in order, so
/// only those between the common head and tail of the lists matter.
pub(super) fn changed(old: &[ClippedPrimitive], new: &[ClippedPrimitive], scale: f32) -> Option<Vec<[i32; 4]>> {
    if old.len() != new.len() {
        return None;
    }
    let mut parts = Vec::new();
    for (old, new) in old.iter().zip(new) {
        let (Primitive::Mesh(before), Primitive::Mesh(now)) = (&old.primitive, &new.primitive) else { return None };
        if old.clip_rect != new.clip_rect || before.texture_id != now.texture_id {
            return None;
        }
        if before != now {
            parts.extend(pixels(difference(before, now).intersect(new.clip_rect), scale));
        }
    }
    Some(apart(parts))
}

pub(super) fn covered(panels: &[ClippedPrimitive], scale: f32) -> Vec<[i32; 4]> {
    let bounds = |panel: &ClippedPrimitive| match &panel.primitive {
        Primitive::Mesh(mesh) => pixels(mesh.calc_bounds().intersect(panel.clip_rect), scale),
        Primitive::Callback(_) => None,
    };
    apart(panels.iter().filter_map(bounds).collect())
}

pub(super) fn area(parts: &[[i32; 4]]) -> i64 {
    let of = |part: &[i32; 4]| i64::from(part[2] - part[0]) * i64::from(part[3] - part[1]);
    parts.iter().map(of).sum()
}

pub(super) fn within(panels: &[ClippedPrimitive], parts: &[[i32; 4]], scale: f32) -> Vec<ClippedPrimitive> {
    let one = |part: [i32; 4], panel: &ClippedPrimitive| {
        let Primitive::Mesh(mesh) = &panel.primitive else { return None };
        let clip = cut(scissor(panel.clip_rect, scale), part)?;
        // Slightly more than whole pixels, which the renderer rounds down.
        let point = |x: i32, y: i32, more: f32| pos2((x as f32 + more) / scale, (y as f32 + more) / scale);
        let clip_rect = Rect::from_min_max(point(clip[0], clip[1], 0.25), point(clip[2], clip[3], 0.5));
        let meets = |triangle: &[Vertex; 3]| pixels(bounds(triangle), scale).is_some_and(|at| cut(at, clip).is_some());
        let mut kept = Mesh::with_texture(mesh.texture_id);
        for triangle in triangles(mesh).filter(meets) {
            let first = kept.vertices.len() as u32;
            kept.indices.extend(first..first + 3);
            kept.vertices.extend(triangle);
        }
        (!kept.is_empty()).then_some(ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(kept) })
    };
    parts.iter().flat_map(|part| panels.iter().filter_map(move |panel| one(*part, panel))).collect()
}

fn scissor(clip: Rect, scale: f32) -> [i32; 4] {
    let [min, max] = [clip.min * scale, clip.max * scale];
    let [left, top] = [(min.x as i32).max(0), (min.y as i32).max(0)];
    let size = [max.x - min.x, max.y - min.y].map(|size| size.clamp(0.0, 65536.0) as i32);
    [left, top, left.saturating_add(size[0]), top.saturating_add(size[1])]
}

fn triangles(mesh: &Mesh) -> impl DoubleEndedIterator<Item = [Vertex; 3]> + ExactSizeIterator {
    let vertex = |index: u32| mesh.vertices.get(index as usize).copied().unwrap_or_default();
    mesh.indices.as_chunks::<3>().0.iter().map(move |indices| indices.map(vertex))
}

fn difference(old: &Mesh, new: &Mesh) -> Rect {
    let begin = triangles(old).zip(triangles(new)).take_while(|(old, new)| old == new).count();
    let rest = triangles(old).len().min(triangles(new).len()) - begin;
    let end = triangles(old).rev().zip(triangles(new).rev()).take(rest).take_while(|(old, new)| old == new).count();
    let middle = |mesh| {
        let count = triangles(mesh).len() - begin - end;
        triangles(mesh).skip(begin).take(count).fold(Rect::NOTHING, |all, one| all | bounds(&one))
    };
    middle(old) | middle(new)
}

fn bounds(triangle: &[Vertex; 3]) -> Rect {
    triangle.iter().fold(Rect::NOTHING, |all, vertex| all | Rect::from_min_max(vertex.pos, vertex.pos))
}

fn pixels(points: Rect, scale: f32) -> Option<[i32; 4]> {
    let px = |points: f32, out: f32| (points * scale + out) as i32;
    let out = |at: Rect| [px(at.min.x, -1.0), px(at.min.y, -1.0), px(at.max.x, 2.0), px(at.max.y, 2.0)];
    (points.max.x >= points.min.x && points.max.y >= points.min.y)
        .then(|| out(points))
        .and_then(|all| cut(all, [0, 0, 65536, 65536]))
}

fn cut(a: [i32; 4], b: [i32; 4]) -> Option<[i32; 4]> {
    let both = [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])];
    (both[0] < both[2] && both[1] < both[3]).then_some(both)
}

fn apart(parts: Vec<[i32; 4]>) -> Vec<[i32; 4]> {
    let mut all: Vec<[i32; 4]> = Vec::new();
    for mut part in parts {
        while let Some(at) = all.iter().position(|other| cut(*other, part).is_some()) {
            let other = all.swap_remove(at);
            let [left, top] = [part[0].min(other[0]), part[1].min(other[1])];
            part = [left, top, part[2].max(other[2]), part[3].max(other[3])];
        }
        all.push(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, vec2};

    fn panel(lefts: &[f32]) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        for left in lefts {
            mesh.add_colored_rect(Rect::from_min_size(pos2(*left, 3.0), vec2(10.0, 5.0)), Color32::WHITE);
        }
        let clip_rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }
    }

    #[test]
    fn covered_contains_all_shapes_once() {
        assert!(covered(&[], 1.0).is_empty());
        let all = [panel(&[4.0]), panel(&[95.0]), panel(&[90.0]), panel(&[20.0])];
        assert_eq!(covered(&all, 2.0), [[7, 5, 30, 18], [179, 5, 202, 18], [39, 5, 62, 18]]);
        assert_eq!(area(&covered(&all, 2.0)), 3 * 23 * 13);
    }

    #[test]
    fn changed_contains_added_and_removed_shapes() {
        let (old, new) = ([panel(&[4.0, 30.0, 60.0])], [panel(&[4.0, 45.0, 60.0])]);
        assert_eq!(changed(&old, &old, 1.0), Some(vec![]));
        assert_eq!(changed(&old, &new, 1.0), Some(vec![[29, 2, 57, 10]]));
        assert_eq!(changed(&old, &[panel(&[4.0, 60.0])], 1.0), Some(vec![[29, 2, 42, 10]]));
        assert_eq!(changed(&[panel(&[4.0, 4.0])], &[panel(&[4.0])], 1.0), Some(vec![[3, 2, 16, 10]]));
        assert_eq!(changed(&old, &[], 1.0), None);
    }

    #[test]
    fn within_paints_only_there() {
        let all = [panel(&[4.0, 30.0, 60.0]), panel(&[80.0])];
        let parts = within(&all, &[[29, 2, 57, 10]], 1.0);
        let [ClippedPrimitive { clip_rect, primitive: Primitive::Mesh(mesh) }] = &parts[..] else {
            panic!("{parts:?}")
        };
        assert_eq!(scissor(*clip_rect, 1.0), [29, 2, 57, 10]);
        assert_eq!(mesh.calc_bounds().min.x, 30.0);
        assert_eq!(mesh.calc_bounds().max.x, 40.0);
        for scale in [0.75, 1.0, 1.1, 1.25, 1.5, 2.7] {
            for left in 0..40 {
                let parts = within(&all, &[[left, left + 1, left + 70, 50]], scale);
                assert!(parts.iter().all(|part| scissor(part.clip_rect, scale)[..2] == [left, left + 1]));
            }
        }
    }
}
