//! Check of text on glass: the contrast of every drawn pixel.

use super::checks::{Pixels, drawn, painted, planned, test_picture};
use super::reference::light::LUMA;
use super::reference::picture::{Level, Picture};
use super::reference::text_contrast::{CELL, CONTRAST};
use super::reference::{Glass, GlassScene, Ink};
use crate::settings::GlassSettings;
use base::srgb::decode;
use glam::{UVec2, Vec2, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Property, TestBench, Verdict};
use media::difference::Errors;
use scene::picture::Motif;

const SIZE: UVec2 = UVec2::new(480, 300);

pub struct TextCase {
    picture: Picture,
    scene: GlassScene,
    ink: Ink,
}

fn labelled(picture: Picture, frost: f32, luminance: f32) -> TextCase {
    let settings = GlassSettings { frost, half_width: 220.0, half_height: 130.0, ..Default::default() };
    let ink = Ink { luminance, strength: 1.0 };
    TextCase { picture, scene: GlassScene::one(&settings, Vec2::new(243.0, 151.0), 0.9), ink }
}

fn pictures(effort: Effort) -> Vec<(&'static str, Picture)> {
    let white = Picture::new(Level::filled(SIZE, Vec3::ONE));
    let mut all =
        vec![("white", white), ("the test picture", test_picture(SIZE)), ("paper", painted(Motif::Paper, SIZE))];
    if effort == Effort::Full {
        all.extend([("dusk", painted(Motif::Dusk, SIZE)), ("code", painted(Motif::Code, SIZE))]);
    }
    all
}

/// Drawn text has the contrast, and a picture with enough of it is unchanged.
pub struct ContrastOracle;

impl Property for ContrastOracle {
    const NAME: &'static str = "contrast of text";
    type Input = TextCase;
    /// With the shade, and without.
    type Output = [Pixels; 2];

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<TextCase>> {
        let looks = [(0.0, 1.0), (9.0, 1.0), (9.0, 0.4)];
        let one = |name: &str, picture: Picture, (frost, ink): (f32, f32)| {
            Case::new(format!("text of {ink} over {name}, frost {frost}"), labelled(picture, frost, ink))
        };
        let all = pictures(effort).into_iter();
        all.flat_map(|(name, picture)| looks.map(|look| one(name, picture.clone(), look))).collect()
    }

    fn run(bench: &mut TestBench, input: &TextCase) -> anyhow::Result<Self::Output> {
        let mut draw = |ink| drawn(bench, &input.picture, &planned(&GlassScene { ink, ..input.scene.clone() }));
        Ok([draw(Some(input.ink))?, draw(None)?])
    }

    fn verdict(input: &TextCase, [shaded, plain]: &Self::Output) -> Verdict {
        let glass = Glass::new(&input.scene);
        let (mut lacking, mut beyond, mut changed, mut cells) = (Vec::new(), Vec::new(), 0_u32, 0_u32);
        let luminance = |pixels: &Pixels, at: UVec2| {
            let pixel = pixels[(at.y * SIZE.x + at.x) as usize];
            Vec3::from_array([0, 1, 2].map(|c| decode(f32::from(pixel[c]) / 255.0))).dot(LUMA)
        };
        let cell = CELL as u32;
        let side = f64::from(CELL);
        for (x, y) in (0..SIZE.y / cell).flat_map(|y| (0..SIZE.x / cell).map(move |x| (x * cell, y * cell))) {
            let middle = Vec2::new(x as f32, y as f32) + 0.5 * CELL as f32;
            // The whole cell is on the face.
            let e = glass.edge(middle);
            if -e.d < e.bevel + side {
                continue;
            }
            cells += 1;
            // Four pixels at once.
            let block = |pixels: &Pixels, i: u32| {
                let at = UVec2::new(x + i % 4 * 2, y + i / 4 * 2);
                [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(x, y)| luminance(pixels, at + UVec2::new(x, y)))
                    .iter()
                    .sum::<f32>()
                    / 4.0
            };
            let ground = |pixels: &Pixels| {
                let looks: [f32; 16] = std::array::from_fn(|i| block(pixels, i as u32));
                let mean = looks.iter().sum::<f32>() / 16.0;
                let squares = looks.iter().map(|y| y * y).sum::<f32>() / 16.0;
                (mean + (squares - mean * mean).max(0.0).sqrt()).min(looks.into_iter().fold(0.0, f32::max))
            };
            let contrast = |pixels: &Pixels| (input.ink.luminance + 0.05) / (ground(pixels) + 0.05);
            lacking.push(f64::from((CONTRAST - contrast(shaded)).max(0.0)));
            let shade_here = contrast(shaded) > 1.02 * contrast(plain);
            if shade_here {
                beyond.push(f64::from(contrast(shaded) / CONTRAST.max(contrast(plain))));
            } else if contrast(plain) < CONTRAST - 0.3 {
                changed += 1;
            }
        }
        let shaded_cells = beyond.len();
        if beyond.is_empty() {
            beyond.push(1.0); // nothing needs a shade
        }
        let least = |errors: &[f64], part| Errors::of(errors.iter().copied()).part(part);
        let enough = Verdict::that(cells > 500, format!("{cells} cells, {shaded_cells} of them shaded"));
        let drawn = shaded.iter().filter(|pixel| pixel[3] != 0).count() as f64 / shaded.len().max(1) as f64;
        // Channels are rounded and dithered, half a step each, which changes a contrast of 4.5 by 0.07; footprints widen
        // what the frost shows. Observed: worst 0.02, and 0.03 at most (Mesa 25.0.7). A sampler that rounds its place to
        // 1/256 between black and white changes white text's by 0.08 along each axis and between levels.
        enough
            .and(Verdict::at_least("part of the pixels that is drawn", drawn, 0.1))
            .and(Verdict::at_most("contrast lacking, 99 %", least(&lacking, 0.99), 0.12))
            .and(Verdict::at_most("most", least(&lacking, 1.0), 0.35))
            .and(Verdict::at_most("cells too bright without a shade", f64::from(changed), 0.0))
            // The brightest of four cells decides. Observed: worst 1.06 (Mesa 25.0.7).
            .and(Verdict::at_most("times the contrast needed, middle", least(&beyond, 0.5), 1.15))
    }
}
