//! Check of the brightness below lenses against the CPU reference, through changes of the picture.

use super::checks::{Fixture, planned, test_picture};
use super::reference::luminance_adaptation::{State, mean};
use super::reference::picture::{Level, Picture};
use super::reference::{Glass, GlassScene};
use crate::light::luminance_adaptation::Adapt;
use crate::passes::uniforms::GpuLens;
use crate::settings::{GlassSettings, OpticsModel};
use glam::{UVec2, Vec2, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use scene::{Lens, LensOutline, Shape};

pub struct Film {
    scene: GlassScene,
    frames: Vec<FilmFrame>,
}

#[derive(Clone)]
struct FilmFrame {
    picture: Picture,
    seconds: f32,
    lenses: Vec<usize>,
}

pub struct BrightnessOracle;

const SIZE: UVec2 = UVec2::new(333, 217);

impl Reference for BrightnessOracle {
    const NAME: &'static str = "brightness";
    type Input = Film;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Film>> {
        let settings = GlassSettings::default();
        let at = |x, y, size| settings.placed(Vec2::new(x, y)).scaled(size).turned(0.4_f32.to_degrees());
        let some = [at(60.0, 50.0, 0.2), at(200.0, 120.0, 0.3), at(320.0, 215.0, 0.25), at(160.0, 100.0, 2.0)];
        let grey =
            |v: f32| Picture::new(Level { size: SIZE, texels: vec![Vec3::splat(v); (SIZE.x * SIZE.y) as usize] });
        let frames = vec![
            (test_picture(SIZE), 0.0),
            (grey(0.9), 0.1),
            (grey(0.9), 0.43),
            (grey(0.55), 0.05),
            (grey(0.35), 0.31),
            (grey(0.35), 0.27),
            (test_picture(SIZE), 0.05),
            (grey(0.2), 0.31),
            (grey(0.2), 0.13),
            (grey(0.2), 0.1),
            (grey(0.9), 0.47),
            // It turns, and fades to a quarter.
            (grey(0.9), 0.05),
            (grey(0.9), 10.0),
        ];
        // 20 Hz from a dark picture on, then a bright one that stays.
        let flashes = (0..8).map(|frame| (grey(if frame % 2 == 0 { 0.2 } else { 0.9 }), 0.11));
        let flashes: Vec<_> = flashes.chain((0..3).map(|_| (grey(0.9), 0.21))).collect();
        let all = |(picture, seconds): &(Picture, f32), lenses: usize| FilmFrame {
            picture: picture.clone(),
            seconds: *seconds,
            lenses: (0..lenses).collect(),
        };
        let with = |settings: &GlassSettings, lenses: &[Lens], frames: &[(Picture, f32)]| Film {
            scene: GlassScene::new(settings, lenses, 1.0),
            frames: frames.iter().map(|frame| all(frame, lenses.len())).collect(),
        };
        let of = |settings: &GlassSettings, lenses: &[Lens]| with(settings, lenses, &frames);
        let film = |lenses: &[Lens]| of(&settings, lenses);
        let system = GlassSettings { optics: OpticsModel::System, ..settings.clone() };
        let outline = LensOutline { shape: Shape::Rounded, radius: 8.0, ..some[1].outline };
        let rounded = Lens { outline, ..some[1] };
        // Between both turns each lens keeps its class, wherever it is in the list.
        let texels = (0..SIZE.element_product()).map(|at| Vec3::splat(if at % SIZE.x < 150 { 0.2 } else { 0.9 }));
        let halves = Picture::new(Level { size: SIZE, texels: texels.collect() });
        let moves: [&[usize]; 5] = [&[0, 1, 2], &[1, 0, 2], &[2, 1, 0], &[1, 0], &[1]];
        let moves = moves.iter().enumerate().map(|(at, lenses)| FilmFrame {
            picture: if at == 0 { halves.clone() } else { grey(0.56) },
            seconds: 0.05,
            lenses: lenses.to_vec(),
        });
        let moving = Film { scene: GlassScene::new(&settings, &some[..3], 1.0), frames: moves.collect() };
        vec![
            Case::new("one lens", film(&some[1..2])),
            Case::new("four lenses", film(&some)),
            Case::new("a rounded rectangle", film(&[rounded])),
            Case::new("the system's glass", of(&system, &some[1..2])),
            Case::new("flashes", with(&settings, &some[1..2], &flashes)),
            Case::new("lenses that change places and go", moving),
        ]
    }

    fn cpu(film: &Film) -> Vec<f32> {
        let glass = Glass::new(&film.scene);
        let mut states = vec![None; glass.lenses.len()];
        let mut given = Vec::new();
        for FilmFrame { picture, seconds, lenses } in &film.frames {
            for &lens in lenses {
                let mean = mean(picture, &glass.lenses[lens]);
                let (next, bright) = State::next(states[lens], mean, *seconds, glass.system.is_some());
                states[lens] = Some(next);
                given.push(bright);
            }
        }
        given
    }

    fn gpu(bench: &mut TestBench, film: &Film) -> anyhow::Result<Vec<f32>> {
        let (mut adapt, scene) = (Adapt::new(bench.gpu())?, &film.scene);
        let mut given = Vec::new();
        for FilmFrame { picture, seconds, lenses } in &film.frames {
            let shown = lenses.iter().map(|lens| scene.lenses[*lens]).collect();
            let glass = planned(&GlassScene { lenses: shown, ..scene.clone() });
            let stage = Fixture::new(bench, picture)?;
            adapt.pass_time(*seconds);
            let lenses = bench.run(|frame| {
                let lenses = frame.data("glass lenses", &GpuLens::of(glass.lenses.lens.iter()))?;
                adapt.begin();
                adapt.record(frame, stage.below(None).chain, &[glass], &lenses)?;
                Ok(lenses)
            })?;
            let lenses: Vec<GpuLens> = bench.read_buffer(&lenses)?;
            given.extend(lenses.iter().map(|lens| lens.bright));
        }
        Ok(given)
    }

    fn agree(_: &Film, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        // Observed: worst below 5e-5 (Mesa 25.0.7).
        Verdict::within("brightness", &Errors::between(cpu, gpu), [1e-4; 3])
    }
}
