//! Check that the glass of a list and the picture below it move in the same frame: both ways are measured in the frames drawn.

use super::glass_on_glass::renderer;
use glam::Vec2;
use gpu::{Format, Gpu, Image, ImageDesc, Use};
use lab::{Case, Effort, Property, TestBench, Verdict};
use renderer::FrameParams;
use scene::motif::{Stage, Use as Used, UseEvent, UseFrame};
use scene::picture::Motif;
use scene::spring::Feel;
use scene::{HandSettings, SceneSettings, Source};
use techniques::Settings;

const SIZE: [u32; 2] = [400, 260];
const SCALE: f32 = 0.5;
/// Pixels of one frame that are looked for, both ways.
const FARTHEST: i32 = 64;
/// Frames by which the glass might be late, or early.
const LATEST: usize = 2;
const FRAMES: usize = 9;

pub struct Scrolled {
    hertz: f32,
    /// Dragged and thrown; otherwise by the wheel.
    is_thrown: bool,
    /// Frames by which the glass is late on purpose.
    late: usize,
    preset: &'static str,
}

/// Brightness of the rows of a frame: with glass and without.
pub struct Seen {
    picture: Vec<u8>,
    drawn: Vec<u8>,
}

pub struct Lag;

fn scrolled(input: &Scrolled, settings: &mut Settings) -> Vec<(UseFrame, SceneSettings)> {
    let size_px = Vec2::from(SIZE.map(|side| side as f32));
    let stage = Stage { size_px, free_px: size_px, scale: SCALE };
    let (mut used, feel) = (Used::default(), Feel::of(&HandSettings::default()));
    let scene = &mut settings.scene;
    (scene.source, scene.motif, scene.scroll) = (Source::Picture, Motif::List, 900.0);
    let mut frames = Vec::new();
    let at = |frame: usize| UseEvent::Moved(Vec2::new(200.0, 190.0 - 1.3 * (frame * frame) as f32));
    used.handle(at(0), scene, &stage, &feel);
    used.handle(if input.is_thrown { UseEvent::Pressed } else { UseEvent::Wheel(-4.0) }, scene, &stage, &feel);
    for frame in 1..=FRAMES + input.late {
        if input.is_thrown && frame <= FRAMES / 2 {
            used.handle(at(frame), scene, &stage, &feel);
        }
        if input.is_thrown && frame == FRAMES / 2 + 1 {
            used.handle(UseEvent::Released, scene, &stage, &feel);
        }
        used.advance(1.0 / input.hertz, scene, &stage, &feel);
        frames.push((used.frame(scene, &stage, &feel), scene.clone()));
    }
    frames
}

/// Rows by which the second image has moved up, by the smallest sum of differences in the middle of it.
fn moved(before: &[u8], after: &[u8], columns: impl Iterator<Item = usize> + Clone) -> i32 {
    let (width, rows) = (SIZE[0] as usize, FARTHEST as usize..SIZE[1] as usize - FARTHEST as usize);
    let cost = |by: i32| -> u64 {
        let row = |y: usize| {
            let other = (y as i32 + by) as usize;
            columns.clone().map(move |x| u64::from(before[other * width + x].abs_diff(after[y * width + x])))
        };
        rows.clone().flat_map(row).sum()
    };
    // The nearest of equal ones.
    (-FARTHEST..=FARTHEST).min_by_key(|by| (cost(*by), by.abs())).unwrap_or_default()
}

/// Sum of squares of what the glass moved more than the picture that many frames before.
fn apart(glass: &[i32], picture: &[i32], late: usize) -> i64 {
    let pairs = glass[LATEST..].iter().zip(&picture[LATEST - late..]);
    pairs.map(|(glass, picture)| i64::from(glass - picture).pow(2)).sum()
}

impl Property for Lag {
    const NAME: &'static str = "lag";
    type Input = Scrolled;
    type Output = Vec<Seen>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Scrolled>> {
        let all = [(60.0, false, "clear"), (30.0, true, "clear"), (144.0, true, "frosted"), (24.0, false, "frosted")];
        let case = |(hertz, is_thrown, preset): &(f32, bool, &'static str)| {
            let how = if *is_thrown { "thrown" } else { "by the wheel" };
            let input = Scrolled { hertz: *hertz, is_thrown: *is_thrown, late: 0, preset };
            Case::new(format!("a list of {preset} glass, {how}, {hertz} Hz"), input)
        };
        effort.of(&all, 2).iter().map(case).collect()
    }

    fn run(bench: &mut TestBench, input: &Scrolled) -> anyhow::Result<Vec<Seen>> {
        let mut settings = Settings::default().with_arguments(&["glass.adaptive=0"]);
        settings =
            settings.with_arguments(&[&format!("glass.preset={}", input.preset), "glass.shadow=0", "glass.adaptive=0"]);
        let frames = scrolled(input, &mut settings);
        let desc = ImageDesc::new("target", SIZE, Format::Rgba8, &[Use::Color, Use::Storage]);
        let target = Image::new(bench.gpu(), desc.aliases(&[Format::R32U]))?.mip(0);
        let mut renderers = [renderer(bench)?, renderer(bench)?];
        let mut seen = Vec::new();
        for (at, (now, scene)) in frames.iter().enumerate().skip(input.late) {
            settings.scene = scene.clone();
            let glass = &frames[at - input.late].0;
            let lenses = glass.lenses(settings.glass.lens_glass());
            // Without marks: the glass alone is looked for.
            let plain = now.unmarked();
            let mut draw = |renderer: usize, lenses: &[scene::Lens]| -> anyhow::Result<Vec<u8>> {
                let params = FrameParams { scale: SCALE, used: Some(&plain), ..FrameParams::of(&settings, lenses) };
                bench.run(|frame| renderers[renderer].record(frame, &params, &target))?;
                let texels: Vec<[u8; 4]> = bench.read(&target)?;
                Ok(texels.iter().map(|texel| texel[1]).collect())
            };
            seen.push(Seen { picture: draw(0, &[])?, drawn: draw(1, &lenses)? });
        }
        Ok(seen)
    }

    fn verdict(_: &Scrolled, seen: &Vec<Seen>) -> Verdict {
        let width = SIZE[0] as usize;
        // What the glass adds, around a middle grey: rims and highlights.
        let glass: Vec<Vec<u8>> = seen
            .iter()
            .map(|seen| {
                let pairs = seen.drawn.iter().zip(&seen.picture);
                pairs
                    .map(|(drawn, plain)| (128 + (i32::from(*drawn) - i32::from(*plain)).clamp(-127, 127)) as u8)
                    .collect()
            })
            .collect();
        let steps = |of: &dyn Fn(usize) -> i32| (1..seen.len()).map(of).collect::<Vec<i32>>();
        let picture = steps(&|at| moved(&seen[at - 1].picture, &seen[at].picture, 0..width));
        let drawn = steps(&|at| moved(&glass[at - 1], &glass[at], width / 4..3 * width / 4));
        let best = (0..=LATEST).min_by_key(|late| apart(&drawn, &picture, *late)).unwrap_or(LATEST);
        let differs = drawn.iter().zip(&picture).filter(|(glass, picture)| glass != picture).count();
        let ways = picture.windows(2).filter(|two| two[0] != two[1]).count();
        Verdict::at_least("changes of speed", ways as f64, 3.0)
            .and(Verdict::at_least("pixels in all", f64::from(picture.iter().map(|by| by.abs()).sum::<i32>()), 20.0))
            .and_at_most("frames of lag", best as f64, 0.0)
            .and_none("frames in which glass and picture move by different pixels", differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glass_of_the_frame_before_is_noticed() {
        let mut bench = TestBench::validated();
        for (late, is_thrown) in [(0, false), (1, false), (1, true)] {
            let input = Scrolled { hertz: 30.0, is_thrown, late, preset: "clear" };
            let seen = Lag::run(&mut bench, &input).unwrap();
            let verdict = Lag::verdict(&input, &seen);
            assert_eq!(verdict.passed, late == 0, "{}", verdict.text);
            assert!(verdict.text.contains(&format!("frames of lag {late}")), "{}", verdict.text);
        }
    }
}
