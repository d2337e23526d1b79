//! Lens layout: the `[[lens]]` tables of a preset file, with centres in fractions of the window and sizes in logical
//! pixels.

use base::settings::{AnySettings as _, Settings as _, ShortText, lay};
use glam::Vec2;
use glass::{GlassSettings, MOST_LENSES};
use scene::{Lens, LensGlass, LensOutline, Shape};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

const SCENE: f32 = 64.0;

const KEY: &str = "lens";

/// Settings of the outline that a lens can state, apart from its size; without a value it has that of the settings.
fn names() -> impl Iterator<Item = &'static str> {
    LensOutline::NAMES.iter().copied().filter(|name| !HALF.contains(name))
}

const HALF: [&str; 2] = ["half_width", "half_height"];

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct LensPlacement {
    id: Option<u32>,
    /// Of any number, or the id of a lens, whose container it then is.
    container: Option<u32>,
    /// Fractions of the window's width and height, 0 to 1.
    center: [f32; 2],
    /// From the centre of a 3D scene, in parts of the window's height; takes precedence over `center` there.
    in_scene: Option<[f32; 2]>,
    half: Option<[f32; 2]>,
    glass: Option<toml::Table>,
    #[serde(flatten)]
    outline: toml::Table,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    places: Vec<LensPlacement>,
}

impl Layout {
    /// The first lens has the glass of the settings.
    pub fn of(lenses: &[Lens], area_px: Vec2) -> Option<Self> {
        let place = |lens: &Lens| {
            let center = (lens.center / area_px.max(Vec2::ONE)).clamp(Vec2::ZERO, Vec2::ONE);
            let own = GlassSettings::default().of_lens(lens);
            let is_stated = |name: &str| match name {
                "radius" => own.shape == Shape::Rounded,
                "path" => !own.path.is_empty(),
                "text" | "weight" => !own.text.is_empty(),
                name => names().any(|stated| stated == name),
            };
            let has_own = lens.glass != lenses[0].glass;
            LensPlacement {
                id: lens.id,
                container: lens.container,
                center: center.to_array(),
                in_scene: None,
                half: Some(own.outline().half().to_array()),
                glass: has_own.then(|| own.table(&LensGlass::has)),
                outline: own.table(&is_stated),
            }
        };
        let places: Vec<_> = lenses.iter().take(MOST_LENSES).map(place).collect();
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
        if list.is_empty() || list.len() > MOST_LENSES {
            return Err(format!("{KEY}: {} of them; expected 1 to {MOST_LENSES}", list.len()));
        }
        let mut places = Vec::new();
        for (number, value) in (1..).zip(list) {
            let said = |why: String| format!("{KEY} {number}: {}", why.trim().replace('\n', " "));
            let place: LensPlacement =
                value.try_into().map_err(|why: toml::de::Error| said(why.message().to_owned()))?;
            place.check().map_err(said)?;
            places.push(place);
        }
        let mut layout = Self { places };
        layout.resolve_containers()?;
        Ok(Some(layout))
    }

    /// Ids of lenses as containers become the containers of those lenses; the outermost lens is its own container.
    fn resolve_containers(&mut self) -> Result<(), String> {
        let mut holders = HashMap::new();
        for (number, place) in (1..).zip(&self.places) {
            let Some(id) = place.id else { continue };
            if let Some((first, _)) = holders.insert(id, (number, place.container)) {
                return Err(format!("{KEY} {number}: id {id} is that of {KEY} {first}; expected ids that differ"));
            }
        }
        // A chain without a cycle has each lens once at most.
        let outermost = |first: u32| {
            let mut outer = first;
            for _ in 0..=holders.len() {
                match holders.get(&outer).and_then(|(_, container)| *container) {
                    Some(next) if next != outer => outer = next,
                    _ => return Some(outer),
                }
            }
            None
        };
        let named: HashSet<u32> = self.places.iter().filter_map(|place| place.container).collect();
        for (number, place) in (1..).zip(&mut self.places) {
            let is_holder = place.id.filter(|id| named.contains(id));
            let Some(first) = place.container.or(is_holder) else { continue };
            let outer = outermost(first);
            let cycle =
                || format!("{KEY} {number}: container {first} contains itself; expected containers without a cycle");
            place.container = Some(outer.ok_or_else(cycle)?);
        }
        Ok(())
    }

    pub fn put(&self, table: &mut toml::Table) -> Result<(), toml::ser::Error> {
        table.insert(KEY.into(), toml::Value::try_from(&self.places)?);
        Ok(())
    }

    pub fn shape(&self, glass: &mut GlassSettings) {
        if let Some(first) = self.places.first() {
            let _ = first.shape(glass);
        }
    }

    pub fn set(&mut self, settings: &toml::Table) {
        let Some(toml::Value::Table(values)) = settings.get("glass") else { return };
        for place in &mut self.places {
            if values.contains_key("preset") {
                place.glass = None;
            }
            if let Some(own) = &mut place.glass {
                let values = values.iter().filter(|(name, _)| LensGlass::has(name));
                own.extend(values.map(|(name, value)| (name.clone(), value.clone())));
            }
        }
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    pub fn lenses(&self, glass: &GlassSettings, area_px: Vec2) -> Vec<Lens> {
        let lens = |(index, place): (usize, &LensPlacement)| {
            let mut own = glass.clone();
            if index > 0 {
                let _ = place.shape(&mut own);
            }
            let lens = own.placed(Vec2::from_array(place.center) * area_px);
            let own = place.glass.as_ref().and_then(|own| glass.lens_glass_of(own).ok());
            Lens { glass: own.unwrap_or(lens.glass), id: place.id, container: place.container, ..lens }
        };
        self.places.iter().enumerate().map(lens).collect()
    }
}

impl LensPlacement {
    /// A path or words of the settings stay only where there is no shape.
    fn shape(&self, glass: &mut GlassSettings) -> Result<(), String> {
        if self.outline.contains_key("shape") {
            (glass.path, glass.text) = (ShortText::new(), ShortText::new());
        }
        [glass.half_width, glass.half_height] = self.half.unwrap_or([glass.half_width, glass.half_height]);
        lay(glass, &self.outline)
    }

    fn check(&self) -> Result<(), String> {
        if let Some(name) = self.outline.keys().find(|name| !names().any(|stated| stated == name.as_str())) {
            let names = names().collect::<Vec<_>>().join(", ");
            return Err(format!("unknown field `{name}`; expected one of id, container, center, half, glass, {names}"));
        }
        let mut shaped = GlassSettings::default();
        self.shape(&mut shaped)?;
        for (name, value) in HALF.into_iter().zip(self.half.into_iter().flatten()) {
            if let Some([low, high]) = GlassSettings::range(name).filter(|[low, high]| !(*low..=*high).contains(&value))
            {
                return Err(format!("half {value}; expected {low} to {high}"));
            }
        }
        shaped.check()?;
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::parse_table;

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
        let lens = |x, y, angle| {
            let outline = LensOutline { shape: Shape::Capsule, exponent: 3.5, angle, ..LensOutline::default() };
            Lens { center: Vec2::new(x, y), outline, ..Lens::default() }.sized(Vec2::new(95.0, 55.0))
        };
        let lenses = [lens(320.0, 180.0, 14.5), lens(1280.0, 0.0, -170.0)];
        let layout = Layout::of(&lenses, Vec2::new(1280.0, 720.0)).unwrap();
        let back = restored(&layout);
        assert_eq!(back, layout);
        let mut glass = GlassSettings::default();
        back.shape(&mut glass);
        assert_eq!((glass.half_width, glass.half_height, glass.shape), (95.0, 55.0, Shape::Capsule));
        let found = back.lenses(&glass, Vec2::new(640.0, 360.0));
        for (found, lens) in found.iter().zip(&lenses) {
            assert!((found.center - lens.center * 0.5).length() < 1e-3);
            let stated = LensOutline { radius: glass.radius, weight: glass.weight, ..lens.outline };
            assert_eq!(found.outline, stated);
        }
        assert_eq!(Layout::of(&[], Vec2::ONE), None);
    }

    #[test]
    fn lenses_keep_their_own_glass_and_what_is_set_holds_for_all() {
        let amber = GlassSettings::default().lens_glass_of(&"preset = \"amber\"".parse().unwrap()).unwrap();
        let lens = Lens::default().sized(Vec2::splat(40.0));
        let layout = Layout::of(&[lens, Lens { glass: amber, ..lens }], Vec2::splat(100.0)).unwrap();
        let mut back = restored(&layout);
        let glasses = |layout: &Layout, glass: &GlassSettings| {
            let lenses = layout.lenses(glass, Vec2::splat(100.0));
            lenses.iter().map(|lens| lens.glass).collect::<Vec<_>>()
        };
        let clear = LensGlass::default();
        assert_eq!(glasses(&back, &GlassSettings::default()), [clear, amber]);
        back.set(&"[glass]\nfrost = 7.0\nhalf_width = 50.0".parse().unwrap());
        assert_eq!(glasses(&back, &GlassSettings::default()), [clear, LensGlass { frost: 7.0, ..amber }]);
        back.set(&"[glass]\npreset = \"ice\"".parse().unwrap());
        assert_eq!(glasses(&back, &GlassSettings::default()), [clear; 2]);
        let partly = taken("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nfrost = 3.0").unwrap().unwrap();
        let shared = GlassSettings { rim: 0.25, ..Default::default() };
        let glass = glasses(&partly, &shared)[0];
        assert_eq!((glass.frost, glass.rim), (3.0, 0.25));
    }

    #[test]
    fn missing_fields_are_taken_from_the_settings() {
        let layout =
            taken("[[lens]]\ncenter = [0.5, 0.25]\n[[lens]]\ncenter = [0, 1]\nangle = 90\nshape = \"capsule\"\n")
                .unwrap()
                .unwrap();
        let glass = GlassSettings::default();
        let lenses = layout.lenses(&glass, Vec2::new(200.0, 100.0));
        assert_eq!(lenses[0].center, Vec2::new(100.0, 25.0));
        let stated = LensOutline { shape: Shape::Capsule, angle: 90.0, ..glass.outline() };
        assert_eq!(lenses.iter().map(|lens| lens.outline).collect::<Vec<_>>(), [glass.outline(), stated]);
        assert_eq!(taken("[glass]\nfrost = 1.0\n"), Ok(None));
    }

    #[test]
    fn a_lens_as_a_container_is_of_its_own_container() {
        let lens = |fields: &str| format!("[[lens]]\ncenter = [0, 0]\n{fields}\n");
        let all = ["id = 1", "container = 1", "id = 2\ncontainer = 1", "container = 2", "id = 3", "container = 9"];
        let layout = taken(&all.map(lens).concat()).unwrap().unwrap();
        let containers = |layout: &Layout| {
            let lenses = layout.lenses(&GlassSettings::default(), Vec2::ONE);
            lenses.iter().map(|lens| (lens.id, lens.container)).collect::<Vec<_>>()
        };
        let one = Some(1);
        assert_eq!(
            containers(&layout),
            [(one, one), (None, one), (Some(2), one), (None, one), (Some(3), None), (None, Some(9))]
        );
        assert_eq!(restored(&layout), layout);
    }

    #[test]
    fn bad_values_are_named() {
        let long = format!("[[lens]]\ncenter = [0, 0]\ntext = \"{}\"", "x".repeat(33));
        let many = "[[lens]]\ncenter = [0.5, 0.5]\n".repeat(MOST_LENSES + 1);
        for (text, said) in [
            ("lens = 3", "lens: expected tables"),
            ("lens = []", "0 of them; expected 1 to 2048"),
            (many.as_str(), "2049 of them"),
            ("[[lens]]\ncenter = [0.5, nan]", "lens 1: center [0.5, NaN]; expected parts of the window"),
            ("[[lens]]\ncenter = [0.5, 0.5]\nhalf = [nan, 50.0]", "half NaN; expected 8 to 2000"),
            ("[[lens]]\ncenter = [0, 0]\nid = -1", "lens 1: invalid value"),
            ("[[lens]]\nid = 7\ncenter = [0, 0]\n[[lens]]\nid = 7\ncenter = [0, 0]", "lens 2: id 7 is that of lens 1"),
            (
                "[[lens]]\nid = 7\ncontainer = 8\ncenter = [0, 0]\n[[lens]]\nid = 8\ncontainer = 7\ncenter = [0, 0]",
                "lens 1: container 8 contains itself; expected containers without a cycle",
            ),
            ("[[lens]]\nangle = 3", "lens 1: missing field `center`"),
            ("[[lens]]\ncenter = [0.5, 1.5]", "lens 1: center [0.5, 1.5]; expected parts of the window"),
            ("[[lens]]\ncenter = [0.5, 0.5]\ncentre = 3", "unknown field `centre`"),
            ("[[lens]]\ncenter = [0.5, 0.5]\nhalf = [1.0, 50.0]", "half 1; expected 8 to 2000"),
            ("[[lens]]\ncenter = [0.5, 0.5]\nexponent = inf", "exponent = inf: expected a number from 2 to 10"),
            ("[[lens]]\ncenter = [0, 0]\nradius = -1", "lens 1: radius = -1: expected a number from 0 to 400"),
            ("[[lens]]\ncenter = [0, 0]\nweight = 1", "lens 1: weight = 1: expected a number from 0 to 0.15"),
            ("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nfrost = -1", "lens 1: glass.frost"),
            ("[[lens]]\ncenter = [0, 0]\n[lens.glass]\nmelt = 3", "lens 1: glass.melt: not a setting"),
            (long.as_str(), "expected a text of at most 32 characters"),
            ("[[lens]]\ncenter = [0, 0]\ntext = \"a\\nb\"", "lens 1: text = "),
            ("[[lens]]\ncenter = [0, 0]\n[[lens]]\ncenter = [0, 0]\nangle = 181", "lens 2: angle = 181"),
        ] {
            let why = taken(text).expect_err(text);
            assert!(why.contains(said), "{text}: {why}");
        }
    }
}
