//! Tiles of the glass: 16 by 16 pixels, sorted by the distance to the outline and joined along rows. Software drivers
//! run both sides of a branch, GPUs do where neighbours differ: face, bevel, edge and shadow have separate shaders.

use super::shape::{Lenses, edge};
use crate::gpu_consts;
use glam::{UVec2, Vec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Flat, without light of the rim: one sample.
    Face,
    /// Fully covered.
    Bevel,
    Edge,
    Shadow,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Face, Part::Bevel, Part::Edge, Part::Shadow];
}

gpu_consts! { "glass/lens.comp":
    /// Pixels.
    pub const TILE: u32 = 16;
}

/// Left, top, right, bottom (excluded), sorted by part and disjoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans {
    pub list: Vec<[u32; 4]>,
    /// And the end.
    pub begin: [u32; 5],
}

impl Spans {
    pub fn whole(size: UVec2) -> Spans {
        Spans { list: vec![[0, 0, size.x, size.y]], begin: [0, 0, 0, 1, 1] }
    }

    pub fn of(&self, part: Part) -> (u32, u32) {
        let at = part as usize;
        (self.begin[at], self.begin[at + 1] - self.begin[at])
    }

    pub fn pixels(&self, part: Part) -> u64 {
        let (first, count) = self.of(part);
        let some = &self.list[first as usize..(first + count) as usize];
        some.iter().map(|s| u64::from(s[2] - s[0]) * u64::from(s[3] - s[1])).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outskirts {
    /// Pixels to the dropped outline; 0: no shadow.
    pub shadow_reach: f32,
    /// Pixels downwards.
    pub shadow_drop: f32,
    pub rim_reach: f32,
}

/// And more, because the distance is exact to the first order only.
const HALF_DIAGONAL: f32 = 13.0;
const BETWEEN_PROBES: f32 = 5.7;
/// Contour and antialiasing, pixels.
const EDGE_REACH: f32 = 1.5;

pub fn spans(lenses: &Lenses, around: &Outskirts, size: UVec2) -> Spans {
    let mut rows: [Vec<[u32; 4]>; 4] = Default::default();
    let Some((low, high)) = bounds(lenses, around, size) else { return Spans::default() };
    let (low, high) = (low / TILE, high.map(|n| n.div_ceil(TILE)));
    for y in low.y..high.y {
        let mut last = None;
        for x in low.x..high.x {
            let part = tile_part(lenses, around, UVec2::new(x, y) * TILE);
            let (left, top) = (x * TILE, y * TILE);
            let (right, bottom) = ((left + TILE).min(size.x), (top + TILE).min(size.y));
            if let Some(part) = part {
                let row = &mut rows[part as usize];
                match row.last_mut() {
                    Some(span) if last == Some(part) => span[2] = right,
                    _ => row.push([left, top, right, bottom]),
                }
            }
            last = part;
        }
    }
    let mut spans = Spans::default();
    for (at, row) in rows.into_iter().enumerate() {
        spans.list.extend(row);
        spans.begin[at + 1] = spans.list.len() as u32;
    }
    spans
}

pub fn bounds(lenses: &Lenses, around: &Outskirts, size: UVec2) -> Option<(UVec2, UVec2)> {
    let mut low = Vec2::MAX;
    let mut high = Vec2::MIN;
    for lens in lenses.used() {
        let reach = lens.reach() + lenses.melt * 0.25 + EDGE_REACH;
        let spread = Vec2::splat(around.shadow_reach);
        let down = Vec2::new(0.0, around.shadow_drop);
        low = low.min(lens.center - reach).min(lens.center - reach - spread + down);
        high = high.max(lens.center + reach).max(lens.center + reach + spread + down);
    }
    let low = low.max(Vec2::ZERO).floor().as_uvec2();
    let high = high.clamp(Vec2::ZERO, size.as_vec2()).ceil().as_uvec2();
    (low.cmplt(high).all()).then_some((low, high))
}

fn tile_part(lenses: &Lenses, around: &Outskirts, corner: UVec2) -> Option<Part> {
    let middle = corner.as_vec2() + TILE as f32 * 0.5;
    let at_middle = edge(lenses, middle);
    if at_middle.d > HALF_DIAGONAL + EDGE_REACH {
        let dropped = edge(lenses, middle - Vec2::new(0.0, around.shadow_drop)).d;
        return (around.shadow_reach > 0.0 && dropped < around.shadow_reach + HALF_DIAGONAL).then_some(Part::Shadow);
    }
    if at_middle.d > -8.0 {
        return Some(Part::Edge);
    }
    // Where the outline bends inside, pixels at the rim of the tile decide.
    let last = TILE as f32 - 0.5;
    let has_letters = lenses.used().iter().any(|lens| lens.letters.is_some());
    let slack = if has_letters { BETWEEN_PROBES } else { 0.0 };
    let rim = [0.5, TILE as f32 * 0.5, last];
    let (mut face, mut covered) = (at_middle.d + slack <= -at_middle.bevel.max(around.rim_reach), true);
    for y in rim {
        for x in rim {
            let e = edge(lenses, corner.as_vec2() + Vec2::new(x, y));
            face &= e.d + slack <= -e.bevel.max(around.rim_reach);
            covered &= e.d + slack <= -0.6;
        }
    }
    Some(if face {
        Part::Face
    } else if covered {
        Part::Bevel
    } else {
        Part::Edge
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::glass::lab::text_outline_check::words;
    use crate::techniques::glass::lens::outline::outline_of;
    use crate::techniques::glass::lens::shape::Lens;
    use crate::techniques::glass::text::letters::Letters;

    const AROUND: Outskirts = Outskirts { shadow_reach: 52.0, shadow_drop: 14.0, rim_reach: 7.5 };
    const SIZE: UVec2 = UVec2::new(640, 400);

    fn fine(lens: Lens) -> Lens {
        Lens { letters: lens.letters.as_ref().map(Letters::refined), bevel: lens.widest_bevel(), ..lens }
    }

    fn scenes() -> Vec<Lenses> {
        let at = |x: f32, y: f32, a: f32, b: f32, n: f32| Lens::upright(Vec2::new(x, y), Vec2::new(a, b), n, 56.0);
        let capsule = |lens: Lens| lens.with_corner(Vec2::splat(lens.half.min_element()));
        vec![
            Lenses::new(&[at(320.0, 200.0, 190.0, 120.0, 4.5)], 0.0, 1.0),
            Lenses::new(&[at(320.3, 200.7, 190.0, 120.0, 2.0).turned(0.4)], 0.0, 1.0),
            Lenses::new(&[capsule(at(320.3, 200.7, 190.0, 55.0, 2.0)).turned(0.4)], 0.0, 1.0),
            Lenses::new(&[capsule(at(320.0, 200.0, 30.0, 170.0, 4.0))], 0.0, 1.0),
            Lenses::new(&[capsule(at(220.0, 200.0, 150.0, 50.0, 2.0)), at(440.0, 180.0, 80.0, 70.0, 6.0)], 60.0, 1.0),
            Lenses::new(&[at(20.0, 390.0, 150.0, 150.0, 10.0)], 0.0, 1.0),
            Lenses::new(&[at(300.0, 200.0, 12.0, 9.0, 3.0)], 0.0, 1.0),
            Lenses::new(
                &[fine(outline_of(&words("Aa8", Vec2::new(300.0, 210.0), Vec2::new(290.0, 170.0), 0.05), 1.0))],
                0.0,
                1.0,
            ),
            Lenses::new(&[at(220.0, 200.0, 120.0, 100.0, 4.5), at(440.0, 180.0, 80.0, 70.0, 6.0)], 60.0, 1.0),
            Lenses::new(&[at(200.0, 200.0, 90.0, 60.0, 4.5), at(330.0, 240.0, 90.0, 40.0, 4.5).turned(1.0)], 30.0, 1.0),
        ]
    }

    #[test]
    fn every_pixel_gets_what_it_needs() {
        for (which, lenses) in scenes().iter().enumerate() {
            let spans = spans(lenses, &AROUND, SIZE);
            let mut parts = vec![None; (SIZE.x * SIZE.y) as usize];
            for part in Part::ALL {
                let (first, count) = spans.of(part);
                for s in &spans.list[first as usize..(first + count) as usize] {
                    for y in s[1]..s[3] {
                        for x in s[0]..s[2] {
                            let slot = &mut parts[(y * SIZE.x + x) as usize];
                            assert_eq!(*slot, None, "scene {which}: {x} {y} twice");
                            *slot = Some(part);
                        }
                    }
                }
            }
            for y in 0..SIZE.y {
                for x in 0..SIZE.x {
                    let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let e = edge(lenses, p);
                    let cover = (0.5 - e.d).clamp(0.0, 1.0);
                    let dropped = edge(lenses, p - Vec2::new(0.0, AROUND.shadow_drop)).d;
                    match parts[(y * SIZE.x + x) as usize] {
                        Some(Part::Face) => {
                            assert!(e.d < 0.3 - e.bevel.max(AROUND.rim_reach), "scene {which}: face at {p}, d {}", e.d)
                        }
                        Some(Part::Bevel) => assert!(cover > 0.99, "scene {which}: bevel at {p}, d {}", e.d),
                        Some(Part::Edge) => {}
                        Some(Part::Shadow) => assert!(cover == 0.0, "scene {which}: shadow at {p}, d {}", e.d),
                        None => assert!(
                            e.d > 1.4 && dropped >= AROUND.shadow_reach,
                            "scene {which}: nothing at {p}, d {}",
                            e.d
                        ),
                    }
                }
            }
        }
    }

    #[test]
    fn outside_the_window_is_nothing() {
        let far = Lenses::new(&[Lens::upright(Vec2::new(-500.0, 100.0), Vec2::splat(100.0), 4.0, 20.0)], 0.0, 1.0);
        assert_eq!(spans(&far, &AROUND, SIZE), Spans::default());
    }
}
