//! Animations of `headless --record`: the motion of lens and camera, and the file.

use super::failure::{Failure, OrFail as _};
use super::is_standard_output;
use super::progress::Progress;
use super::signals;
use anyhow::Context as _;
use base::file::{AtomicFile, read_bounded};
use glam::Vec2;
use media::picture::Picture;
use media::png::{Animation, Effort};
use media::y4m::Writer;
use scene::{Lens, SceneSettings};
use serde::Deserialize;
use std::f32::consts::{PI, TAU};
use std::io::{BufWriter, IntoInnerError, Stdout};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Milliseconds a frame, which every viewer of animations can play.
pub const STEP_MS: u16 = 40;

#[derive(Clone, Debug, PartialEq)]
pub enum PathArgument {
    Drag,
    Orbit,
    File(PathBuf),
}

impl FromStr for PathArgument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "drag" => Ok(Self::Drag),
            "orbit" => Ok(Self::Orbit),
            _ if text.to_ascii_lowercase().ends_with(".toml") => Ok(Self::File(text.into())),
            _ => Err("expected drag, orbit or a file that ends in .toml".into()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Key {
    /// Fraction of the whole, 0 to 1.
    at: f32,
    /// Centre of the first lens, fractions of the picture's width and height.
    lens: Option<[f32; 2]>,
    /// Degrees.
    angle: Option<f32>,
    /// `scene.orbit`, degrees.
    orbit: Option<f32>,
    height: Option<f32>,
    zoom: Option<f32>,
    /// `scene.scroll`, points.
    scroll: Option<f32>,
    /// Of the pointer over a motif of use, fractions of the picture's width and height.
    pointer: Option<[f32; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    key: Vec<Key>,
}

#[derive(Clone, Debug, PartialEq)]
enum Motion {
    Drag,
    Orbit,
    Keys(Vec<Key>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Route(Motion);

const EXPECTED: &str =
    "expected [[key]] tables with at = 0..1 in rising order, and lens, angle, orbit, height, zoom, scroll or pointer";

impl Route {
    pub fn new(path: &PathArgument) -> Result<Self, Failure> {
        Ok(Self(match path {
            PathArgument::Drag => Motion::Drag,
            PathArgument::Orbit => Motion::Orbit,
            PathArgument::File(file) => Motion::Keys(keys(file).or_bad(format!("--path {}", file.display()))?),
        }))
    }

    /// Pixels.
    pub fn pointer(&self, part: f32, area_px: Vec2) -> Option<Vec2> {
        let Motion::Keys(keys) = &self.0 else { return None };
        let at = |value: fn(&Key) -> Option<f32>| between(keys, part, value);
        Some(Vec2::new(at(|key| Some(key.pointer?[0]))?, at(|key| Some(key.pointer?[1]))?) * area_px)
    }

    pub fn place(&self, part: f32, area_px: Vec2, lenses: &mut [Lens], scene: &mut SceneSettings) {
        match &self.0 {
            Motion::Drag => {
                for lens in lenses.iter_mut().take(1) {
                    lens.center = figure_of_eight(part, lens.center, lens.half(1.0), area_px);
                }
            }
            Motion::Orbit => scene.orbit = (scene.orbit + 360.0 * part + 180.0).rem_euclid(360.0) - 180.0,
            Motion::Keys(keys) => {
                let at = |value: fn(&Key) -> Option<f32>| between(keys, part, value);
                for lens in lenses.iter_mut().take(1) {
                    let (x, y) = (at(|key| key.lens.map(|lens| lens[0])), at(|key| key.lens.map(|lens| lens[1])));
                    lens.center = Vec2::new(
                        x.map_or(lens.center.x, |x| x * area_px.x),
                        y.map_or(lens.center.y, |y| y * area_px.y),
                    );
                    lens.outline.angle = at(|key| key.angle).unwrap_or(lens.outline.angle);
                }
                scene.orbit = at(|key| key.orbit).unwrap_or(scene.orbit);
                scene.height = at(|key| key.height).unwrap_or(scene.height);
                scene.zoom = at(|key| key.zoom).unwrap_or(scene.zoom);
                scene.scroll = at(|key| key.scroll).unwrap_or(scene.scroll);
            }
        }
    }
}

/// Begins and ends at `home`. The nearer that is to an edge, the more the figure leans towards the middle.
pub fn figure_of_eight(part: f32, home: Vec2, half: Vec2, area_px: Vec2) -> Vec2 {
    let room = (area_px / 2.0 - half).max(Vec2::ZERO) * 0.9;
    let off = area_px / 2.0 - home;
    // The most by which a sine can be added to what is left of `off`, and stays within the room.
    let most = (room * (room - off.abs()).max(Vec2::ZERO)).powf(0.5);
    let eight = Vec2::new((part * TAU).sin(), 0.6 * (2.0 * part * TAU).sin());
    home + off * (part * PI).sin().powi(2) + eight * most
}

fn keys(file: &Path) -> anyhow::Result<Vec<Key>> {
    let bytes = read_bounded(file, 1 << 20, EXPECTED)?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("it is not UTF-8 text; {EXPECTED}"))?;
    let Keys { key: keys } = toml::from_str(&text).map_err(|why| anyhow::anyhow!("{}; {EXPECTED}", why.message()))?;
    let numbers = |key: &Key| {
        let lens = key.lens.unwrap_or_default();
        let pointer = key.pointer.unwrap_or_default();
        let places = [Some(lens[0]), Some(lens[1]), Some(pointer[0]), Some(pointer[1])];
        let values = [Some(key.at), key.angle, key.orbit, key.height, key.zoom, key.scroll.map(|scroll| 0.01 * scroll)];
        places.into_iter().chain(values)
    };
    let finite = |key: &Key| numbers(key).flatten().all(|n| n.is_finite() && n.abs() <= 1e4);
    let within = |key: &Key| (0.0..=1.0).contains(&key.at) && key.zoom.is_none_or(|zoom| (0.05..=20.0).contains(&zoom));
    anyhow::ensure!(!keys.is_empty() && keys.iter().all(|key| finite(key) && within(key)), "{EXPECTED}");
    anyhow::ensure!(keys.is_sorted_by(|a, b| a.at < b.at), "{EXPECTED}");
    Ok(keys)
}

/// Catmull-Rom splines (1974) over the keys that have the value, constant beyond the ends.
fn between(keys: &[Key], part: f32, value: fn(&Key) -> Option<f32>) -> Option<f32> {
    let known: Vec<(f32, f32)> = keys.iter().filter_map(|key| Some((key.at, value(key)?))).collect();
    let next = known.iter().position(|(at, _)| *at > part);
    let (first, last) = (known.first()?, known.last()?);
    let Some(next) = next else { return Some(last.1) };
    if next == 0 {
        return Some(first.1);
    }
    let [a, b] = [known[next - 1], known[next]];
    let slope = |i: usize| {
        let (before, after) = (known[i.saturating_sub(1)], known[(i + 1).min(known.len() - 1)]);
        if i == 0 || i + 1 == known.len() { 0.0 } else { (after.1 - before.1) / (after.0 - before.0) }
    };
    let (width, t) = (b.0 - a.0, (part - a.0) / (b.0 - a.0));
    let (from, to) = (slope(next - 1) * width, slope(next) * width);
    let [t2, t3] = [t * t, t * t * t];
    Some(a.1 * (2.0 * t3 - 3.0 * t2 + 1.0) + from * (t3 - 2.0 * t2 + t) + b.1 * (3.0 * t2 - 2.0 * t3) + to * (t3 - t2))
}

pub struct Recording {
    file: PathBuf,
    content: Content,
    progress: Progress,
}

/// An animation is encoded at its end; a video is written frame by frame, under another name until it is complete.
enum Content {
    Animation(Animation),
    Video(Box<Writer<BufWriter<AtomicFile>>>),
    Pipe(Box<Writer<Stdout>>),
}

impl Recording {
    pub fn new(file: &Path, size: [u32; 2], frames: u32) -> anyhow::Result<Self> {
        let progress = Progress::new(frames as usize);
        progress.begin("frames");
        signals::begin_recording();
        let per_second = 1000 / u32::from(STEP_MS);
        let content = if is_standard_output(file) {
            Content::Pipe(Box::new(Writer::new(std::io::stdout(), size, per_second).context("standard output")?))
        } else if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m")) {
            let video = Writer::new(BufWriter::new(AtomicFile::create(file)?), size, per_second);
            Content::Video(Box::new(video.with_context(|| format!("cannot write {}", file.display()))?))
        } else {
            Content::Animation(Animation::new(size, frames, [STEP_MS, 1000], Effort::Most)?)
        };
        Ok(Self { file: file.to_owned(), content, progress })
    }

    pub fn frame(&mut self, picture: Picture) -> anyhow::Result<()> {
        match &mut self.content {
            Content::Animation(animation) => animation.frame(picture)?,
            Content::Video(video) => {
                video.frame(&picture).with_context(|| format!("cannot write {}", self.file.display()))?;
            }
            Content::Pipe(video) => video.frame(&picture).context("standard output")?,
        }
        self.progress.step();
        self.progress.report("recorded");
        Ok(())
    }

    pub fn end_early(self, frames: u32, all: u32) -> Failure {
        let file = self.file.display().to_string();
        let why = format!("--record {file}: a signal ended it");
        if frames == 0 {
            return signals::failure(format!("{why} before the first frame"));
        }
        match self.end() {
            Ok(()) => signals::failure(format!("{why}: the file has {frames} of {all} frames")),
            Err(error) => signals::failure(format!("{why} after {frames} of {all} frames: {error:#}")),
        }
    }

    pub fn end(self) -> anyhow::Result<()> {
        let Self { file, content, progress } = self;
        progress.end();
        let written = content.write(&file);
        signals::end_recording();
        written
    }
}

impl Content {
    fn write(self, file: &Path) -> anyhow::Result<()> {
        match self {
            Self::Animation(animation) => super::write(file, &animation.end()?),
            Self::Video(video) => {
                let written = video.end().and_then(|buffer| buffer.into_inner().map_err(IntoInnerError::into_error));
                written.with_context(|| format!("cannot write {}", file.display()))?.commit()
            }
            Self::Pipe(video) => video.end().map(drop).context("standard output"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    fn lens() -> Lens {
        let settings = techniques::Settings::default();
        settings.glass.placed(Vec2::new(200.0, 100.0)).scaled(0.2)
    }

    fn placed(route: &Route, part: f32) -> (Lens, SceneSettings) {
        let (mut lenses, mut scene) = ([lens()], SceneSettings::default());
        route.place(part, Vec2::new(400.0, 200.0), &mut lenses, &mut scene);
        (lenses[0], scene)
    }

    #[test]
    fn a_drag_comes_back_and_stays_inside_and_an_orbit_goes_round() {
        let drag = Route::new(&"drag".parse().unwrap()).unwrap();
        for step in 0..100 {
            let at = placed(&drag, step as f32 / 100.0).0.center;
            assert!(at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::new(400.0, 200.0)).all(), "{at}");
        }
        assert!((placed(&drag, 1.0).0.center - lens().center).length() < 1e-3);
        assert!((placed(&drag, 0.25).0.center - lens().center).length() > 10.0);
        let orbit = Route::new(&"orbit".parse().unwrap()).unwrap();
        assert_eq!((placed(&orbit, 0.25).1.orbit, placed(&orbit, 0.75).1.orbit), (90.0, -90.0));
        assert!("orbits".parse::<PathArgument>().unwrap_err().starts_with("expected drag"));
    }

    #[test]
    fn an_eight_is_closed_smooth_and_inside() {
        let (half, area) = (Vec2::new(60.0, 40.0), Vec2::new(400.0, 200.0));
        let middle = area / 2.0;
        for home in [middle, Vec2::new(90.0, 60.0), Vec2::new(340.0, 160.0), Vec2::new(0.0, 200.0)] {
            let at = |step: u16| figure_of_eight(f32::from(step) / 240.0, home, half, area);
            assert!(at(0) == home && (at(240) - home).length() < 1e-2);
            let steps: Vec<Vec2> = (0..240).map(|step| at(step + 1) - at(step)).collect();
            assert!(steps.windows(2).all(|two| (two[1] - two[0]).length() < 0.3), "{home}");
            let far = (0..240).map(|step| (at(step) - home).abs().max_element()).fold(0.0, f32::max);
            let farthest = (0..240).map(|step| ((at(step) - middle).abs() - (middle - half)).max_element());
            let out = ((home - middle).abs() - (middle - half)).max_element().max(0.0);
            assert!(far > 50.0 && farthest.fold(f32::MIN, f32::max) <= out, "{home}");
        }
    }

    #[test]
    fn keys_are_met_and_interpolation_is_smooth() {
        let folder = Folder::new("route");
        let file = folder.0.join("path.toml");
        let route = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Route::new(&PathArgument::File(file.clone()))
        };
        let keys = "[[key]]\nat = 0.0\nlens = [0.25, 0.5]\norbit = -30.0\n[[key]]\nat = 0.5\nlens = [0.75, 0.25]\n\
                    [[key]]\nat = 1.0\nlens = [0.25, 0.5]\norbit = 30.0\nzoom = 0.5\n";
        let route_there = route(keys).unwrap();
        for (part, center, orbit) in
            [(0.0, [100.0, 100.0], -30.0), (0.5, [300.0, 50.0], 0.0), (1.0, [100.0, 100.0], 30.0)]
        {
            let (lens, scene) = placed(&route_there, part);
            assert!((lens.center - Vec2::from(center)).length() < 1e-2, "{part}: {}", lens.center);
            assert!((scene.orbit - orbit).abs() < 1e-3 && scene.zoom == 0.5, "{part}");
        }
        let mut last = placed(&route_there, 0.0).0.center;
        for step in 1..=200 {
            let now = placed(&route_there, step as f32 / 200.0).0.center;
            assert!((now - last).length() < 4.0);
            last = now;
        }
        for bad in [
            "",
            "[[key]]\nat = 2.0",
            "[[key]]\nat = 0.5\n[[key]]\nat = 0.5",
            "[[key]]\nat = 0.0\nzoom = 0.0",
            "[[key]]\nat = 0.0\nx = 1",
        ] {
            let failure = route(bad).unwrap_err();
            assert!(failure.code == 2 && failure.to_string().contains("expected [[key]]"), "{bad}: {failure}");
        }
    }
}
