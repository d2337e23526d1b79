//! Flat pictures of light (HDR), loaded from OpenEXR and Radiance files, and flat pictures of either kind.

pub use super::pixels::{LightPicture, MOST_LIGHT};

use super::{
    clip::Clip,
    cube_map,
    openexr::{self, Read},
    picture::{EXPECTED, LONGEST_SIDE, MOST_BYTES, Picture},
    radiance,
    source::Source,
};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use base::{guard::guarded, half, notes::Notes, text};
use std::path::Path;
use std::sync::Arc;

const EXPECTED_LIGHT: &str =
    "expected an OpenEXR (.exr) or Radiance (.hdr) picture from 1x1 to 16384x16384 with numbers of 0 or more";
const EXPECTED_ANY: &str =
    "expected a PNG, JPEG, WebP, GIF, BMP, TIFF, OpenEXR or Radiance picture from 1x1 to 16384x16384";
pub const LIGHT_ENDINGS: [&str; 2] = ["exr", "hdr"];
#[derive(Clone, Debug)]
pub enum FlatPicture {
    Display(Arc<Picture>),
    Light(Arc<LightPicture>),
    Moving(Arc<Clip>),
}

impl FlatPicture {
    /// By content. A folder and a pattern name frames ([`Clip::open`]), and `-` is standard input.
    pub fn load(path: &Path) -> Result<(Self, Notes)> {
        let source = &Source::of(path, MOST_BYTES)?;
        let begin = source.begin();
        match Clip::open(source, &begin) {
            Ok(None) => {}
            Ok(Some((clip, notes))) => return Ok((Self::Moving(clip), notes)),
            Err(why) => {
                let Ok((picture, mut notes)) = Picture::load_with_notes(source) else { return Err(why) };
                notes.remarks.push(format!("only the first picture is shown: {}", why.root_cause()));
                return Ok((Self::Display(Arc::new(picture)), notes));
            }
        }
        if !is_light(&begin) {
            let read = Picture::load_with_notes(source);
            let (picture, notes) = read.map_err(|why| anyhow!(format!("{why:#}").replace(EXPECTED, EXPECTED_ANY)))?;
            return Ok((Self::Display(Arc::new(picture)), notes));
        }
        let Read { picture, remarks, .. } = Read::load(source)?;
        Ok((Self::Light(Arc::new(picture)), Notes { remarks, ..Notes::default() }))
    }

    pub fn address(&self) -> *const u8 {
        match self {
            Self::Display(picture) => Arc::as_ptr(picture).cast(),
            Self::Light(picture) => Arc::as_ptr(picture).cast(),
            Self::Moving(clip) => Arc::as_ptr(clip).cast(),
        }
    }

    pub fn size(&self) -> [u32; 2] {
        match self {
            Self::Display(picture) => picture.size,
            Self::Light(picture) => picture.size,
            Self::Moving(clip) => clip.size(),
        }
    }
}

fn is_light(bytes: &[u8]) -> bool {
    is_exr(bytes) || radiance::is_radiance(bytes)
}

fn is_exr(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01])
}

fn check_size([width, height]: [u32; 2]) -> Result<()> {
    let fits = |side: u32| (1..=LONGEST_SIDE).contains(&side);
    ensure!(fits(width) && fits(height), "the picture is {width}x{height}");
    let needed = u64::from(width) * u64::from(height) * 12;
    if needed > MOST_BYTES {
        let (needed, most) = (text::bytes(needed), text::bytes(MOST_BYTES));
        bail!("the picture is {width}x{height} and takes {needed} decoded, more than {most}");
    }
    Ok(())
}

impl LightPicture {
    /// An equirectangular picture or an OpenEXR cube map; another shape is drawn with a note.
    pub fn load_sky(path: &Path) -> Result<(Self, Notes)> {
        const CROPPED: f64 = 0.1;
        let Read { mut picture, mut remarks, is_cube } = Read::load(&Source::File(path.to_owned()))?;
        let [width, height] = picture.size;
        if is_cube {
            picture = cube_map::unfolded(&picture);
        } else if (f64::from(width) / (2.0 * f64::from(height)) - 1.0).abs() > CROPPED {
            let looks =
                if 6 * width == height { ", the shape of a cube map that its header does not name" } else { "" };
            let expected = "expected an equirectangular picture, twice as wide as high, or an OpenEXR cube map";
            remarks.push(format!("it is {width}x{height}{looks}, and stretched all around; {expected}"));
        }
        Ok((picture, Notes { remarks, ..Notes::default() }))
    }

    pub fn decode(bytes: &[u8]) -> Result<(Self, Vec<String>)> {
        Read::decode(bytes).map(|read| (read.picture, read.remarks))
    }

    fn limited(mut self) -> Result<(Self, Vec<String>)> {
        let count = |is: fn(f32) -> bool| self.texels.iter().filter(|texel| texel.iter().any(|x| is(*x))).count();
        let broken = count(|value| !value.is_finite());
        let negative = count(|value| value.is_finite() && value < 0.0);
        let bright = count(|value| value.is_finite() && value > MOST_LIGHT);
        let pixels =
            |count: usize| format!("{} {}", text::counted(count, "pixel"), if count == 1 { "is" } else { "are" });
        for (count, what) in [(broken, "not finite"), (negative, "negative")] {
            ensure!(count * 2 <= self.texels.len(), "{count} of {} {what}", pixels(self.texels.len()));
        }
        let mut remarks = Vec::new();
        if broken > 0 {
            remarks.push(format!("{} not finite and shown as 0; expected finite numbers", pixels(broken)));
        }
        if negative > 0 {
            remarks.push(format!("{} negative and shown as 0; expected 0 or more", pixels(negative)));
        }
        if bright > 0 {
            remarks.push(format!("{} limited to {MOST_LIGHT}", pixels(bright)));
        }
        let limit = |value: f32| if value.is_finite() { value.clamp(0.0, MOST_LIGHT) } else { 0.0 };
        self.texels.iter_mut().flatten().for_each(|value| *value = limit(*value));
        Ok((self, remarks))
    }

    pub fn halves(&self) -> Vec<[u16; 4]> {
        let one = half::from_f64(1.0);
        let bits = |value: f32| exr::prelude::f16::from_f32(value).to_bits();
        self.texels.iter().map(|[r, g, b]| [bits(*r), bits(*g), bits(*b), one]).collect()
    }
}

impl Read {
    fn load(source: &Source) -> Result<Self> {
        let named = || format!("cannot read {}", source.name());
        let bytes = source.bytes(MOST_BYTES, EXPECTED_LIGHT).with_context(named)?;
        Self::decode(&bytes).with_context(named)
    }

    fn decode(bytes: &[u8]) -> Result<Self> {
        let read = match () {
            () if is_exr(bytes) => guarded(|| openexr::decode(bytes, check_size)),
            () if radiance::is_radiance(bytes) => radiance::decode(bytes, check_size).map(|(size, texels)| {
                let picture = LightPicture { size, texels };
                Self { picture, remarks: Vec::new(), is_cube: false }
            }),
            () => Err(anyhow!("the file is of another kind")),
        };
        let limited = read.and_then(|read| {
            let (picture, values) = read.picture.limited()?;
            Ok(Self { picture, remarks: [read.remarks, values].concat(), ..read })
        });
        limited.map_err(|why| anyhow!("{why:#}; {EXPECTED_LIGHT}"))
    }
}

#[cfg(test)]
#[path = "light_picture_tests.rs"]
mod tests;
