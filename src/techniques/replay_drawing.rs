//! Drawings over the cells of a replay's grid: outlines, rays, footprints.

/// Width of a thin line in points of the screen.
pub const THIN: f32 = 1.2;

/// A drawing over a grid; places are columns and rows of it, in fractions of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What the points are.
    pub form: Form,
    /// Its points.
    pub points: Vec<[f32; 2]>,
    /// sRGB.
    pub color: [u8; 3],
    /// Opacity, 0 to 1.
    pub opacity: f32,
    /// Text beside its last point.
    pub label: String,
}

/// What the points of a drawing are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A line through them, of a width in points of the screen.
    Line(f32),
    /// The same, and from the last one back to the first.
    Ring(f32),
    /// A ring, and thinly the area within; only of a convex one.
    Area,
    /// The same, dashed.
    Dashed(f32),
    /// The same, with a head at the last one.
    Arrow(f32),
    /// An area between two lines: points of one and of the other in turn.
    Strip,
    /// A circle around each, of a radius in cells.
    Circle(f32),
    /// A dot on each, of a radius in points of the screen.
    Dot(f32),
}

impl Drawing {
    /// Without a label.
    #[must_use]
    pub fn new(form: Form, points: Vec<[f32; 2]>, color: [u8; 3]) -> Self {
        Self { form, points, color, opacity: 1.0, label: String::new() }
    }

    /// A thin line.
    #[must_use]
    pub fn line(color: [u8; 3], points: impl IntoIterator<Item = [f32; 2]>) -> Self {
        Self::new(Form::Line(THIN), points.into_iter().collect(), color)
    }

    /// A thin line around an area.
    #[must_use]
    pub fn around(color: [u8; 3], points: impl IntoIterator<Item = [f32; 2]>) -> Self {
        Self::new(Form::Ring(THIN), points.into_iter().collect(), color)
    }

    /// A circle in cells, an ellipse on the screen if they are not square.
    #[must_use]
    pub fn circle(color: [u8; 3], center: [f32; 2], radius: f32) -> Self {
        let point = |at: u16| {
            let (sin, cos) = (f32::from(at) * std::f32::consts::TAU / 64.0).sin_cos();
            [center[0] + radius * cos, center[1] + radius * sin]
        };
        Self::around(color, (0..64).map(point))
    }

    /// The same with its area.
    #[must_use]
    pub fn filled(self) -> Self {
        Self { form: Form::Area, ..self }
    }

    /// The same with text beside its last point.
    #[must_use]
    pub fn labeled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The same less opaque.
    #[must_use]
    pub fn opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

/// Segments of the lines on which values at the corners of cells, `columns + 1` of them in a row, are zero.
#[must_use]
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
