//! Types of single arguments: each parses its text by `FromStr`, and the error names what was expected.

use crate::base::file::is_file_stem;
use crate::base::picture::LONGEST_SIDE;
use crate::base::settings::parse_set;
use crate::renderer::ViewPlacement;
use glam::{UVec2, Vec2};
use std::path::PathBuf;
use std::str::FromStr;

/// Width and height in pixels, both 1 to 16384: `1280x720`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size(pub UVec2);

/// GPU selection: its number in `meniscus list` or a part of its name.
#[derive(Clone, Debug, PartialEq)]
pub enum GpuChoice {
    /// Its number, from 0.
    Index(usize),
    /// A part of its name, in any case.
    Name(String),
}

/// Source of settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Preset {
    /// A built-in preset.
    Named(String),
    /// A TOML file, or a picture taken with F2.
    File(PathBuf),
}

/// One setting that overrides the rest, `glass.frost=7`, as the equivalent TOML.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment(pub toml::Table);

/// A technique's view: `glass/distance@lens`.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewArgument {
    /// Id of the technique.
    pub technique: String,
    /// Name of the view.
    pub name: String,
    /// Placement.
    pub place: ViewPlacement,
}

/// A technique's output, and the file to write it to: `meshlets/ids=ids.npy`.
#[derive(Clone, Debug, PartialEq)]
pub struct SaveArgument {
    /// Id of the technique.
    pub technique: String,
    /// Name of the output; may end in a space and a number.
    pub output: String,
    /// Target file.
    pub file: PathBuf,
}

/// A resource of a pass, and the file to write it to: `mip_chain/single pass/levels[3]:4=level.npy`.
#[derive(Clone, Debug, PartialEq)]
pub struct CapturePassArgument {
    /// Name of the pass.
    pub pass: String,
    /// Name of the binding.
    pub binding: String,
    /// Mip level of an image.
    pub mip: Option<u32>,
    /// Target file.
    pub file: PathBuf,
}

/// A point in pixels from the top left: `640,360`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub Vec2);

/// A pixel of the picture, column and row from the top left: `640,360`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelArgument(pub [u32; 2]);

/// A technique, and a pixel of the picture for its tile: `pixel_sort:640,360`.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsArgument {
    /// Id of the technique.
    pub technique: String,
    /// Column and row.
    pub pixel: Option<[u32; 2]>,
}

impl FromStr for StepsArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (technique, pixel) = match text.split_once(':') {
            Some((technique, pixel)) => (technique, Some(pixel.parse::<PixelArgument>()?.0)),
            None => (text, None),
        };
        if technique.is_empty() {
            return Err("expected TECHNIQUE or TECHNIQUE:X,Y, such as pixel_sort:640,360".into());
        }
        Ok(Self { technique: technique.into(), pixel })
    }
}

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

impl FromStr for Preset {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        if lower.ends_with(".toml") || lower.ends_with(".png") {
            return Ok(Self::File(text.into()));
        }
        is_file_stem(text).then(|| Self::Named(text.into())).ok_or_else(|| {
            "expected the name of a preset (`meniscus list` shows them) or a file that ends in .toml or .png".into()
        })
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

impl FromStr for CapturePassArgument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let split = || {
            let (path, file) = text.split_once('=').filter(|(_, file)| !file.is_empty())?;
            let (pass, binding) = path.rsplit_once('/').filter(|(pass, _)| !pass.is_empty())?;
            let (binding, mip) = match binding.split_once(':') {
                Some((binding, mip)) => (binding, Some(digits(mip)?)),
                None => (binding, None),
            };
            let file = file.into();
            (!binding.is_empty()).then(|| Self { pass: pass.into(), binding: binding.into(), mip, file })
        };
        split().ok_or_else(|| "expected PASS/BINDING[:MIP]=FILE, as in meshlets/resolve/depth=depth.npy".into())
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

impl FromStr for PixelArgument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once(',')
            .and_then(|(x, y)| Some(Self([digits(x.trim())?, digits(y.trim())?])))
            .ok_or_else(|| "expected X,Y, a column and a row from the top left, as in 640,360".into())
    }
}

/// A number in digits only: `parse` alone would also accept `+5`.
fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// One or more letters, digits and underscores: valid names of techniques, settings, views and presets.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn refuses<T: FromStr<Err = String> + Debug>(texts: &[&str]) {
        for text in texts {
            let error = text.parse::<T>().expect_err(text);
            assert!(error.starts_with("expected "), "{text}: {error}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!("1280x720".parse(), Ok(Size(UVec2::new(1280, 720))));
        assert_eq!("1X16384".parse(), Ok(Size(UVec2::new(1, 16384))));
        refuses::<Size>(&["", "x", "1280", "1280x", "0x1", "1x0", "16385x1", "1x16385", "-1x5", "+1x5", "1x2x3"]);
        refuses::<Size>(&["1.5x2", " 1x2", "99999999999x1", "axb", "1280×720"]);
    }

    #[test]
    fn gpus() {
        assert_eq!("0".parse(), Ok(GpuChoice::Index(0)));
        assert_eq!("llvmpipe".parse(), Ok(GpuChoice::Name("llvmpipe".into())));
        assert_eq!("-1".parse(), Ok(GpuChoice::Name("-1".into())));
        refuses::<GpuChoice>(&["", " ", "99999999999999999999999"]);
    }

    #[test]
    fn presets() {
        assert_eq!("frosted".parse(), Ok(Preset::Named("frosted".into())));
        assert_eq!("my/own.TOML".parse(), Ok(Preset::File("my/own.TOML".into())));
        assert_eq!("my preset".parse(), Ok(Preset::Named("my preset".into())));
        refuses::<Preset>(&["", "a/b", ".a", "a\nb"]);
    }

    #[test]
    fn assignments() {
        assert_eq!("glass.frost=7".parse(), parse_set("glass.frost=7").map(Assignment));
        assert_eq!("a.b = \"x = y\"".parse(), parse_set("a.b=\"x = y\"").map(Assignment));
        refuses::<Assignment>(&["", "=", "a", "a=1", "a.b", "a.b=", ".b=1", "a.=1", "a-b.c=1", "a b.c=1"]);
    }

    #[test]
    fn views() {
        let view = |place| ViewArgument { technique: "glass".into(), name: "distance".into(), place };
        assert_eq!("glass/distance".parse(), Ok(view(ViewPlacement::Full)));
        assert_eq!("glass/distance@full".parse(), Ok(view(ViewPlacement::Full)));
        assert_eq!("glass/distance@lens".parse(), Ok(view(ViewPlacement::Lens)));
        assert_eq!("glass/distance@split".parse(), Ok(view(ViewPlacement::Split)));
        refuses::<ViewArgument>(&[
            "",
            "glass",
            "/",
            "glass/",
            "/distance",
            "a/b@",
            "a/b@left",
            "a/b@full@lens",
            "a/b/c",
        ]);
    }

    #[test]
    fn saves() {
        let save = |technique: &str, output: &str, file: &str| {
            Ok(SaveArgument { technique: technique.into(), output: output.into(), file: file.into() })
        };
        assert_eq!("meshlets/ids=ids.npy".parse(), save("meshlets", "ids", "ids.npy"));
        assert_eq!("mip_chain/level 3=out/a=b c.exr".parse(), save("mip_chain", "level 3", "out/a=b c.exr"));
        refuses::<SaveArgument>(&[
            "", "=", "a/b", "a/b=", "a=b.npy", "/b=c", "a/=c", "a/b/c=d", "a/b  3=c", "a/ b=c", "=a/b",
        ]);
    }

    #[test]
    fn captured_passes() {
        let capture = |pass: &str, binding: &str, mip, file: &str| {
            Ok(CapturePassArgument { pass: pass.into(), binding: binding.into(), mip, file: file.into() })
        };
        assert_eq!("a/b/c=d.npy".parse(), capture("a/b", "c", None, "d.npy"));
        assert_eq!("shade/list marble/Light=a=b.npy".parse(), capture("shade/list marble", "Light", None, "a=b.npy"));
        assert_eq!("ui/levels[2]:11=o/x.exr".parse(), capture("ui", "levels[2]", Some(11), "o/x.exr"));
        refuses::<CapturePassArgument>(&[
            "", "a", "a/b", "a=b", "/b=c", "a/=c", "a/:1=c", "a/b:=c", "a/b:-1=c", "a/b=",
        ]);
    }

    #[test]
    fn pixels() {
        assert_eq!("640,360".parse(), Ok(PixelArgument([640, 360])));
        assert_eq!("0, 7".parse(), Ok(PixelArgument([0, 7])));
        let steps = |pixel| Ok(StepsArgument { technique: "pixel_sort".into(), pixel });
        assert_eq!("pixel_sort".parse(), steps(None));
        assert_eq!("pixel_sort:640,360".parse(), steps(Some([640, 360])));
        refuses::<StepsArgument>(&["", ":", ":1,2", "pixel_sort:", "pixel_sort:1", "pixel_sort:1,-2"]);
        refuses::<PixelArgument>(&["", ",", "1", "1,", ",2", "1,2,3", "-1,0", "1.5,2", "+1,2", "5000000000,1"]);
    }

    #[test]
    fn points() {
        assert_eq!("640,360".parse(), Ok(Point(Vec2::new(640.0, 360.0))));
        assert_eq!("-1.5, 2".parse(), Ok(Point(Vec2::new(-1.5, 2.0))));
        refuses::<Point>(&["", ",", "1", "1,", ",2", "1,2,3", "nan,1", "inf,1", "1e30,0", "a,b"]);
    }
}
