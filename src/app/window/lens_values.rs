//! Numbers of the lenses for assistive technology, in points of the settings and degrees, and their changes.

use super::document::{DocumentState, Edit};
use base::settings::Settings as _;
use egui::{Rect, pos2, vec2};
use glam::Vec2;
use glass::{GlassSettings, Mode};
use scene::Lens;
use ui::lens_nodes::{LensNode, LensNumber};
use ui::manipulator::LensPart;

/// `area`: pixels, and pixels a point. The reference glass has a fixed size.
pub fn nodes(state: &DocumentState, area: (Vec2, f32), pixels_per_point: f32) -> Vec<LensNode> {
    let is_reference = state.settings.glass.mode == Mode::Source;
    let parts = if is_reference { &LensPart::ALL[..2] } else { &LensPart::ALL[..] };
    let node = |(index, lens): (usize, &Lens)| LensNode {
        index,
        is_selected: index == state.selected,
        rect: around(lens, area.1, pixels_per_point),
        numbers: parts.iter().map(|part| number(*part, lens, area.0, area.1)).collect(),
    };
    let lenses = state.lenses.iter().enumerate();
    lenses.filter(|(index, _)| !is_reference || *index == state.selected).map(node).collect()
}

fn around(lens: &Lens, scale: f32, pixels_per_point: f32) -> Rect {
    let ((sine, cosine), half) = (lens.angle().sin_cos(), lens.half(scale));
    let turned = Vec2::new(cosine, sine).abs() * half.x + Vec2::new(sine, cosine).abs() * half.y;
    let [center, half] = [lens.center, turned].map(|at| at / pixels_per_point);
    Rect::from_center_size(pos2(center.x, center.y), 2.0 * vec2(half.x, half.y))
}

fn number(part: LensPart, lens: &Lens, area_px: Vec2, scale: f32) -> LensNumber {
    let area = area_px / scale;
    let whole = |name| GlassSettings::range(name).map_or([0.0, f32::MAX], |range| range.map(|half| 2.0 * half));
    let (value, range) = match part {
        LensPart::X => (lens.center.x / scale, [0.0, area.x]),
        LensPart::Y => (lens.center.y / scale, [0.0, area.y]),
        LensPart::Width => (2.0 * lens.outline.half_width, whole("half_width")),
        LensPart::Height => (2.0 * lens.outline.half_height, whole("half_height")),
        LensPart::Angle => (lens.outline.angle, [-180.0, 180.0]),
    };
    LensNumber { part, value, range }
}

pub fn placed(lens: &Lens, part: LensPart, to: f32, scale: f32) -> Lens {
    let mut lens = *lens;
    match part {
        LensPart::X => lens.center.x = to * scale,
        LensPart::Y => lens.center.y = to * scale,
        LensPart::Width => lens.outline.half_width = 0.5 * to,
        LensPart::Height => lens.outline.half_height = 0.5 * to,
        LensPart::Angle => lens.outline.angle = to,
    }
    lens
}

pub fn edit(part: LensPart, index: usize) -> Edit {
    match part {
        LensPart::X | LensPart::Y => Edit::Move(index),
        LensPart::Width | LensPart::Height => Edit::Resize(index),
        LensPart::Angle => Edit::Turn(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> (DocumentState, (Vec2, f32)) {
        let lens = |x, angle| {
            Lens { center: Vec2::new(x, 200.0), ..Lens::default() }.sized(Vec2::new(50.0, 20.0)).turned(angle)
        };
        let lenses = vec![lens(300.0, 0.0), lens(700.0, 90.0)];
        (DocumentState { lenses, selected: 1, ..DocumentState::default() }, (Vec2::new(1600.0, 900.0), 2.0))
    }

    #[test]
    fn numbers_are_points_and_degrees_and_come_back() {
        let (state, area) = state();
        let nodes = nodes(&state, area, 4.0);
        let values: Vec<f32> = nodes[1].numbers.iter().map(|number| number.value.round()).collect();
        assert_eq!((values, nodes[1].is_selected), (vec![350.0, 100.0, 100.0, 40.0, 90.0], true));
        assert_eq!(nodes[0].numbers[0].range, [0.0, 800.0]);
        assert_eq!(nodes[0].numbers[2].range, [16.0, 4000.0], "a width is twice the half axis of the settings");
        let size = |index: usize| nodes[index].rect.size().round();
        assert_eq!([size(0), size(1)], [vec2(50.0, 20.0), vec2(20.0, 50.0)]);
        for number in &nodes[1].numbers {
            let lens = &state.lenses[1];
            assert_eq!(placed(lens, number.part, number.value, 2.0).outline, lens.outline, "{number:?}");
            let moved = placed(lens, number.part, number.value + 5.0, 2.0);
            let now = super::number(number.part, &moved, area.0, area.1).value;
            assert!((now - number.value - 5.0).abs() < 1e-3, "{number:?} {now}");
        }
    }

    #[test]
    fn the_reference_glass_is_one_lens_without_a_shape() {
        let (mut state, area) = state();
        state.settings.glass.mode = Mode::Source;
        let nodes = nodes(&state, area, 2.0);
        let [node] = &nodes[..] else { panic!("{nodes:?}") };
        let parts: Vec<LensPart> = node.numbers.iter().map(|number| number.part).collect();
        assert_eq!((node.index, parts), (1, vec![LensPart::X, LensPart::Y]));
    }
}
