//! The visible part of a time axis: zoom and pan.

/// Shortest visible time, microseconds.
const LEAST_US: f64 = 1.0;

/// `None`: all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct AxisView {
    part: Option<[f64; 2]>,
}

impl AxisView {
    /// The visible microseconds of an axis from 0 to `end`.
    pub fn span(&self, end: f64) -> [f64; 2] {
        let end = end.max(LEAST_US);
        let Some([from, to]) = self.part else { return [0.0, end] };
        let length = (to - from).clamp(LEAST_US, end);
        let from = from.clamp(0.0, end - length);
        [from, from + length]
    }

    /// Shows `factor` times as much; the time `at` stays where it is.
    pub fn zoom(&mut self, end: f64, at: f64, factor: f64) {
        let [from, to] = self.span(end);
        let length = ((to - from) * factor).clamp(LEAST_US, end.max(LEAST_US));
        let before = (at - from) / (to - from);
        let from = at - before * length;
        self.part = (length < end).then_some([from, from + length]);
        // Within the axis, also where the ends would be outside.
        self.part = self.part.map(|_| self.span(end));
    }

    pub fn pan(&mut self, end: f64, us: f64) {
        let [from, to] = self.span(end);
        self.part = self.part.map(|_| [from + us, to + us]);
        self.part = self.part.map(|_| self.span(end));
    }

    pub fn reset(&mut self) {
        self.part = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_stays_within_the_axis() {
        let mut view = AxisView::default();
        view.pan(100.0, 50.0);
        assert_eq!(view.span(100.0), [0.0, 100.0], "all of it is visible");
        view.zoom(100.0, 0.0, 0.25);
        assert_eq!(view.span(100.0), [0.0, 25.0]);
        view.pan(100.0, 1e9);
        assert_eq!(view.span(100.0), [75.0, 100.0]);
        assert_eq!(view.span(10.0), [0.0, 10.0], "of a shorter frame");
        view.zoom(100.0, 50.0, 1e-9);
        assert!((view.span(100.0)[1] - view.span(100.0)[0] - LEAST_US).abs() < 1e-9);
        view.zoom(100.0, 50.0, 1e9);
        assert_eq!((view, view.span(0.0)), (AxisView::default(), [0.0, LEAST_US]));
    }
}
