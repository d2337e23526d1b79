//! Paths with a name: stars, polygons and a heart.

use kurbo::{BezPath, Point};
use std::f64::consts::PI;

/// Part of each side that a rounded corner takes at either end.
const ROUND: f64 = 0.14;
const CORNERS: std::ops::RangeInclusive<usize> = 3..=64;
/// In parts of the tips' radius.
const INNER: f64 = 0.52;

const HEART: &str = "M0 .9 C-.5 .48 -1 .12 -1 -.35 C-1 -.7 -.76 -.92 -.5 -.92 C-.27 -.92 -.1 -.8 0 -.58 \
                     C.1 -.8 .27 -.92 .5 -.92 C.76 -.92 1 -.7 1 -.35 C1 .12 .5 .48 0 .9 Z";

pub fn path(text: &str) -> Option<Result<BezPath, String>> {
    let mut words = text.split_whitespace();
    let name = words.next()?;
    let rest: Vec<&str> = words.collect();
    match name {
        "heart" if rest.is_empty() => Some(BezPath::from_svg(HEART).map_err(|error| error.to_string())),
        "star" => Some(star(&rest)),
        "polygon" => Some(polygon(&rest)),
        _ => None,
    }
}

fn star(rest: &[&str]) -> Result<BezPath, String> {
    let inner = match rest {
        [] | [_] => Some(INNER),
        [_, inner] => inner.parse().ok().filter(|inner| (0.05..=1.0).contains(inner)),
        _ => None,
    };
    let (Some(tips), Some(inner)) = (corners(rest, 5), inner) else {
        return Err("expected star N [INNER]: 3 to 64 tips, and the radius of the inner corners, 0.05 to 1".into());
    };
    Ok(rounded(2 * tips, |corner| if corner % 2 == 0 { 1.0 } else { inner }))
}

fn polygon(rest: &[&str]) -> Result<BezPath, String> {
    let sides = corners(rest, 6).filter(|_| rest.len() < 2).ok_or("expected polygon N: 3 to 64 corners")?;
    Ok(rounded(sides, |_| 1.0))
}

fn corners(rest: &[&str], usual: usize) -> Option<usize> {
    match rest.first() {
        None => Some(usual),
        Some(number) => number.parse().ok().filter(|number| CORNERS.contains(number)),
    }
}

/// The first corner at the top, clockwise.
fn rounded(corners: usize, radius: impl Fn(usize) -> f64) -> BezPath {
    let corner = |at: usize| {
        let angle = 2.0 * PI * at as f64 / corners as f64;
        Point::new(angle.sin(), -angle.cos()).to_vec2() * radius(at % corners)
    };
    let mut path = BezPath::new();
    for at in 0..corners {
        let (before, here, after) = (corner(at + corners - 1), corner(at), corner(at + 1));
        let [from, to] = [before, after].map(|other| here.lerp(other, ROUND).to_point());
        if at == 0 {
            path.move_to(from)
        } else {
            path.line_to(from)
        }
        path.quad_to(here.to_point(), to);
    }
    path.close_path();
    path
}
