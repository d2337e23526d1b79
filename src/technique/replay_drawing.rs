//! Drawings over a replay's grid.

pub const THIN: f32 = 1.2;
const FRAME: [u8; 3] = [255, 140, 60];

/// Places are columns and rows of the grid, in fractions of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    pub form: Form,
    pub points: Vec<[f32; 2]>,
    pub color: [u8; 3],
    pub opacity: f32,
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Width in points of the screen.
    Line(f32),
    Ring(f32),
    /// A closed convex line, and thinly the area within.
    Area,
    Dashed(f32),
    Arrow(f32),
    /// An area between two lines: points of one and of the other in turn.
    Strip,
    /// Radius in cells.
    Circle(f32),
    /// Radius in points of the screen.
    Dot(f32),
}

impl Drawing {
    pub fn new(form: Form, points: Vec<[f32; 2]>, color: [u8; 3]) -> Self {
        Self { form, points, color, opacity: 1.0, label: String::new() }
    }

    pub fn line(color: [u8; 3], points: impl IntoIterator<Item = [f32; 2]>) -> Self {
        Self::new(Form::Line(THIN), points.into_iter().collect(), color)
    }

    pub fn around(color: [u8; 3], points: impl IntoIterator<Item = [f32; 2]>) -> Self {
        Self::new(Form::Ring(THIN), points.into_iter().collect(), color)
    }

    /// Around what the steps are about.
    pub fn frame([left, top]: [f32; 2], [right, bottom]: [f32; 2]) -> Self {
        let corners = vec![[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
        Self::new(Form::Line(2.0), corners, FRAME)
    }

    pub fn circle(color: [u8; 3], center: [f32; 2], radius: f32) -> Self {
        let point = |at: u16| {
            let (sin, cos) = (f32::from(at) * std::f32::consts::TAU / 64.0).sin_cos();
            [center[0] + radius * cos, center[1] + radius * sin]
        };
        Self::around(color, (0..64).map(point))
    }

    pub fn filled(self) -> Self {
        Self { form: Form::Area, ..self }
    }

    pub fn labeled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    pub fn opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

/// Segments of the lines on which values at the corners of cells, `columns + 1` of them in a row, are zero.
pub fn contour(columns: usize, values: &[f64]) -> Vec<[[f32; 2]; 2]> {
    let width = columns + 1;
    let rows = (values.len() / width).saturating_sub(1);
    let mut segments = Vec::new();
    for cell in 0..columns * rows {
        let [x, y] = [cell % columns, cell / columns];
        let corner = |[dx, dy]: [usize; 2]| values[(y + dy) * width + x + dx];
        // Crossings along the cell's sides, in order around it.
        let sides = [[[0, 0], [1, 0]], [[1, 0], [1, 1]], [[1, 1], [0, 1]], [[0, 1], [0, 0]]];
        let crossing = |[from, to]: [[usize; 2]; 2]| {
            let [a, b] = [corner(from), corner(to)];
            ((a < 0.0) != (b < 0.0)).then(|| {
                let part = (a / (a - b)) as f32;
                [0, 1]
                    .map(|axis| [x, y][axis] as f32 + from[axis] as f32 + part * (to[axis] as f32 - from[axis] as f32))
            })
        };
        let crossings: Vec<[f32; 2]> = sides.into_iter().filter_map(crossing).collect();
        segments.extend(crossings.as_chunks::<2>().0);
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_round_and_closed() {
        let circle = Drawing::circle([1, 2, 3], [4.0, 5.0], 2.0).filled();
        assert!(circle.form == Form::Area && circle.points.len() > 16);
        for [x, y] in circle.points {
            assert!(((x - 4.0).hypot(y - 5.0) - 2.0).abs() < 1e-5);
        }
    }

    #[test]
    fn contours_are_where_values_change_their_sign() {
        let distance = |x: f64, y: f64| (x - 10.0).hypot(y - 8.0) - 5.0;
        let values: Vec<f64> = (0..17).flat_map(|y| (0..21).map(move |x| distance(x.into(), y.into()))).collect();
        let segments = contour(20, &values);
        let length: f32 = segments.iter().map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1])).sum();
        assert!((length - 10.0 * std::f32::consts::PI).abs() < 0.5, "{length}");
        for [x, y] in segments.into_iter().flatten() {
            assert!(distance(x.into(), y.into()).abs() < 0.1, "{x} {y}");
        }
        assert!(contour(20, &vec![1.0; 21 * 17]).is_empty());
        assert!(contour(3, &[]).is_empty());
    }
}
