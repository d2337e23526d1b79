//! Order of the lenses: bodies of one glass each, and the layers in which they are drawn. A body refracts the picture
//! with lower layers; lenses of one glass are one body unless other glass is between them.

use super::blur_method::Blur;
use super::model::lens::Glass;
use super::model::preblur::Region;
use super::model::shape::Lenses;
use super::outline::{outline_of, outlines};
use super::passes::{BoxBlurRequest, readable};
use super::settings::{GlassSettings, Mode};
use super::tiles::bounds;
use crate::scene::{Lens, LensGlass};
use glam::UVec2;

/// Bodies above these do not refract each other.
pub const MOST_LAYERS: usize = 4;

#[derive(Clone, Debug)]
pub struct LensBody {
    pub settings: GlassSettings,
    pub lenses: Vec<Lens>,
    pub layer: usize,
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    drawn: Region,
    read: Region,
}

#[derive(Clone, Debug)]
pub struct GlassStack {
    bodies: Vec<LensBody>,
    scale: f32,
}

impl GlassStack {
    /// Bottom one first.
    pub fn new(settings: &GlassSettings, lenses: &[Lens], scale: f32, full: [u32; 2]) -> Self {
        let shared = settings.lens_glass();
        let glass_of = |lens: &Lens| lens.glass.unwrap_or(shared);
        let first = lenses.first().map_or(shared, glass_of);
        if settings.mode == Mode::Source || lenses.iter().all(|lens| glass_of(lens) == first) {
            let settings = if settings.mode == Mode::Source { settings.clone() } else { with_glass(settings, &first) };
            let body = LensBody { settings, lenses: lenses.to_vec(), layer: 0, places: Vec::new() };
            return Self { bodies: vec![body], scale };
        }
        let mut bodies: Vec<(LensGlass, LensBody)> = Vec::new();
        for lens in lenses {
            let glass = glass_of(lens);
            let own = several(with_glass(settings, &glass));
            let place = place_of(&own, lens, scale, full);
            let between = |other: &LensBody| {
                other.places.iter().any(|other| place.iter().any(|own| touch(own.drawn, other.drawn)))
            };
            let same = bodies.iter().rposition(|(other, _)| *other == glass);
            let joined = same.filter(|at| !bodies[at + 1..].iter().any(|(_, body)| between(body)));
            match joined {
                Some(at) => {
                    bodies[at].1.lenses.push(*lens);
                    bodies[at].1.places.extend(place);
                }
                None => {
                    let places = place.into_iter().collect();
                    bodies.push((glass, LensBody { settings: own, lenses: vec![*lens], layer: 0, places }));
                }
            }
        }
        let mut bodies: Vec<LensBody> = bodies.into_iter().map(|(_, body)| body).collect();
        for at in 1..bodies.len() {
            let (below, above) = bodies.split_at(at);
            let layer = below.iter().map(|lower| least_layer(&above[0], lower)).max().unwrap_or_default();
            bodies[at].layer = layer.min(MOST_LAYERS - 1);
        }
        Self { bodies, scale }
    }

    pub fn clear(settings: &GlassSettings, lenses: &[Lens], scale: f32, full: [u32; 2]) -> Self {
        let lenses: Vec<Lens> = lenses.iter().map(|lens| Lens { glass: None, ..*lens }).collect();
        Self::new(&settings.cleared(), &lenses, scale, full)
    }

    pub fn layers(&self) -> usize {
        self.bodies.iter().map(|body| body.layer + 1).max().unwrap_or(1)
    }

    pub fn bodies(&self) -> &[LensBody] {
        &self.bodies
    }

    pub fn scale(&self) -> f32 {
        self.scale
    }

    pub fn boxes(&self, full: [u32; 2]) -> Option<BoxBlurRequest> {
        match &self.bodies[..] {
            [body] if body.settings.mode == Mode::Lens && !body.lenses.is_empty() => {
                body.settings.glass(&outlines(&body.lenses), self.scale).boxes(full)
            }
            _ => None,
        }
    }

    /// Left, top, right, bottom; `None`: all.
    pub fn region(&self, layer: usize) -> Option<[i32; 4]> {
        let bodies = self.bodies.iter().filter(|body| body.layer == layer);
        if bodies.clone().any(|body| body.settings.reads_far()) {
            return None;
        }
        let places = bodies.flat_map(|body| &body.places).map(|place| place.read);
        let (low, high) = places.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some([low.x, low.y, high.x, high.y])
    }
}

/// Above what it sees, not below what would be seen.
fn least_layer(above: &LensBody, lower: &LensBody) -> usize {
    let meets = |reader: &LensBody, drawn: &LensBody| {
        let touches = |own: &Place| drawn.places.iter().any(|other| touch(own.read, other.drawn));
        reader.places.iter().any(touches)
    };
    match () {
        () if meets(above, lower) => lower.layer + 1,
        () if meets(lower, above) => lower.layer,
        () => 0,
    }
}

fn touch(a: Region, b: Region) -> bool {
    a.0.cmplt(b.1).all() && b.0.cmplt(a.1).all()
}

fn with_glass(settings: &GlassSettings, glass: &LensGlass) -> GlassSettings {
    let mut own = settings.clone();
    own.take_lens_glass(glass);
    own
}

/// Tables are made once a frame, of the picture alone: several bodies pre-blur instead.
fn several(settings: GlassSettings) -> GlassSettings {
    let blur = if settings.blur == Blur::Table { Blur::Preblur } else { settings.blur };
    GlassSettings { blur, ..settings }
}

fn place_of(settings: &GlassSettings, lens: &Lens, scale: f32, full: [u32; 2]) -> Option<Place> {
    let glass = settings.glass(&[outline_of(lens)], scale);
    let lenses = Lenses { melt: settings.melt * scale, ..glass.lenses.clone() };
    let glass = Glass { lenses, ..glass };
    let (low, high) = bounds(&glass.lenses, &glass.outskirts(), UVec2::from_array(full))?;
    let drawn = (low.as_ivec2(), high.as_ivec2());
    let read = readable(&glass, full).unwrap_or(drawn);
    Some(Place { drawn, read })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Preset;
    use glam::Vec2;

    const FULL: [u32; 2] = [1280, 720];

    fn lens(x: f32, style: Option<Preset>) -> Lens {
        let glass = style.map(|style| {
            let mut settings = GlassSettings::default();
            style.apply(&mut settings);
            settings.lens_glass()
        });
        Lens { center: Vec2::new(x, 360.0), half: Vec2::splat(60.0), exponent: 4.0, glass, ..Lens::default() }
    }

    fn order(lenses: &[Lens]) -> Vec<(usize, usize)> {
        let stack = GlassStack::new(&GlassSettings::default(), lenses, 1.0, FULL);
        stack.bodies.iter().map(|body| (body.lenses.len(), body.layer)).collect()
    }

    #[test]
    fn lenses_of_one_glass_are_one_body() {
        assert_eq!(order(&[]), [(0, 0)]);
        assert_eq!(order(&[lens(200.0, None), lens(260.0, None)]), [(2, 0)]);
        let clear = Some(Preset::Clear);
        assert_eq!(order(&[lens(200.0, None), lens(260.0, clear)]), [(2, 0)], "its own glass is the shared one");
        assert_eq!(order(&[lens(200.0, Some(Preset::Amber)), lens(260.0, Some(Preset::Amber))]), [(2, 0)]);
        let stack = GlassStack::new(&GlassSettings::default(), &[lens(200.0, Some(Preset::Amber))], 1.0, FULL);
        assert_eq!(stack.bodies[0].settings.preset, Preset::Amber);
    }

    #[test]
    fn glass_over_other_glass_is_in_a_layer_above_it() {
        let [amber, ice, water] = [Preset::Amber, Preset::Ice, Preset::Water].map(Some);
        assert_eq!(order(&[lens(300.0, None), lens(360.0, amber)]), [(1, 0), (1, 1)]);
        assert_eq!(order(&[lens(150.0, None), lens(1100.0, amber)]), [(1, 0), (1, 0)], "apart");
        let above = [lens(300.0, None), lens(340.0, amber), lens(380.0, ice), lens(420.0, water)];
        assert_eq!(order(&above), [(1, 0), (1, 1), (1, 2), (1, 3)]);
        let five = [&above[..], &[lens(450.0, Some(Preset::Tinted))]].concat();
        assert_eq!(order(&five).last(), Some(&(1, MOST_LAYERS - 1)), "no more layers than that");
    }

    #[test]
    fn other_glass_between_two_lenses_of_one_keeps_them_apart() {
        let amber = Some(Preset::Amber);
        assert_eq!(order(&[lens(300.0, None), lens(350.0, amber), lens(400.0, None)]), [(1, 0), (1, 1), (1, 2)]);
        assert_eq!(order(&[lens(150.0, None), lens(1100.0, amber), lens(220.0, None)]), [(2, 0), (1, 0)]);
    }

    #[test]
    fn a_layer_reads_where_its_bodies_are() {
        let lenses = [lens(300.0, None), lens(360.0, Some(Preset::Amber)), lens(1100.0, Some(Preset::Ice))];
        let stack = GlassStack::new(&GlassSettings::default(), &lenses, 1.0, FULL);
        let [left, _, right, _] = stack.region(1).unwrap();
        assert!(left < 300 && left > 100 && right > 420 && right < 700, "{left} {right}");
        assert!(stack.region(0).unwrap()[2] > 1160 && stack.layers() == 2);
    }
}
