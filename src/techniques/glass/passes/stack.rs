//! Order of the lenses: bodies of one glass each, and the layers in which they are drawn. A body refracts the picture
//! with lower layers; lenses of one glass are one body unless other glass is between them.

use super::{BoxBlurRequest, readable, readable_within};
use crate::PassSettings as _;
use crate::frost::preblur::Region;
use crate::lens::shape::{Lenses, MOST_LENSES};
use crate::lens::tiles::bounds;
use crate::panels::GlassPanels;
use crate::settings::{Glass, GlassSettings, Mode};
use crate::text::fonts;
use glam::UVec2;
use scene::{Blur, Lens, LensGlass};
use std::collections::HashMap;

/// Bodies above these do not refract each other.
pub const MOST_LAYERS: usize = 4;

#[derive(Clone, Debug)]
pub struct LensBody {
    pub settings: GlassSettings,
    pub lenses: Vec<Lens>,
    pub layer: usize,
    pub glass: Glass,
    places: Vec<Place>,
}

impl LensBody {
    pub fn new(settings: GlassSettings, lenses: Vec<Lens>, scale: f32) -> Self {
        // The caller reports the fault.
        let _ = fonts::choose(&settings.font);
        let glass = settings.glass(&lenses, scale);
        Self { settings, lenses, layer: 0, glass, places: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    drawn: Region,
    read: Region,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlassNeeds {
    pub levels: u32,
    /// Left, top, right, bottom in pixels of level 0, to within [`READ_BEYOND`](technique::READ_BEYOND) texels of each
    /// level; `None`: all.
    pub region: Option<[i32; 4]>,
}

/// The plan of a frame's glass.
#[derive(Clone, Debug)]
pub struct GlassStack {
    bodies: Vec<LensBody>,
    scale: f32,
}

impl GlassStack {
    /// Whatever the glass of the lenses.
    pub fn of_one(settings: &GlassSettings, lenses: &[Lens], scale: f32) -> Self {
        Self { bodies: vec![LensBody::new(settings.clone(), lenses.to_vec(), scale)], scale }
    }

    /// Bottom one first.
    pub fn new(settings: &GlassSettings, lenses: &[Lens], scale: f32, full: [u32; 2]) -> Self {
        let lenses = &lenses[..lenses.len().min(MOST_LENSES)];
        let own = |lens: &Lens| settings.clone().with_glass(&lens.glass);
        let one = |settings: GlassSettings| Self::of_one(&settings, lenses, scale);
        let Some(first) = lenses.first().filter(|_| settings.mode == Mode::Lens) else {
            return one(settings.clone());
        };
        if lenses.iter().all(|lens| lens.glass == first.glass) {
            return one(own(first));
        }
        let (mut kinds, mut offsets): (Vec<(LensGlass, GlassSettings)>, _) = (Vec::new(), HashMap::new());
        let mut bodies: Vec<(usize, LensBody)> = Vec::new();
        for lens in lenses {
            let kind = kinds.iter().position(|(glass, _)| *glass == lens.glass).unwrap_or_else(|| {
                kinds.push((lens.glass, several(own(lens))));
                kinds.len() - 1
            });
            let body = LensBody::new(kinds[kind].1.clone(), vec![*lens], scale);
            // It takes long, and most lenses have a bevel of the same width.
            let (bevel, extent) =
                body.glass.lenses.lens.first().map_or((0.0, 0.0), |lens| (lens.bevel, lens.reach().length()));
            let pull = if lens.glass.magnify == 1.0 { 0.0 } else { extent };
            let key = (kind, [bevel, body.glass.block.frost, pull].map(f32::to_bits));
            let offset = *offsets.entry(key).or_insert_with(|| body.glass.longest_offset());
            let place = place_of(&body, scale, full, offset);
            let between = |(_, other): &(usize, LensBody)| {
                other.places.iter().any(|other| place.iter().any(|own| touch(own.drawn, other.drawn)))
            };
            let same = bodies.iter().rposition(|(other, _)| *other == kind);
            let joined = same.filter(|at| !bodies[at + 1..].iter().any(between));
            let at = joined.unwrap_or(bodies.len());
            match bodies.get_mut(at) {
                Some((_, other)) => other.lenses.push(*lens),
                None => bodies.push((kind, body)),
            }
            bodies[at].1.places.extend(place);
        }
        let mut bodies: Vec<LensBody> = bodies.into_iter().map(|(_, body)| body).collect();
        for at in 0..bodies.len() {
            let (below, above) = bodies.split_at_mut(at);
            let body = &mut above[0];
            let layer = below.iter().map(|lower| least_layer(body, lower)).max().unwrap_or_default();
            body.layer = layer.min(MOST_LAYERS - 1);
            body.glass = body.settings.glass(&body.lenses, scale);
        }
        Self { bodies, scale }
    }

    /// Clear glass of the same outlines.
    pub fn clear(settings: &GlassSettings, lenses: &[Lens], scale: f32, full: [u32; 2]) -> Self {
        let settings = settings.cleared();
        let glass = settings.lens_glass();
        let lenses: Vec<Lens> = lenses.iter().map(|lens| Lens { glass, ..*lens }).collect();
        Self::new(&settings, &lenses, scale, full)
    }

    pub fn needs(&self, full: [u32; 2], has_panels: bool) -> GlassNeeds {
        let panels = if has_panels { GlassPanels::levels_needed(self.scale) } else { 0 };
        let levels = self.bodies.iter().map(|body| body.settings.levels_needed(self.scale)).fold(panels, u32::max);
        let region = match &self.bodies[..] {
            _ if has_panels => None,
            [body] if body.settings.mode == Mode::Source || body.lenses.is_empty() || body.settings.reads_far() => None,
            [body] => readable(&body.glass, full).map(|(low, high)| [low.x, low.y, high.x, high.y]),
            _ => self.region(0),
        };
        GlassNeeds { levels, region }
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
            [body] if body.settings.mode == Mode::Lens && !body.lenses.is_empty() => body.glass.boxes(full),
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

/// Tables are made once a frame, of the picture alone: several bodies pre-blur instead.
fn several(settings: GlassSettings) -> GlassSettings {
    let blur = if settings.blur == Blur::Table { Blur::Preblur } else { settings.blur };
    GlassSettings { blur, ..settings }
}

fn place_of(body: &LensBody, scale: f32, full: [u32; 2], longest_offset: f32) -> Option<Place> {
    let (settings, glass) = (&body.settings, &body.glass);
    let lenses = Lenses { melt: settings.melt * scale, ..glass.lenses.clone() };
    let glass = Glass { lenses, ..glass.clone() };
    let (low, high) = bounds(&glass.lenses, &glass.outskirts(), UVec2::from_array(full))?;
    let drawn = (low.as_ivec2(), high.as_ivec2());
    let read = readable_within(&glass, full, longest_offset).unwrap_or(drawn);
    Some(Place { drawn, read })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use scene::LensOutline;
    use scene::Preset::{self, Amber, Clear, Ice, Tinted, Water};

    const FULL: [u32; 2] = [1280, 720];

    fn lens(x: f32, style: Preset) -> Lens {
        let glass = GlassSettings::default().styled(style).lens_glass();
        let outline = LensOutline { exponent: 4.0, ..LensOutline::default() }.sized(Vec2::splat(60.0));
        Lens { center: Vec2::new(x, 360.0), outline, glass, ..Lens::default() }
    }

    fn order(lenses: &[Lens]) -> Vec<(usize, usize)> {
        let stack = GlassStack::new(&GlassSettings::default(), lenses, 1.0, FULL);
        stack.bodies.iter().map(|body| (body.lenses.len(), body.layer)).collect()
    }

    #[test]
    fn lenses_of_one_glass_are_one_body() {
        assert_eq!(order(&[]), [(0, 0)]);
        assert_eq!(order(&[lens(200.0, Clear), lens(260.0, Clear)]), [(2, 0)]);
        assert_eq!(order(&[lens(200.0, Amber), lens(260.0, Amber)]), [(2, 0)]);
        let stack = GlassStack::new(&GlassSettings::default(), &[lens(200.0, Amber)], 1.0, FULL);
        assert_eq!(stack.bodies[0].settings.preset, Amber);
    }

    #[test]
    fn glass_over_other_glass_is_in_a_layer_above_it() {
        assert_eq!(order(&[lens(300.0, Clear), lens(360.0, Amber)]), [(1, 0), (1, 1)]);
        assert_eq!(order(&[lens(150.0, Clear), lens(1100.0, Amber)]), [(1, 0), (1, 0)], "apart");
        let above = [lens(300.0, Clear), lens(340.0, Amber), lens(380.0, Ice), lens(420.0, Water)];
        assert_eq!(order(&above), [(1, 0), (1, 1), (1, 2), (1, 3)]);
        let five = [&above[..], &[lens(450.0, Tinted)]].concat();
        assert_eq!(order(&five).last(), Some(&(1, MOST_LAYERS - 1)), "no more layers than that");
    }

    #[test]
    fn other_glass_between_two_lenses_of_one_keeps_them_apart() {
        assert_eq!(order(&[lens(300.0, Clear), lens(350.0, Amber), lens(400.0, Clear)]), [(1, 0), (1, 1), (1, 2)]);
        assert_eq!(order(&[lens(150.0, Clear), lens(1100.0, Amber), lens(220.0, Clear)]), [(2, 0), (1, 0)]);
    }

    #[test]
    fn a_layer_reads_where_its_bodies_are() {
        let lenses = [lens(300.0, Clear), lens(360.0, Amber), lens(1100.0, Ice)];
        let stack = GlassStack::new(&GlassSettings::default(), &lenses, 1.0, FULL);
        let [left, _, right, _] = stack.region(1).unwrap();
        assert!(left < 300 && left > 100 && right > 420 && right < 700, "{left} {right}");
        assert!(stack.region(0).unwrap()[2] > 1160 && stack.layers() == 2);
    }
}
