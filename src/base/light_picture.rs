//! Flat pictures of light (HDR), loaded from OpenEXR and Radiance files, and flat pictures of either kind.

use super::{
    clip::Clip,
    file::read_bounded,
    half,
    notes::Notes,
    picture::{EXPECTED, LONGEST_SIDE, MOST_BYTES, Picture},
    radiance, text,
};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use exr::prelude::{FlatSamples, MetaData, ReadChannels as _, ReadLayers as _, read};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

const EXPECTED_LIGHT: &str =
    "expected an OpenEXR (.exr) or Radiance (.hdr) picture from 1x1 to 16384x16384 with finite numbers of 0 or more";
/// In place of [`EXPECTED`], where light is shown as well.
const EXPECTED_ANY: &str =
    "expected a PNG, JPEG, WebP, GIF, BMP, TIFF, OpenEXR or Radiance picture from 1x1 to 16384x16384";
/// Extensions of these formats.
pub const LIGHT_ENDINGS: [&str; 2] = ["exr", "hdr"];
/// Largest half float.
pub const MOST_LIGHT: f32 = 65504.0;

/// Linear light, Rec. 709: 1 is white paper. Rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct LightPicture {
    /// Width and height.
    pub size: [u32; 2],
    /// Red, green, blue; finite, 0 or more.
    pub texels: Vec<[f32; 3]>,
}

/// A flat picture below the glass.
#[derive(Clone, Debug)]
pub enum FlatPicture {
    /// Display values.
    Display(Arc<Picture>),
    /// Light, shown by exposure and tone curve.
    Light(Arc<LightPicture>),
    /// Display values that change with time.
    Moving(Arc<Clip>),
}

impl FlatPicture {
    /// Loads any picture, by its content, with notes on what is not shown as it is. A folder and a pattern name frames ([`Clip::open`]).
    ///
    /// # Errors
    /// One line that names the file, the fault, and what was expected.
    pub fn load(path: &Path) -> Result<(Self, Notes)> {
        let begin = begin_of(path);
        match Clip::open(path, &begin) {
            Ok(None) => {}
            Ok(Some((clip, notes))) => return Ok((Self::Moving(clip), notes)),
            Err(why) => {
                let Ok((picture, mut notes)) = Picture::load_with_notes(path) else { return Err(why) };
                notes.remarks.push(format!("only the first picture is shown: {}", why.root_cause()));
                return Ok((Self::Display(Arc::new(picture)), notes));
            }
        }
        if !is_light(&begin) {
            let read = Picture::load_with_notes(path);
            let (picture, notes) = read.map_err(|why| anyhow!(format!("{why:#}").replace(EXPECTED, EXPECTED_ANY)))?;
            return Ok((Self::Display(Arc::new(picture)), notes));
        }
        LightPicture::load(path).map(|(picture, notes)| (Self::Light(Arc::new(picture)), notes))
    }

    /// Where it is kept: two are the same if this is.
    #[must_use]
    pub fn address(&self) -> *const u8 {
        match self {
            Self::Display(picture) => Arc::as_ptr(picture).cast(),
            Self::Light(picture) => Arc::as_ptr(picture).cast(),
            Self::Moving(clip) => Arc::as_ptr(clip).cast(),
        }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        match self {
            Self::Display(picture) => picture.size,
            Self::Light(picture) => picture.size,
            Self::Moving(clip) => clip.size(),
        }
    }
}

/// The first bytes of a file; none if it cannot be read.
fn begin_of(path: &Path) -> Vec<u8> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    // Anything but a plain file is refused later.
    if std::fs::metadata(path).is_ok_and(|there| there.is_file())
        && let Ok(file) = std::fs::File::open(path)
        && file.take(16).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    bytes
}

fn is_light(bytes: &[u8]) -> bool {
    is_exr(bytes) || radiance::is_radiance(bytes)
}

fn is_exr(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01])
}

/// Refuses sizes that are not shown here.
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
    /// Loads an OpenEXR or Radiance file, by its content, with notes on values that are limited.
    ///
    /// # Errors
    /// One line that names the file, the fault, and what was expected.
    pub fn load(path: &Path) -> Result<(Self, Notes)> {
        let named = || format!("cannot read {}", path.display());
        let bytes = read_bounded(path, MOST_BYTES, EXPECTED_LIGHT).with_context(named)?;
        let (picture, remarks) = Self::decode(&bytes).with_context(named)?;
        Ok((picture, Notes { remarks, ..Notes::default() }))
    }

    /// From the bytes of a file, with remarks on values that are limited.
    ///
    /// # Errors
    /// One line: the fault, and what was expected.
    pub fn decode(bytes: &[u8]) -> Result<(Self, Vec<String>)> {
        let read = match () {
            () if is_exr(bytes) => decode_exr(bytes),
            () if radiance::is_radiance(bytes) => {
                radiance::decode(bytes, check_size).map(|(size, texels)| Self { size, texels })
            }
            () => Err(anyhow!("the file is of another kind")),
        };
        let checked = read.and_then(Self::checked);
        checked.map_err(|why| anyhow!("{why:#}; {EXPECTED_LIGHT}"))
    }

    /// Refuses what is no light, and limits the rest to what half floats hold.
    fn checked(mut self) -> Result<(Self, Vec<String>)> {
        let place = |at: usize| format!("{},{}", at % self.size[0] as usize, at / self.size[0] as usize);
        let is_bad = |texel: &[f32; 3]| texel.iter().any(|value| !value.is_finite());
        let bad = self.texels.iter().filter(|texel| is_bad(texel)).count();
        if let Some(first) = self.texels.iter().position(is_bad) {
            let what = if self.texels[first].iter().any(|value| value.is_nan()) { "not a number" } else { "infinite" };
            bail!("{bad} of {} pixels are not finite, the first at {} is {what}", self.texels.len(), place(first));
        }
        let negative = self.texels.iter().filter(|texel| texel.iter().any(|value| *value < 0.0)).count();
        let bright = self.texels.iter().filter(|texel| texel.iter().any(|value| *value > MOST_LIGHT)).count();
        if negative * 2 > self.texels.len() {
            bail!("{negative} of {} pixels are negative", self.texels.len());
        }
        let mut remarks = Vec::new();
        if negative > 0 {
            remarks.push(format!("{negative} pixels are negative and shown as 0; expected 0 or more"));
        }
        if bright > 0 {
            remarks.push(format!("{bright} pixels are limited to {MOST_LIGHT}"));
        }
        self.texels.iter_mut().flatten().for_each(|value| *value = value.clamp(0.0, MOST_LIGHT));
        Ok((self, remarks))
    }

    /// Half floats, opaque.
    #[must_use]
    pub fn halves(&self) -> Vec<[u16; 4]> {
        let one = half::from_f64(1.0);
        let bits = |value: f32| exr::prelude::f16::from_f32(value).to_bits();
        self.texels.iter().map(|[r, g, b]| [bits(*r), bits(*g), bits(*b), one]).collect()
    }
}

/// The first flat layer with red, green and blue, or grey.
fn decode_exr(bytes: &[u8]) -> Result<LightPicture> {
    let broken = |error: exr::error::Error| match error {
        exr::error::Error::NotSupported(what) => anyhow!("the file has {what}, which is not read here"),
        _ => anyhow!("the file is damaged or cut off"),
    };
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(broken)?;
    for header in &meta.headers {
        let [width, height] = [header.layer_size.x(), header.layer_size.y()];
        check_size([width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX)))?;
    }
    let layers = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = layers.non_parallel().from_buffered(Cursor::new(bytes)).map_err(broken)?;
    let layer = image.layer_data;
    let size = [layer.size.x() as u32, layer.size.y() as u32];
    let count = layer.size.x() * layer.size.y();
    let channel = |name: &str| {
        let found = layer.channel_data.list.iter().find(|channel| channel.name.eq(name))?;
        Some(match &found.sample_data {
            FlatSamples::F16(values) => values.iter().map(|value| value.to_f32()).collect::<Vec<f32>>(),
            FlatSamples::F32(values) => values.clone(),
            FlatSamples::U32(values) => values.iter().map(|value| *value as f32).collect(),
        })
    };
    let grey = || channel("Y").map(|grey| [grey.clone(), grey.clone(), grey]);
    let colours = || Some([channel("R")?, channel("G")?, channel("B")?]);
    let names =
        || layer.channel_data.list.iter().map(|channel| channel.name.to_string()).collect::<Vec<_>>().join(", ");
    let [r, g, b] =
        colours().or_else(grey).with_context(|| format!("the channels are {}, not R, G, B or Y", names()))?;
    ensure!(
        [&r, &g, &b].iter().all(|values| values.len() == count),
        "a channel has another resolution than the picture"
    );
    let texels = r.into_iter().zip(g).zip(b).map(|((r, g), b)| [r, g, b]).collect();
    Ok(LightPicture { size, texels })
}

#[cfg(test)]
#[path = "light_picture_tests.rs"]
mod tests;
