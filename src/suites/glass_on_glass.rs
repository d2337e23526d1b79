//! Check of lenses of different glass over each other, as a whole frame draws them: the reference draws one body after the other, each over
//! the picture that the one before has left.

use glam::{UVec2, Vec2, Vec3};
use glass::{
    GlassSettings, GlassStack,
    lab::reference::{
        Glass, GlassScene,
        lens::{Below, render},
        luminance_adaptation::{State, mean},
        picture::{Level, Picture},
    },
};
use gpu::{Format, Gpu, Image, ImageDesc, Use};
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use renderer::{Background, FrameParams, LoadMode, Renderer, WorldLoader};
use scene::{
    Lens, LensOutline, Preset, Source,
    picture::{Motif, paint},
};
use techniques::Settings;

const SIZE: [u32; 2] = [280, 170];
const SCALE: f32 = 0.5;
const MOTIF: Motif = Motif::Dusk;
/// Mean, 99th percentile in 8-bit steps. One body has 0.5 and 4, with 0.26 and 2.6 more where it is frosted
/// (`glass/lab/checks.rs`). A body above shows the errors of the one below, moved, and adds its own.
const OF_ONE: [f64; 2] = [0.76, 6.6];
/// That of one body: the worst pixels of two bodies are not at the same place. Observed: worst 8 (Mesa 25.0.7).
const LARGEST: f64 = 32.0;

/// From the bottom up.
pub(super) type Bodies = Vec<(GlassSettings, Vec<Lens>)>;

pub struct GlassOnGlass;

fn lens(x: f32, y: f32, half: [f32; 2], angle: f32) -> Lens {
    let outline = LensOutline { exponent: 4.5, angle: angle.to_degrees(), ..LensOutline::default() };
    Lens { center: Vec2::new(x, y), outline: outline.sized(Vec2::from(half)), ..Lens::default() }
}

/// One lens of each style, from the left down to the right, each over a part of the one before.
pub(super) fn stair(styles: &[Preset], [width, height]: [u32; 2]) -> Bodies {
    let size = UVec2::new(width, height).as_vec2();
    let body = |(at, style): (usize, &Preset)| {
        let part = (at as f32 + 1.0) / (styles.len() as f32 + 1.0);
        let center = size * Vec2::new(0.3 + 0.4 * part, 0.36 + 0.28 * part);
        (GlassSettings::default().styled(*style), vec![lens(center.x, center.y, [150.0, 100.0], 0.15 - 0.3 * part)])
    };
    styles.iter().enumerate().map(body).collect()
}

pub(super) fn lenses_of(bodies: &Bodies) -> Vec<Lens> {
    let own = |(settings, lenses): &(GlassSettings, Vec<Lens>)| {
        let glass = settings.lens_glass();
        lenses.iter().map(|lens| Lens { glass, ..*lens }).collect::<Vec<_>>()
    };
    bodies.iter().flat_map(own).collect()
}

pub(super) fn over_picture() -> Settings {
    let mut settings = Settings::default();
    (settings.scene.source, settings.scene.motif) = (Source::Picture, MOTIF);
    settings
}

pub(super) fn renderer(bench: &TestBench) -> anyhow::Result<Renderer> {
    let worlds = WorldLoader::new(None, LoadMode::Block);
    Ok(Renderer::new(bench.gpu(), Background::new(None, LoadMode::Block), worlds)?)
}

pub(super) fn agrees(bench: &mut TestBench, styles: &[Preset]) -> anyhow::Result<bool> {
    let bodies = stair(styles, SIZE);
    let gpu = GlassOnGlass::gpu(bench, &bodies)?;
    Ok(GlassOnGlass::agree(&bodies, &GlassOnGlass::cpu(&bodies), &gpu).passed)
}

fn picture() -> Picture {
    Picture::of_rgba(SIZE, &paint(MOTIF, SIZE).rgba)
}

fn bytes(level: &Level) -> Vec<[u8; 3]> {
    level.texels.iter().map(|c| (c.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|c| c as u8)).collect()
}

fn drawn(bodies: &Bodies, mut picture: Picture) -> Picture {
    for (settings, lenses) in bodies {
        let mut scene = GlassScene::new(settings, lenses, SCALE);
        let glass = Glass::new(&scene);
        let bright = |lens| State::next(None, mean(&picture, lens), 1.0, glass.system.is_some()).1;
        scene.bright = glass.lenses.iter().map(bright).collect();
        let drawn = render(&picture, &Glass::new(&scene));
        // Each body is drawn into a picture of bytes.
        picture = Picture::new(drawn.map(|c| (c.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round() / 255.0));
    }
    picture
}

/// Whether a body or its shadow is at a pixel.
fn touched(bodies: &Bodies) -> Vec<bool> {
    let (picture, size) = (picture(), UVec2::from_array(SIZE));
    let mut touched = vec![false; size.element_product() as usize];
    for (settings, lenses) in bodies {
        let glass = Glass::new(&GlassScene::new(settings, lenses, SCALE));
        let below = Below::new(&picture, &glass);
        for (at, touched) in (0..).zip(&mut touched) {
            let middle = UVec2::new(at % size.x, at / size.x).as_vec2() + 0.5;
            *touched = *touched || below.shade(&glass, middle).is_some();
        }
    }
    touched
}

impl Reference for GlassOnGlass {
    const NAME: &'static str = "glass on glass";
    type Input = Bodies;
    type Output = Vec<[u8; 3]>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Bodies>> {
        use Preset::{Amber, Clear, Frosted, Pill, SystemRegular, Tinted};
        let mut cases = vec![
            Case::new("tinted, clear above it", stair(&[Tinted, Clear], SIZE)),
            Case::new("clear, frosted, amber", stair(&[Clear, Frosted, Amber], SIZE)),
        ];
        if effort == Effort::Full {
            let mut melting = stair(&[Tinted, Clear], SIZE);
            melting[1].1.push(lens(60.0, 100.0, [100.0, 80.0], 0.4));
            cases.push(Case::new("tinted, two that melt above it", melting));
            cases.push(Case::new("amber, clear above it", stair(&[Amber, Clear], SIZE)));
            let four = stair(&[Pill, SystemRegular, Clear, Tinted], SIZE);
            cases.push(Case::new("four layers", four));
        }
        cases
    }

    fn cpu(bodies: &Bodies) -> Vec<[u8; 3]> {
        bytes(&drawn(bodies, picture()).encoded)
    }

    fn gpu(bench: &mut TestBench, bodies: &Bodies) -> anyhow::Result<Vec<[u8; 3]>> {
        let (mut renderer, settings, lenses) = (renderer(bench)?, over_picture(), lenses_of(bodies));
        let layers = GlassStack::new(&settings.glass, &lenses, SCALE, SIZE).layers();
        anyhow::ensure!(layers == bodies.len(), "{layers} layers of {} bodies", bodies.len());
        let target = Image::new(bench.gpu(), ImageDesc::new("target", SIZE, Format::Rgba8, &[Use::Color]))?.mip(0);
        let params = FrameParams { scale: SCALE, ..FrameParams::of(&settings, &lenses) };
        bench.run(|frame| renderer.record(frame, &params, &target))?;
        let texels: Vec<[u8; 4]> = bench.read(&target)?;
        Ok(texels.iter().map(|texel| [texel[0], texel[1], texel[2]]).collect())
    }

    fn agree(bodies: &Bodies, cpu: &Vec<[u8; 3]>, gpu: &Vec<[u8; 3]>) -> Verdict {
        let (mut errors, mut strayed) = (Vec::new(), 0_u32);
        for ((cpu, gpu), touched) in cpu.iter().zip(gpu).zip(touched(bodies)) {
            if touched {
                errors.extend([0, 1, 2].map(|c| f64::from(cpu[c].abs_diff(gpu[c]))));
            } else {
                strayed += u32::from(cpu != gpu);
            }
        }
        let [mean, most_of_99] = OF_ONE.map(|most| most * bodies.len() as f64);
        Verdict::at_most("changed pixels outside", f64::from(strayed), 0.0).and(Verdict::within(
            "glass, 8-bit steps",
            &Errors::of(errors),
            [mean, most_of_99, LARGEST],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glass_that_does_not_see_the_glass_below_it_is_noticed() {
        let bodies = stair(&[Preset::Tinted, Preset::Clear], SIZE);
        let cpu = GlassOnGlass::cpu(&bodies);
        assert!(GlassOnGlass::agree(&bodies, &cpu, &cpu).passed);
        let [lower, upper] = [&bodies[..1], &bodies[1..]].map(|some| bytes(&drawn(&some.to_vec(), picture()).encoded));
        let below = bytes(&picture().encoded);
        let parts = upper.iter().zip(&lower).zip(&below);
        let blind: Vec<_> = parts.map(|((upper, lower), below)| *if upper == below { lower } else { upper }).collect();
        let verdict = GlassOnGlass::agree(&bodies, &cpu, &blind);
        assert!(!verdict.passed, "{}", verdict.text);
        let turned: Bodies = bodies.iter().rev().cloned().collect();
        assert!(!GlassOnGlass::agree(&bodies, &cpu, &GlassOnGlass::cpu(&turned)).passed);
    }
}
