//! Check of the brightness below lenses against the CPU reference, through changes of the picture.

use super::checks::{Fixture, planned, test_picture};
use super::luminance_adaptation::{Adapt, FOLLOW_S};
use super::reference::luminance_adaptation::{State, mean};
use super::reference::picture::{Level, Picture};
use super::reference::{Glass, GlassScene};
use super::settings::{GlassSettings, OpticsModel};
use super::uniforms::GlassBlock;
use crate::base::difference::Errors;
use crate::gpu::Gpu;
use crate::lab::{Case, Effort, Reference, TestBench, Verdict};
use crate::scene::{Lens, Shape};
use glam::{UVec2, Vec2, Vec3};

/// Frames of the same lenses, a picture and a time for each.
pub struct Film {
    scene: GlassScene,
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
        let at = |x, y, size| Lens { angle: 0.4, ..settings.placed(Vec2::new(x, y), size) };
        let some = [at(60.0, 50.0, 0.2), at(200.0, 120.0, 0.3), at(320.0, 215.0, 0.25), at(160.0, 100.0, 2.0)];
        let grey =
            |v: f32| Picture::new(Level { size: SIZE, texels: vec![Vec3::splat(v); (SIZE.x * SIZE.y) as usize] });
        let frames = vec![
            (test_picture(SIZE), 0.0),
            (grey(0.9), 0.1),
            (grey(0.55), 0.1),
            (grey(0.35), 0.2),
            (test_picture(SIZE), 0.05),
            (grey(0.2), 0.1),
            (grey(0.9), 10.0),
        ];
        let of = |settings: &GlassSettings, lenses: &[Lens]| Film {
            scene: GlassScene::new(settings, lenses, 1.0),
            frames: frames.clone(),
        };
        let film = |lenses: &[Lens]| of(&settings, lenses);
        let system = GlassSettings { optics: OpticsModel::System, ..settings.clone() };
        let rounded = Lens { shape: Shape::Rounded, radius: 8.0, ..some[1] };
        vec![
            Case { name: "one lens".into(), input: film(&some[1..2]) },
            Case { name: "four lenses".into(), input: film(&some) },
            Case { name: "a rounded rectangle".into(), input: film(&[rounded]) },
            Case { name: "the system's glass".into(), input: of(&system, &some[1..2]) },
        ]
    }

    fn cpu(film: &Film) -> Vec<f32> {
        let glass = Glass::new(&film.scene);
        let mut states = vec![None; glass.lenses.len()];
        let mut given = Vec::new();
        for (picture, seconds) in &film.frames {
            for (state, lens) in states.iter_mut().zip(&glass.lenses) {
                let (next, bright) =
                    State::next(*state, mean(picture, lens), seconds / FOLLOW_S, glass.system.is_some());
                *state = Some(next);
                given.push(bright);
            }
        }
        given
    }

    fn gpu(bench: &mut TestBench, film: &Film) -> anyhow::Result<Vec<f32>> {
        let (mut adapt, glass) = (Adapt::new(bench.gpu())?, planned(&film.scene));
        let mut given = Vec::new();
        for (picture, seconds) in &film.frames {
            let stage = Fixture::new(bench, picture)?;
            adapt.pass_time(*seconds);
            let block = bench.run(|frame| {
                let block = frame.data("glass", &[GlassBlock::new(&glass)])?;
                adapt.record(frame, stage.below(None).chain, &glass, &block)?;
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
        let film = Film { scene: GlassScene::new(&GlassSettings::default(), &[], 1.0), frames: Vec::new() };
        let passes = |gpu: &[f32]| BrightnessOracle::agree(&film, &vec![0.25, 0.5], &gpu.to_vec()).passed;
        assert!(passes(&[0.25, 0.50005]));
        for wrong in [&[0.25, f32::NAN][..], &[f32::NAN, 0.5], &[0.25, 0.6], &[0.25], &[0.25, 0.5, 0.5], &[]] {
            assert!(!passes(wrong), "{wrong:?}");
        }
    }
}
