//! Renderer of small pictures, and their comparison with golden ones.

use base::{settings::parse_set, timing::FrameTiming};
use gpu::{Format, Frames, Gpu, Image, ImageDesc, Messages, Use};
use media::{difference, picture::Picture, pixels::pixels_of};
use reflections::Work;
use renderer::{ActiveView, Background, FrameParams, FramePlan, LoadMode, Renderer, ViewPlacement, WorldLoader};
use scene::Lens;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};
use techniques::Settings;

/// Steps of 255. Observed: worst 0.06 (Mesa 22.3 against 25.0.7).
const MEAN: f64 = 0.75;
/// What rounding changes where both show the same thing.
const WORST: u8 = 24;
/// Pixels of the world that may differ by more, next to an outline. Observed: worst 8 (Mesa 22.3 against 25.0.7).
pub const TIES: usize = 8;
/// The same where mirrors show the world: drivers round a ray's direction differently, and a curved mirror amplifies it.
/// Observed: worst 25; 24 between Mesa 22.3 and 25.0.7.
pub const MIRRORED_TIES: usize = 48;
/// Pixels from an outline at which rounding may show its other side.
const REACH: u32 = 2;

/// The defaults overridden by `sets`, in the syntax of `--set`.
pub fn settings<'a>(sets: impl IntoIterator<Item = &'a str>) -> Settings {
    let mut settings = Settings::default();
    for set in sets {
        settings.lay(parse_set(set).unwrap()).unwrap_or_else(|problem| panic!("{set}: {problem}"));
    }
    settings
}

pub type View<'a> = (&'a str, &'a str, ViewPlacement);

/// A renderer under validation with its target.
pub struct Studio {
    gpu: Arc<Gpu>,
    messages: Arc<Messages>,
    frames: Frames,
    renderer: Renderer,
    target: Image,
    /// Centre of the lens, and its size relative to the settings; `None`: no lens.
    pub lens: Option<(glam::Vec2, f32)>,
    /// Lenses instead of that one, if there are some.
    pub lenses: Vec<Lens>,
}

impl Studio {
    pub fn new(size: [u32; 2]) -> Self {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let frames = Frames::new(&gpu, 1);
        let (backdrop, worlds) = (Background::new(None, LoadMode::Block), WorldLoader::new(None, LoadMode::Block));
        let renderer = Renderer::new(&gpu, backdrop, worlds).unwrap();
        let target = Image::new(&gpu, ImageDesc::new("target", size, Format::Rgba8, &[Use::Color])).unwrap();
        Self { gpu, messages, frames, renderer, target, lens: None, lenses: Vec::new() }
    }

    pub fn draw(&mut self, settings: &Settings, view: Option<View<'_>>) -> (Picture, FrameTiming) {
        let mut settings = settings.clone();
        if settings.reflections.work == Work::Auto {
            // The kernel of all devices; the different rounding of queues is covered by their check. No test requests this way by name.
            settings.reflections.work = Work::LiveWords;
        }
        let settings = &settings;
        let lens = self.lens.map(|(center, _)| settings.glass.placed(center).turned(0.0));
        let view = view.map(|(technique, name, place)| ActiveView::find(technique, name, place).unwrap());
        let scale = self.lens.map_or(0.5, |(_, scale)| scale);
        // One sample a pixel, independent of earlier frames.
        let plan = FramePlan { gathers: false, ..FramePlan::WHOLE };
        let lenses = if self.lenses.is_empty() { lens.as_slice() } else { &self.lenses };
        let params = FrameParams { view, scale, plan, ..FrameParams::of(settings, lenses) };
        let Self { frames, renderer, target, .. } = self;
        let record = |frame: &mut gpu::Frame| {
            renderer.record(frame, &params, &target.mip(0))?;
            frame.read_image(&target.mip(0))
        };
        let (read, timing) = frames.once(record).unwrap();
        (Picture { size: target.size(), rgba: read.read().unwrap() }, timing)
    }

    pub fn close(self) -> Vec<String> {
        let Self { gpu, messages, frames, renderer, target, .. } = self;
        drop((frames, renderer, target, gpu));
        messages.all()
    }
}

fn root(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

fn differ(a: [u8; 4], b: [u8; 4]) -> bool {
    (0..3).any(|channel| a[channel].abs_diff(b[channel]) > WORST)
}

/// Whether no pixel within [`REACH`] shows anything else. At the border the outline may be just outside.
fn is_flat(picture: &Picture, at: [u32; 2]) -> bool {
    let is_inside = (0..2).all(|axis| at[axis] > 0 && at[axis] + 1 < picture.size[axis]);
    let is_near = |[x, y]: &[u32; 2]| x.abs_diff(at[0]) <= REACH && y.abs_diff(at[1]) <= REACH;
    let near: Vec<_> = pixels_of(picture.size).filter(is_near).map(|[x, y]| picture.pixel(x, y)).collect();
    is_inside && !near.iter().any(|a| near.iter().any(|b| differ(*a, *b)))
}

/// Whether two pictures are equal except for rounding and `ties` pixels next to outlines; else the difference.
pub fn same(expected: &Picture, got: &Picture, ties: usize) -> Result<(), String> {
    let difference = difference::compare(expected, got).map_err(|e| format!("{e:#}"))?;
    let is_beyond = |[x, y]: &[u32; 2]| differ(expected.pixel(*x, *y), got.pixel(*x, *y));
    let beyond: Vec<_> = pixels_of(expected.size).filter(is_beyond).collect();
    let (mean, max, count) = (difference.mean, difference.max, beyond.len());
    let is_few = mean <= MEAN && count <= ties;
    let flat = if is_few { beyond.iter().filter(|at| is_flat(expected, **at)).count() } else { 0 };
    if is_few && flat == 0 {
        return Ok(());
    }
    Err(format!(
        "mean {mean:.3} (at most {MEAN}), {count} pixels by more than {WORST} (at most {ties}), {flat} of them not next to an outline, \
         worst {max}"
    ))
}

/// Compares a picture with the golden one of this name (a path below assets/goldens, without its extension), or stores it.
pub fn compare(name: &str, got: &Picture, ties: usize) -> Result<(), String> {
    let kept = root("assets/goldens").join(format!("{name}.png"));
    if std::env::var_os("MENISCUS_ACCEPT").is_some() {
        std::fs::create_dir_all(kept.parent().unwrap()).map_err(|e| e.to_string())?;
        // A matching one stays unchanged, byte by byte.
        if Picture::load(&kept).is_ok_and(|expected| same(&expected, got, ties).is_ok()) {
            return Ok(());
        }
        return got.save_png(&kept).map_err(|e| format!("{e:#}"));
    }
    let folder = root("target/goldens");
    let here = folder.join(format!("{name}.png"));
    std::fs::create_dir_all(here.parent().unwrap()).map_err(|e| e.to_string())?;
    let save = |picture: &Picture, file: &Path| picture.save_png(file).map_err(|e| format!("{e:#}"));
    let expected = match Picture::load(&kept) {
        Ok(expected) => expected,
        Err(problem) => {
            save(got, &here)?;
            return Err(format!("{name}: {problem:#}; see target/goldens, and MENISCUS_ACCEPT=1 keeps it"));
        }
    };
    let Err(problem) = same(&expected, got, ties) else { return Ok(()) };
    save(got, &here)?;
    if expected.size == got.size {
        let strong = Picture::from_fn(got.size, |x, y| {
            let (a, b) = (expected.pixel(x, y), got.pixel(x, y));
            [0, 1, 2, 3].map(|at| {
                if at == 3 { 255 } else { (128 + 8 * (i32::from(a[at]) - i32::from(b[at]))).clamp(0, 255) as u8 }
            })
        });
        save(&strong, &folder.join(format!("{name}.difference.png")))?;
    }
    Err(format!("{name}: {problem}; see target/goldens"))
}

/// Golden pictures in a folder below assets/goldens that are not in `known`: their subject no longer exists.
pub fn left_over(folder: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root("assets/goldens").join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_file() && !known.contains(&name) {
            found.push(format!("assets/goldens/{folder}/{name}.png: nothing looks so any more"));
        }
    }
    found
}

pub fn comparison_is_exact() -> Vec<String> {
    let grey = Picture::from_fn([30, 20], |_, _| [100, 100, 100, 255]);
    let changed = |count: u32, by: u8| {
        Picture::from_fn(
            [30, 20],
            |x, y| if y * 30 + x < count { [100, 100 + by, 100, 255] } else { [100, 100, 100, 255] },
        )
    };
    assert_eq!(same(&grey, &changed(600, 2), 0), Ok(()));
    assert!(same(&grey, &changed(600, 3), 0).is_err(), "all pixels, a little");
    assert!(same(&grey, &changed(9, 25), 8).is_err(), "some pixels, a lot");
    let halves = |column: u32, count: u32| {
        let is_other = |x: u32, y: u32| x == column && (5..5 + count).contains(&y);
        Picture::from_fn([30, 20], |x, y| [100, if (x < 15) == is_other(x, y) { 220 } else { 100 }, 100, 255])
    };
    let expected = halves(0, 0);
    assert_eq!(same(&expected, &halves(13, 8), 8), Ok(()));
    assert!(same(&expected, &halves(13, 8), 7).is_err());
    assert!(same(&expected, &halves(12, 1), 8).is_err(), "three pixels from the outline");
    assert_eq!(same(&expected, &halves(29, 8), 8), Ok(()), "at the border");
    assert!(same(&grey, &Picture::from_fn([20, 30], |_, _| [100, 100, 100, 255]), 8).is_err(), "another size");
    vec![]
}
