//! Boundary of filled paths: the union of all, clipped first, as closed curves without crossings, whose distance is
//! that to what is filled.

use glam::Vec2;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::{simplify::SimplifyShape as _, single::SingleFloatOverlay as _};
use kurbo::{BezPath, PathEl, Point, Rect, Shape as _};

pub use i_overlay::core::fill_rule::FillRule as Rule;

type Contour = Vec<[f64; 2]>;

pub struct Filled {
    pub path: BezPath,
    pub rule: Rule,
    pub clips: Vec<usize>,
}

/// Its coarse field has 48 texels a unit.
pub const SIDE: f64 = 2.0;
/// Largest distance from its curve: 0.02 px of a lens 4000 px long.
const CHORD: f64 = 1e-5;
const MOST: usize = 16384;
/// Pairs whose boxes touch: more take seconds.
const MOST_PAIRS: usize = 200_000;

/// The longer side is scaled to [`SIDE`]; control points are the middle. A clip may refer to clips before it.
pub fn boundary(filled: &[Filled], clips: &[Vec<Filled>]) -> Result<Vec<[Vec2; 3]>, String> {
    let mut reaches: Vec<Option<Rect>> = vec![];
    for clip in clips {
        let reach = clip.iter().filter_map(|one| reach(one, &reaches)).reduce(|all, one| all.union(one));
        reaches.push(reach);
    }
    let filled: Vec<&Filled> = filled.iter().filter(|one| reach(one, &reaches).is_some()).collect();
    let clips: Vec<Vec<&Filled>> = clips.iter().map(|clip| clip.iter().collect()).collect();
    let unit = Unit::of(&filled, &clips, &reaches)?;
    let chords_of = |list: &Vec<&Filled>| list.iter().map(|one| flattened(&unit.placed(&one.path))).collect();
    let chords: Vec<Vec<Contour>> = chords_of(&filled);
    let chords_of_clips: Vec<Vec<Vec<Contour>>> = clips.iter().map(chords_of).collect();
    check(chords_of_clips.iter().flatten().chain(&chords).flatten())?;
    let mut areas: Vec<Vec<Contour>> = vec![];
    for (clip, chords) in clips.iter().zip(&chords_of_clips) {
        areas.push(together(clip, chords, &areas));
    }
    let mut all = together(&filled, &chords, &areas);
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

fn together(filled: &[&Filled], chords: &[Vec<Contour>], clips: &[Vec<Contour>]) -> Vec<Contour> {
    // Each winds 1 inside and 0 outside.
    let mut all: Vec<Contour> = vec![];
    for (one, contours) in filled.iter().zip(chords) {
        let mut shapes = contours.simplify_shape(one.rule);
        for clip in one.clips.iter().filter_map(|clip| clips.get(*clip)) {
            shapes = shapes.overlay(clip, OverlayRule::Intersect, Rule::NonZero);
        }
        all.extend(shapes.into_iter().flatten());
    }
    if filled.len() > 1 {
        all = all.simplify_shape(Rule::NonZero).into_iter().flatten().collect();
    }
    all
}

fn reach(one: &Filled, clips: &[Option<Rect>]) -> Option<Rect> {
    let whole = (!one.path.elements().is_empty()).then(|| one.path.bounding_box())?;
    one.clips.iter().try_fold(whole, |rest, clip| {
        let rest = rest.intersect((*clips.get(*clip)?)?);
        (rest.width() > 0.0 && rest.height() > 0.0).then_some(rest)
    })
}

const NOTHING: &str =
    "it fills nothing, or nothing that its clips and its view box leave; expected a path with an area";

fn centered(all: &mut [Contour]) {
    let points = || all.iter().flatten();
    let low = points().fold([f64::MAX; 2], |low, p| [low[0].min(p[0]), low[1].min(p[1])]);
    let high = points().fold([f64::MIN; 2], |high, p| [high[0].max(p[0]), high[1].max(p[1])]);
    let scale = SIDE / (high[0] - low[0]).max(high[1] - low[1]);
    for point in all.iter_mut().flatten() {
        *point = [0, 1].map(|axis| (point[axis] - 0.5 * (low[axis] + high[axis])) * scale);
    }
}

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

fn flattened(path: &BezPath) -> Vec<Contour> {
    let mut contours: Vec<Contour> = Vec::new();
    let mut was_closed = false;
    kurbo::flatten(path, CHORD, |element| {
        match element {
            PathEl::MoveTo(p) => contours.push(vec![[p.x, p.y]]),
            PathEl::LineTo(p) if p.is_finite() => {
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

struct Unit {
    center: Point,
    scale: f64,
}

impl Unit {
    fn of(filled: &[&Filled], clips: &[Vec<&Filled>], reaches: &[Option<Rect>]) -> Result<Self, String> {
        let boxes = filled.iter().filter_map(|one| reach(one, reaches));
        let all = boxes.reduce(|all, one| all.union(one)).ok_or(NOTHING)?;
        let side = all.width().max(all.height());
        if side == 0.0 {
            return Err(NOTHING.into());
        }
        let mut paths = filled.iter().chain(clips.iter().flatten()).map(|one| &one.path);
        let is_finite = paths.all(|path| path.elements().iter().all(PathEl::is_finite));
        if !is_finite || !(1e-150..1e150).contains(&side) {
            return Err("its coordinates are too large or too small; expected a path with an area".into());
        }
        Ok(Self { center: all.center(), scale: SIDE / side })
    }

    fn placed(&self, path: &BezPath) -> BezPath {
        // A small path far from the origin keeps its digits.
        let placed = |p: Point| ((p - self.center) * self.scale).to_point();
        path.iter().map(|element| mapped(element, placed)).collect()
    }
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
