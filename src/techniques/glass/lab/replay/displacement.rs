//! The step of the system's glass in place of rays: how far the picture is displaced, by the distance to the edge.

use super::region::{NORMAL_LINE, OUTLINE, PIXEL};
use crate::lab::reference::Glass;
use crate::lab::reference::outline::Edge;
use technique::{Cell, Drawing, Form, Grid, ReplayStep};

const PLOT: [usize; 2] = [48, 26];
const POINTS: u32 = 240;

pub(super) fn displacement(glass: &Glass, e: &Edge) -> ReplayStep {
    let [columns, rows] = PLOT;
    let wide = 1.5 * e.bevel.max(-e.d / 1.4);
    let shown = |z: f64| glass.optics.sight(-z, e.bevel, e.n.length()).offset;
    let most = shown(0.0).max(1.0);
    let place = |z: f64, way: f64| {
        [(z / wide * columns as f64) as f32, ((1.0 - 0.9 * way / most) * (rows as f64 - 1.0)) as f32]
    };
    let mut plot = Grid::new(
        format!("Displacement (up to {most:.1} px) by the distance to the edge (0 to {wide:.1} px)"),
        columns,
        vec![Cell::default(); columns * rows],
    );
    let curve = (0..=POINTS).map(|i| wide * f64::from(i) / f64::from(POINTS)).map(|z| place(z, shown(z))).collect();
    plot.drawings.push(Drawing::new(Form::Line(2.0), curve, OUTLINE));
    let face = vec![place(e.bevel, 0.0), place(e.bevel, most)];
    plot.drawings.push(Drawing::new(Form::Dashed(1.2), face, NORMAL_LINE).labeled("face"));
    let (inside, way) = ((-e.d).max(0.0), shown(-e.d));
    plot.drawings.push(Drawing::new(Form::Dot(3.5), vec![place(inside, way)], PIXEL).labeled("pixel"));
    let sentence = if way == 0.0 {
        "The pixel is on the flat face, which shows what is straight below it.".to_owned()
    } else {
        format!(
            "The pixel is {inside:.1} px inside the edge and shows the picture {way:.1} px further in: a quarter circle's way down from the face, as was measured of the system's glass."
        )
    };
    let figures = vec![("distance inside, px", format!("{inside:.2}")), ("displacement, px", format!("{way:.2}"))];
    ReplayStep::new("Displace", sentence, vec![plot]).figures(figures)
}
