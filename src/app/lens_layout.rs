//! Lens layout: the `[[lens]]` tables of a preset file, with centres in fractions of the window and sizes in logical
//! pixels.

use crate::base::settings::{Field, FieldKind, Settings as _, ShortText, Value as _};
use crate::scene::{Lens, LensGlass, Shape};
use crate::techniques::glass::{GlassSettings, is_of_lens};
use crate::ui::manipulator::LENSES_MAX;
use glam::Vec2;
use serde::{Deserialize, Serialize};

const SCENE: f32 = 64.0;

const KEY: &str = "lens";

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct LensPlacement {
    /// Fractions of the window's width and height, 0 to 1.
    center: [f32; 2],
    /// From the centre of a 3D scene, in parts of the window's height; takes precedence over `center` there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    in_scene: Option<[f32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    half: Option<[f32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<Shape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exponent: Option<f32>,
    /// Logical pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<f32>,
    /// Degrees, clockwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    angle: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    glass: Option<toml::Table>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    places: Vec<LensPlacement>,
}

impl Layout {
    pub fn of(lenses: &[Lens], area_px: Vec2, scale: f32) -> Option<Self> {
        let place = |lens: &Lens| {
            let center = (lens.center / area_px.max(Vec2::ONE)).clamp(Vec2::ZERO, Vec2::ONE);
            let within = |name, value: f32| range(name).map_or(value, |[low, high]| value.clamp(low, high));
            LensPlacement {
                center: center.to_array(),
                in_scene: None,
                half: Some([within("half_width", lens.half.x / scale), within("half_height", lens.half.y / scale)]),
                shape: Some(lens.shape),
                exponent: Some(within("exponent", lens.exponent)),
                radius: (lens.shape == Shape::Rounded).then(|| within("radius", lens.radius / scale)),
                path: (!lens.path.is_empty()).then(|| lens.path.to_string()),
                text: (!lens.text.is_empty()).then(|| lens.text.to_string()),
                weight: (!lens.text.is_empty()).then(|| within("weight", lens.weight)),
                angle: Some(within("angle", lens.angle.to_degrees())),
                glass: lens.glass.as_ref().map(GlassSettings::lens_table),
            }
        };
        let places: Vec<_> = lenses.iter().take(LENSES_MAX).map(place).collect();
        (!places.is_empty()).then_some(Self { places })
    }

    pub fn in_scene(&self) -> impl Iterator<Item = Option<[f32; 2]>> {
        self.places.iter().map(|place| place.in_scene)
    }

    pub fn set_in_scene(&mut self, places: impl IntoIterator<Item = [f32; 2]>) {
        for (lens, place) in self.places.iter_mut().zip(places) {
            lens.in_scene = Some(place);
        }
    }

    pub fn take(table: &mut toml::Table) -> Result<Option<Self>, String> {
        let Some(value) = table.remove(KEY) else { return Ok(None) };
        let toml::Value::Array(list) = value else {
            return Err(format!("{KEY}: expected tables, each begun with [[{KEY}]]"));
        };
        if list.is_empty() || list.len() > LENSES_MAX {
            return Err(format!("{KEY}: {} of them; expected 1 to {LENSES_MAX}", list.len()));
        }
        let mut places = Vec::new();
        for (number, value) in (1..).zip(list) {
            let said = |why: String| format!("{KEY} {number}: {}", why.trim().replace('\n', " "));
            let place: LensPlacement =
                value.try_into().map_err(|why: toml::de::Error| said(why.message().to_owned()))?;
            place.check().map_err(said)?;
            places.push(place);
        }
        Ok(Some(Self { places }))
    }

    pub fn put(&self, table: &mut toml::Table) -> Result<(), toml::ser::Error> {
        table.insert(KEY.into(), toml::Value::try_from(&self.places)?);
        Ok(())
    }

    pub fn shape(&self, glass: &mut GlassSettings) {
        if let Some(first) = self.places.first() {
            [glass.half_width, glass.half_height] = first.half.unwrap_or([glass.half_width, glass.half_height]);
            glass.shape = first.shape.unwrap_or(glass.shape);
            glass.exponent = first.exponent.unwrap_or(glass.exponent);
            glass.radius = first.radius.unwrap_or(glass.radius);
            glass.path = first.own_or(&first.path, glass.path);
            glass.text = first.own_or(&first.text, glass.text);
            glass.weight = first.weight.unwrap_or(glass.weight);
            glass.angle = first.angle.unwrap_or(glass.angle);
        }
    }

    pub fn set(&mut self, settings: &toml::Table) {
        let Some(toml::Value::Table(values)) = settings.get("glass") else { return };
        for place in &mut self.places {
            if values.contains_key("preset") {
                place.glass = None;
            }
            if let Some(own) = &mut place.glass {
                own.extend(
                    values
                        .iter()
                        .filter(|(name, _)| is_of_lens(name))
                        .map(|(name, value)| (name.clone(), value.clone())),
                );
            }
        }
    }

    pub fn lenses(&self, glass: &GlassSettings, area_px: Vec2, scale: f32) -> Vec<Lens> {
        let lens = |(index, place): (usize, &LensPlacement)| {
            let own = place.clone();
            let own = if index == 0 {
                LensPlacement { center: own.center, glass: own.glass, ..Default::default() }
            } else {
                own
            };
            Lens {
                center: Vec2::from_array(own.center) * area_px,
                half: Vec2::from_array(own.half.unwrap_or([glass.half_width, glass.half_height])) * scale,
                shape: own.shape.unwrap_or(glass.shape),
                exponent: own.exponent.unwrap_or(glass.exponent),
                radius: own.radius.unwrap_or(glass.radius) * scale,
                path: own.own_or(&own.path, glass.path),
                text: own.own_or(&own.text, glass.text),
                weight: own.weight.unwrap_or(glass.weight),
                angle: own.angle.unwrap_or(glass.angle).to_radians(),
                strain: Vec2::ZERO,
                glass: own.own_glass(glass),
            }
        };
        self.places.iter().enumerate().map(lens).collect()
    }
}

impl LensPlacement {
    fn own_or(&self, own: &Option<String>, of_settings: ShortText) -> ShortText {
        short(own).unwrap_or(if self.shape.is_some() { ShortText::new() } else { of_settings })
    }

    fn own_glass(&self, shared: &GlassSettings) -> Option<LensGlass> {
        shared.lens_glass_of(self.glass.as_ref()?).ok()
    }

    fn check(&self) -> Result<(), String> {
        if let Some(own) = &self.glass {
            GlassSettings::default().lens_glass_of(own).map_err(|why| format!("glass.{why}"))?;
        }
        if !self.center.iter().all(|part| (0.0..=1.0).contains(part)) {
            let [x, y] = self.center;
            return Err(format!("center [{x}, {y}]; expected parts of the window's width and height, 0 to 1"));
        }
        if let Some([x, y]) = self.in_scene.filter(|place| !place.iter().all(|part| (-SCENE..=SCENE).contains(part))) {
            return Err(format!("in_scene [{x}, {y}]; expected parts of the window's height, -{SCENE} to {SCENE}"));
        }
        let [wide, high] = self.half.map_or([None; 2], |half| half.map(Some));
        let fields =
            [("half", "half_width", wide), ("half", "half_height", high), ("exponent", "exponent", self.exponent)];
        let more =
            [("radius", "radius", self.radius), ("weight", "weight", self.weight), ("angle", "angle", self.angle)];
        for (said, name, value) in fields.into_iter().chain(more) {
            let (Some(value), Some([low, high])) = (value, range(name)) else { continue };
            if !(low..=high).contains(&value) {
                return Err(format!("{said} {value}; expected {low} to {high}"));
            }
        }
        for (name, text) in [("text", &self.text), ("path", &self.path)] {
            if let (Some(text), Some(field)) = (text, field(name)) {
                let mut short = ShortText::new();
                let is_allowed = short.take(&text.as_str().into()).is_some() && short.is_allowed(field);
                is_allowed.then_some(()).ok_or_else(|| format!("{name} {text:?}; expected {}", field.expected()))?;
            }
        }
        Ok(())
    }
}

fn short(text: &Option<String>) -> Option<ShortText> {
    text.as_deref().map(ShortText::from)
}

fn field(name: &str) -> Option<&'static Field> {
    GlassSettings::FIELDS.iter().find(|field| field.name == name)
}

pub fn range(name: &str) -> Option<[f32; 2]> {
    match field(name)?.kind {
        FieldKind::Float { min, max, .. } => Some([min as f32, max as f32]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::parse_table;

    fn taken(text: &str) -> Result<Option<Layout>, String> {
        Layout::take(&mut parse_table(text).unwrap())
    }

    fn restored(layout: &Layout) -> Layout {
        let mut table = toml::Table::new();
        layout.put(&mut table).unwrap();
        taken(&toml::to_string(&table).unwrap()).unwrap().unwrap()
    }

    #[test]
    fn lenses_come_back_in_a_window_of_any_size() {
        let lens = |x, y, angle| Lens {
            center: Vec2::new(x, y),
            half: Vec2::new(190.0, 110.0),
            shape: Shape::Capsule,
            exponent: 3.5,
            angle,
            ..Lens::default()
        };
        let lenses = [lens(320.0, 180.0, 0.25), lens(1280.0, 0.0, -3.0)];
        let layout = Layout::of(&lenses, Vec2::new(1280.0, 720.0), 2.0).unwrap();
        let back = restored(&layout);
        assert_eq!(back, layout);
        let mut glass = GlassSettings::default();
        back.shape(&mut glass);
        assert_eq!((glass.half_width, glass.half_height, glass.shape), (95.0, 55.0, Shape::Capsule));
        let found = back.lenses(&glass, Vec2::new(640.0, 360.0), 1.0);
        for (found, lens) in found.iter().zip(&lenses) {
            assert!((found.center - lens.center * 0.5).length() < 1e-3 && found.half == lens.half * 0.5);
            assert_eq!(found.shape, Shape::Capsule);
            assert!(found.exponent == 3.5 && (found.angle - lens.angle).abs() < 1e-5);
        }
        assert_eq!(Layout::of(&[], Vec2::ONE, 1.0), None);
    }

    #[test]
    fn words_and_radii_come_back_with_their_lens() {
        let lens =
            Lens { center: Vec2::new(50.0, 40.0), half: Vec2::new(90.0, 80.0), exponent: 4.0, ..Lens::default() };
        let words = Lens { text: ShortText::from("Aß"), weight: 0.07, ..lens };
        let tile = Lens { shape: Shape::Rounded, radius: 24.0, ..lens };
        let star = Lens { path: ShortText::from("star 7 0.4"), ..lens };
        let layout = Layout::of(&[words, tile, lens, star], Vec2::new(200.0, 100.0), 2.0).unwrap();
        let back = restored(&layout);
        let mut glass = GlassSettings::default();
        back.shape(&mut glass);
        assert_eq!((glass.text.as_str(), glass.weight), ("Aß", 0.07));
        let found = back.lenses(&glass, Vec2::new(200.0, 100.0), 2.0);
        assert_eq!((found[0].text, found[0].weight), (words.text, 0.07));
        assert_eq!((found[1].shape, found[1].radius, found[1].text.as_str()), (Shape::Rounded, 24.0, ""));
        assert_eq!((found[2].shape, found[2].text.as_str(), found[2].path.as_str()), (Shape::Superellipse, "", ""));
        assert_eq!((found[3].path, found[0].path.as_str()), (star.path, ""));
    }

    #[test]
    fn lenses_keep_their_own_glass_and_what_is_set_holds_for_all() {
        let amber = GlassSettings::default().lens_glass_of(&"preset = \"amber\"".parse().unwrap()).unwrap();
        let lens = Lens { half: Vec2::splat(40.0), exponent: 4.0, ..Lens::default() };
        let layout = Layout::of(&[Lens { glass: Some(amber), ..lens }, lens], Vec2::splat(100.0), 1.0).unwrap();
        let mut back = restored(&layout);
        let glasses = |layout: &Layout, glass: &GlassSettings| {
            let lenses = layout.lenses(glass, Vec2::splat(100.0), 1.0);
            lenses.iter().map(|lens| lens.glass).collect::<Vec<_>>()
        };
        assert_eq!(glasses(&back, &GlassSettings::default()), [Some(amber), None]);
        back.set(&"[glass]\nfrost = 7.0\nhalf_width = 50.0".parse().unwrap());
        assert_eq!(glasses(&back, &GlassSettings::default()), [Some(LensGlass { frost: 7.0, ..amber }), None]);
        back.set(&"[glass]\npreset = \"ice\"".parse().unwrap());
        assert_eq!(glasses(&back, &GlassSettings::default()), [None, None]);
        let partly = taken("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nfrost = 3.0").unwrap().unwrap();
        let shared = GlassSettings { rim: 0.25, ..Default::default() };
        let glass = glasses(&partly, &shared)[0].unwrap();
        assert_eq!((glass.frost, glass.light.rim), (3.0, 0.25));
    }

    #[test]
    fn missing_fields_are_taken_from_the_settings() {
        let layout =
            taken("[[lens]]\ncenter = [0.5, 0.25]\n[[lens]]\ncenter = [0, 1]\nangle = 90\nshape = \"capsule\"\n")
                .unwrap()
                .unwrap();
        let glass = GlassSettings::default();
        let lenses = layout.lenses(&glass, Vec2::new(200.0, 100.0), 1.0);
        assert_eq!(lenses[0].center, Vec2::new(100.0, 25.0));
        assert_eq!(lenses[1].half, Vec2::new(glass.half_width, glass.half_height));
        assert_eq!((lenses[0].shape, lenses[1].shape), (Shape::Superellipse, Shape::Capsule));
        assert!((lenses[1].angle - 90_f32.to_radians()).abs() < 1e-6);
        assert_eq!(taken("[glass]\nfrost = 1.0\n"), Ok(None));
    }

    #[test]
    fn bad_values_are_named() {
        let long = format!("[[lens]]\ncenter = [0, 0]\ntext = \"{}\"", "x".repeat(33));
        let nine = "[[lens]]\ncenter = [0.5, 0.5]\n".repeat(9);
        for (text, said) in [
            ("lens = 3", "lens: expected tables"),
            ("lens = []", "0 of them; expected 1 to 8"),
            (nine.as_str(), "9 of them"),
            ("[[lens]]\nangle = 3", "lens 1: missing field `center`"),
            ("[[lens]]\ncenter = [0.5, 1.5]", "lens 1: center [0.5, 1.5]; expected parts of the window"),
            ("[[lens]]\ncenter = [0.5, 0.5]\ncentre = 3", "unknown field `centre`"),
            ("[[lens]]\ncenter = [0.5, 0.5]\nhalf = [1.0, 50.0]", "half 1; expected 8 to 2000"),
            ("[[lens]]\ncenter = [0.5, 0.5]\nexponent = inf", "exponent inf; expected 2 to 10"),
            ("[[lens]]\ncenter = [0, 0]\nradius = -1", "lens 1: radius -1; expected 0 to 400"),
            ("[[lens]]\ncenter = [0, 0]\nweight = 1", "lens 1: weight 1; expected 0 to 0.15"),
            ("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nfrost = -1", "lens 1: glass.frost"),
            ("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nmelt = 3", "lens 1: glass.melt: not a setting"),
            (long.as_str(), "expected a text of at most 32 characters"),
            ("[[lens]]\ncenter = [0, 0]\ntext = \"a\\nb\"", "lens 1: text \"a\\nb\"; expected a text"),
            ("[[lens]]\ncenter = [0, 0]\n[[lens]]\ncenter = [0, 0]\nangle = 181", "lens 2: angle 181"),
        ] {
            let why = taken(text).expect_err(text);
            assert!(why.contains(said), "{text}: {why}");
        }
    }
}
