//! Boundary of filled paths, as closed curves without crossings.
//!
//! The distance to a path is not the distance to what it fills: strokes that cross, shapes that overlap and turns of the same direction have
//! edges inside. The union of all paths has none, so that the field of its outline is the signed distance of the filled region.

use glam::Vec2;
use i_overlay::float::simplify::SimplifyShape as _;
use kurbo::{BezPath, PathEl, Point, Shape as _};

/// How a path is filled.
pub use i_overlay::core::fill_rule::FillRule as Rule;

/// A closed polygon.
type Contour = Vec<[f64; 2]>;

/// A path, and how it is filled. Open parts are closed.
pub struct Filled {
    /// Its curves.
    pub path: BezPath,
    /// Its fill rule.
    pub rule: Rule,
}

/// Longer side of the box around the outline. The coarse field of an outline has 48 texels a unit.
pub const SIDE: f64 = 2.0;
/// Distance of a chord from its curve, at most: 0.02 pixels of a lens 4000 pixels long, whose field has a texel for half a pixel. Chords of a circle as large
/// as the lens turn by 0.7 degrees.
const CHORD: f64 = 1e-5;
/// Most chords of all paths, and of their outline.
const MOST: usize = 16384;
/// Most pairs of chords whose boxes touch: what crosses more often takes seconds.
const MOST_PAIRS: usize = 200_000;

/// Edges around what these paths fill together, scaled so that the longer side of their box is [`SIDE`], around the origin. As curves whose control
/// point is the middle.
///
/// # Errors
/// Nothing is filled, there are too many curves, or a coordinate is no finite number.
pub fn boundary(filled: &[Filled]) -> Result<Vec<[Vec2; 3]>, String> {
    let placed = unit(filled)?;
    let chords: Vec<(Vec<Contour>, Rule)> = placed.iter().map(|one| (flattened(&one.path), one.rule)).collect();
    check(chords.iter().flat_map(|(contours, _)| contours))?;
    // Each with winding 1 inside and 0 outside: what they fill together is where the sum is not 0.
    let simple = |(contours, rule): &(Vec<Contour>, Rule)| contours.simplify_shape(*rule);
    let mut all: Vec<Contour> = chords.iter().flat_map(simple).flatten().collect();
    if chords.len() > 1 {
        all = all.simplify_shape(Rule::NonZero).into_iter().flatten().collect();
    }
    centered(&mut all);
    let mut edges = Vec::new();
    for contour in &all {
        let corner = |at: usize| contour[at % contour.len()].map(|part| part as f32);
        for at in 0..contour.len() {
            let [a, b] = [corner(at), corner(at + 1)].map(Vec2::from_array);
            if a != b {
                edges.push([a, 0.5 * (a + b), b]);
            }
        }
    }
    match edges.len() {
        0 => Err(NOTHING.into()),
        many if many > MOST => Err(format!("its outline has {many} edges; expected at most {MOST}")),
        _ => Ok(edges),
    }
}

const NOTHING: &str = "it fills nothing; expected a path with an area";

/// Moves the outline's box to the origin and gives it its size: control points and strokes may have reached beyond it.
fn centered(all: &mut [Contour]) {
    let points = || all.iter().flatten();
    let low = points().fold([f64::MAX; 2], |low, p| [low[0].min(p[0]), low[1].min(p[1])]);
    let high = points().fold([f64::MIN; 2], |high, p| [high[0].max(p[0]), high[1].max(p[1])]);
    let scale = SIDE / (high[0] - low[0]).max(high[1] - low[1]);
    for point in all.iter_mut().flatten() {
        *point = [0, 1].map(|axis| (point[axis] - 0.5 * (low[axis] + high[axis])) * scale);
    }
}

/// Refuses what would take seconds.
fn check<'a>(contours: impl Iterator<Item = &'a Contour> + Clone) -> Result<(), String> {
    let count: usize = contours.clone().map(Vec::len).sum();
    if count > MOST {
        return Err(format!("its curves have {count} chords; expected at most {MOST}"));
    }
    let chords = contours.flat_map(|contour| contour.iter().zip(contour.iter().cycle().skip(1)));
    let mut boxes: Vec<[f64; 4]> =
        chords.map(|([ax, ay], [bx, by])| [ax.min(*bx), ax.max(*bx), ay.min(*by), ay.max(*by)]).collect();
    boxes.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut pairs = 0;
    for (at, one) in boxes.iter().enumerate() {
        let near = boxes[at + 1..].iter().take_while(|other| other[0] <= one[1]);
        pairs += near.filter(|other| other[2] <= one[3] && one[2] <= other[3]).count();
        if pairs > MOST_PAIRS {
            return Err(format!("more than {MOST_PAIRS} pairs of its curves may cross; expected a simpler path"));
        }
    }
    Ok(())
}

/// The parts as polygons, which are closed.
fn flattened(path: &BezPath) -> Vec<Contour> {
    let mut contours: Vec<Contour> = Vec::new();
    let mut was_closed = false;
    kurbo::flatten(path, CHORD, |element| {
        match element {
            PathEl::MoveTo(p) => contours.push(vec![[p.x, p.y]]),
            // Of a curve whose points are one, the chords between its ends are no numbers.
            PathEl::LineTo(p) if p.is_finite() => {
                // After a closed part the next one begins where that did.
                if was_closed && let Some(&first) = contours.last().and_then(|last| last.first()) {
                    contours.push(vec![first]);
                }
                contours.last_mut().into_iter().for_each(|contour| contour.push([p.x, p.y]));
            }
            _ => {}
        }
        was_closed = element == PathEl::ClosePath;
    });
    contours.retain(|contour| contour.len() > 2);
    contours
}

/// The paths in the box of [`SIDE`].
fn unit(filled: &[Filled]) -> Result<Vec<Filled>, String> {
    let boxes = filled.iter().filter(|one| !one.path.elements().is_empty()).map(|one| one.path.bounding_box());
    let Some(all) = boxes.reduce(|all, one| all.union(one)) else {
        return Err(NOTHING.into());
    };
    let side = all.width().max(all.height());
    let is_finite = |path: &BezPath| path.elements().iter().all(PathEl::is_finite);
    if side == 0.0 {
        return Err(NOTHING.into());
    }
    if !filled.iter().all(|one| is_finite(&one.path)) || !(1e-150..1e150).contains(&side) {
        return Err("its coordinates are too large or too small; expected a path with an area".into());
    }
    let scale = SIDE / side;
    // Moved before it is scaled: a small path far from the origin keeps its digits.
    let placed = |p: Point| ((p - all.center()) * scale).to_point();
    let map = |path: &BezPath| path.iter().map(|element| mapped(element, placed)).collect();
    Ok(filled.iter().map(|one| Filled { path: map(&one.path), rule: one.rule }).collect())
}

fn mapped(element: PathEl, placed: impl Fn(Point) -> Point) -> PathEl {
    match element {
        PathEl::MoveTo(a) => PathEl::MoveTo(placed(a)),
        PathEl::LineTo(a) => PathEl::LineTo(placed(a)),
        PathEl::QuadTo(a, b) => PathEl::QuadTo(placed(a), placed(b)),
        PathEl::CurveTo(a, b, c) => PathEl::CurveTo(placed(a), placed(b), placed(c)),
        PathEl::ClosePath => PathEl::ClosePath,
    }
}
