//! Types of single arguments: each parses its text by `FromStr`, and the error names what was expected.

use base::file::is_file_stem;
use base::settings::parse_set;
use base::text::digits;
use glam::{UVec2, Vec2};
use media::picture::LONGEST_SIDE;
use renderer::ViewPlacement;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

/// Pixels, both 1 to 16384: `1280x720`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size(pub UVec2);

#[derive(Clone, Debug, PartialEq)]
pub enum GpuChoice {
    Index(usize),
    Name(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Preset {
    Named(String),
    File(PathBuf),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Assignment(pub toml::Table);

/// `glass/distance@lens`.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewArgument {
    pub technique: String,
    pub name: String,
    pub place: ViewPlacement,
}

/// `meshlets/ids=ids.npy`.
#[derive(Clone, Debug, PartialEq)]
pub struct SaveArgument {
    pub technique: String,
    pub output: String,
    pub file: PathBuf,
}

/// Pixels from the top left: `640,360`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub Vec2);

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| digits(text).filter(|side| (1..=LONGEST_SIDE).contains(side));
        text.split_once(['x', 'X'])
            .and_then(|(width, height)| Some(Self(UVec2::new(side(width)?, side(height)?))))
            .ok_or_else(|| format!("expected WIDTHxHEIGHT in pixels, each 1 to {LONGEST_SIDE}, as in 1280x720"))
    }
}

impl FromStr for GpuChoice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a GPU's number or a part of its name (`meniscus list` shows them)";
        if text.trim().is_empty() {
            return Err(expected.into());
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return text.parse().map(Self::Index).map_err(|_| expected.into());
        }
        Ok(Self::Name(text.trim().into()))
    }
}

impl Preset {
    pub fn of(text: OsString) -> Result<Self, String> {
        let lower = text.to_string_lossy().to_ascii_lowercase();
        if lower.ends_with(".toml") || lower.ends_with(".png") {
            return Ok(Self::File(text.into()));
        }
        let name = text.into_string().ok().filter(|name| is_file_stem(name));
        name.map(Self::Named).ok_or_else(|| {
            "expected the name of a preset, in UTF-8 (`meniscus list` shows them), or a file that ends in .toml or .png".into()
        })
    }
}

pub fn whole(low: u32, most: u32) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| (low..=most).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {low} to {most}"))
    }
}

impl FromStr for Assignment {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let table = parse_set(text).ok().filter(|_| !text.trim_end().ends_with('='));
        table.map(Self).ok_or_else(|| "expected technique.field=value, as in glass.frost=7".into())
    }
}

impl FromStr for ViewArgument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (path, place) = match text.split_once('@') {
            None => (text, Some(ViewPlacement::default())),
            Some((path, "full")) => (path, Some(ViewPlacement::Full)),
            Some((path, "lens")) => (path, Some(ViewPlacement::Lens)),
            Some((path, "split")) => (path, Some(ViewPlacement::Split)),
            Some((path, _)) => (path, None),
        };
        path.split_once('/')
            .filter(|(technique, name)| is_name(technique) && is_name(name))
            .and_then(|(technique, name)| Some(Self { technique: technique.into(), name: name.into(), place: place? }))
            .ok_or_else(|| {
                "expected TECHNIQUE/NAME, then nothing, @full, @lens or @split, as in glass/distance@lens".into()
            })
    }
}

impl FromStr for SaveArgument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let split = || {
            let (path, file) = text.split_once('=').filter(|(_, file)| !file.is_empty())?;
            let (technique, output) = path.split_once('/')?;
            let is_output = output.split(' ').all(is_name);
            (is_name(technique) && is_output).then(|| Self {
                technique: technique.into(),
                output: output.into(),
                file: file.into(),
            })
        };
        split().ok_or_else(|| "expected TECHNIQUE/OUTPUT=FILE, as in meshlets/ids=ids.npy".into())
    }
}

impl FromStr for Point {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|n| n.is_finite() && n.abs() <= 1e6);
        text.split_once(',')
            .and_then(|(x, y)| Some(Self(Vec2::new(number(x)?, number(y)?))))
            .ok_or_else(|| "expected X,Y in pixels from the top left, as in 640,360".into())
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_what_they_name() {
        assert_eq!("1X16384".parse(), Ok(Size(UVec2::new(1, 16384))));
        assert_eq!("0".parse(), Ok(GpuChoice::Index(0)));
        assert_eq!("-1".parse(), Ok(GpuChoice::Name("-1".into())));
        let preset = |text: &str| Preset::of(text.into());
        assert_eq!(preset("my/own.TOML"), Ok(Preset::File("my/own.TOML".into())));
        assert_eq!(preset("my preset"), Ok(Preset::Named("my preset".into())));
        assert_eq!("a.b = \"x = y\"".parse(), parse_set("a.b=\"x = y\"").map(Assignment));
        let view = |place| ViewArgument { technique: "glass".into(), name: "distance".into(), place };
        assert_eq!("glass/distance".parse(), Ok(view(ViewPlacement::Full)));
        assert_eq!("glass/distance@lens".parse(), Ok(view(ViewPlacement::Lens)));
        let save = SaveArgument { technique: "a".into(), output: "level 3".into(), file: "out/a=b c.exr".into() };
        assert_eq!("a/level 3=out/a=b c.exr".parse(), Ok(save));
        assert_eq!("-1.5, 2".parse(), Ok(Point(Vec2::new(-1.5, 2.0))));
    }
}
