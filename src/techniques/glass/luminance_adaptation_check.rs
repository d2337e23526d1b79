//! Check of the brightness below lenses against the CPU reference, through changes of the picture.

use super::checks::{Fixture, test_picture};
use super::luminance_adaptation::{Adapt, FOLLOW_S};
use super::model::lens::Glass;
use super::model::luminance_adaptation::{State, mean};
use super::model::picture::{Level, Picture};
use super::settings::GlassSettings;
use super::uniforms::GlassBlock;
use crate::base::difference::Errors;
use crate::gpu::Gpu;
use crate::lab::{Case, Effort, Reference, TestBench, Verdict};
use glam::{UVec2, Vec2, Vec3};

/// Frames of the same lenses, a picture and a time for each.
pub struct Film {
    glass: Glass,
    frames: Vec<(Picture, f32)>,
}

/// The brightness that each lens is given, frame by frame.
pub struct BrightnessOracle;

const SIZE: UVec2 = UVec2::new(333, 217);

impl Reference for BrightnessOracle {
    const NAME: &'static str = "brightness";
    type Input = Film;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Film>> {
        let settings = GlassSettings::default();
        let at = |x, y, size| settings.lens(Vec2::new(x, y), size).turned(0.4);
        let some = [at(60.0, 50.0, 0.2), at(200.0, 120.0, 0.3), at(320.0, 215.0, 0.25), at(160.0, 100.0, 2.0)];
        let grey =
            |v: f32| Picture::new(Level { size: SIZE, texels: vec![Vec3::splat(v); (SIZE.x * SIZE.y) as usize] });
        let frames = vec![
            (test_picture(SIZE), 0.0),
            (grey(0.9), 0.1),
            (grey(0.55), 0.1),
            (test_picture(SIZE), 0.05),
            (grey(0.2), 0.1),
            (grey(0.9), 10.0),
        ];
        let film = |lenses: &[_]| Film { glass: settings.glass(lenses, 1.0), frames: frames.clone() };
        vec![
            Case { name: "one lens".into(), input: film(&some[1..2]) },
            Case { name: "four lenses".into(), input: film(&some) },
            Case { name: "a capsule".into(), input: film(&[some[1].with_corner(Vec2::splat(8.0))]) },
        ]
    }

    fn cpu(film: &Film) -> Vec<f32> {
        let mut states = vec![None; film.glass.lenses.count];
        let mut given = Vec::new();
        for (picture, seconds) in &film.frames {
            for (state, lens) in states.iter_mut().zip(film.glass.lenses.used()) {
                let (next, bright) = State::next(*state, mean(picture, lens), seconds / FOLLOW_S);
                *state = Some(next);
                given.push(bright);
            }
        }
        given
    }

    fn gpu(bench: &mut TestBench, film: &Film) -> anyhow::Result<Vec<f32>> {
        let mut adapt = Adapt::new(bench.gpu())?;
        let mut given = Vec::new();
        for (picture, seconds) in &film.frames {
            let stage = Fixture::new(bench, picture)?;
            adapt.pass_time(*seconds);
            let block = bench.run(|frame| {
                let block = frame.data("glass", &[GlassBlock::new(&film.glass)])?;
                adapt.record(frame, stage.below(None).chain, &film.glass, &block)?;
                Ok(block)
            })?;
            let blocks: Vec<GlassBlock> = bench.read_buffer(&block)?;
            given.extend(blocks.iter().flat_map(|block| block.brightness()));
        }
        Ok(given)
    }

    fn agree(_: &Film, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        Verdict::within("brightness", &Errors::between(cpu, gpu), [1e-4; 3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_or_missing_does_not_pass() {
        let film = Film { glass: GlassSettings::default().glass(&[], 1.0), frames: Vec::new() };
        let passes = |gpu: &[f32]| BrightnessOracle::agree(&film, &vec![0.25, 0.5], &gpu.to_vec()).passed;
        assert!(passes(&[0.25, 0.50005]));
        for wrong in [&[0.25, f32::NAN][..], &[f32::NAN, 0.5], &[0.25, 0.6], &[0.25], &[0.25, 0.5, 0.5], &[]] {
            assert!(!passes(wrong), "{wrong:?}");
        }
    }
}
