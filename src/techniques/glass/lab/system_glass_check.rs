//! Check of the system's glass against the published figures themselves, not by way of the reference: what greys become, how far a ruler is
//! displaced, and that nothing else happens.

use super::checks::{Pixels, bytes, drawn, planned};
use super::reference::GlassScene;
use super::reference::picture::{Level, Picture};
use crate::settings::{GlassSettings, Material, Preset};
use base::srgb;
use glam::{UVec2, Vec2, Vec3};
use gpu::Gpu;
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use scene::{Lens, LensOutline, Shape};

/// Slope and offset in 8-bit steps of encoded values: macOS 26.3, measured by crabtalk/bezel, pull requests 9 and 10.
const LINES: [(Material, f64, f64); 4] = [
    (Material::ClearLight, 1.041, 19.0),
    (Material::ClearDark, 0.712, 25.0),
    (Material::RegularLight, 0.142, 212.0),
    (Material::RegularDark, 0.139, 41.0),
];
/// Width of the quarter circle and displacement at the edge, points: iOS 27, measured by flutter_liquid_glass.
const WIDTH: f64 = 20.0;
const AMOUNT: f64 = 60.0;
/// On the capsule: an earlier reading of crabtalk/bezel.
const CAPSULE_WIDTH: f64 = 27.0;

#[derive(Clone, Copy)]
pub enum Measured {
    Greys(Material, [f64; 2]),
    /// Displacement at each pixel from the middle of a side inwards; `down`: along y.
    Ruler {
        size: [f32; 2],
        radius: f32,
        down: bool,
        bevel: f64,
    },
    Interior,
    Fringe,
    /// Slope, offset, slope of colours.
    Edge(Material, [f64; 3]),
    /// At the edge they are seen, on the face hardly; the mean follows the line.
    Stripes(Material, [f64; 2]),
}

/// Numbers, and the most by which each may differ.
pub struct SystemOracle;

const GREYS: [u8; 5] = [0, 64, 128, 192, 255];
/// Pixels between the middle of a side and the begin of its ruler.
const BEFORE: f64 = 8.0;
/// Pixels, and encoded ends.
const RULER: f64 = 84.0;
const ENDS: [f32; 2] = [0.1, 0.95];
/// Encoded.
const COLOR: [f64; 3] = [0.8, 0.4, 0.2];
const EDGE: u32 = 24;
/// Their dither differs.
const ROWS: u32 = 24;

fn settings(preset: Preset, material: Material) -> GlassSettings {
    GlassSettings { material, ..GlassSettings::default().styled(preset) }
}

fn draw(bench: &mut TestBench, picture: &Picture, scene: &GlassScene) -> anyhow::Result<Pixels> {
    drawn(bench, picture, &planned(scene))
}

fn painted(size: UVec2, color: impl Fn(UVec2) -> Vec3) -> Picture {
    let texels = (0..size.element_product()).map(|at| color(UVec2::new(at % size.x, at / size.x)));
    Picture::new(Level { size, texels: texels.collect() })
}

fn random(at: UVec2, round: u32) -> Vec3 {
    let mut state = at.x.wrapping_mul(0x9E37_79B9) ^ at.y.wrapping_mul(0x85EB_CA6B) ^ round.wrapping_mul(0xC2B2_AE35);
    Vec3::from_array(std::array::from_fn(|_| {
        state = (state ^ (state >> 15)).wrapping_mul(0x2C1B_3C6D);
        state = (state ^ (state >> 12)).wrapping_mul(0x297A_2D39) ^ 0x5bd1;
        ((state >> 16) & 0xff) as f32 / 255.0
    }))
}

/// Clear dark glass cuts no value off.
fn scene_of(size: [f32; 2], radius: f32) -> (GlassScene, UVec2) {
    let half = 0.5 * Vec2::from_array(size);
    let frame = (half * 2.0 + 40.0).as_uvec2();
    let settings = GlassSettings { shadow: 0.0, ..settings(Preset::SystemClear, Material::ClearDark) };
    let (center, shape) = (frame.as_vec2() * 0.5, Shape::Rounded);
    let outline = LensOutline { shape, radius, exponent: 2.0, ..settings.outline() }.sized(half);
    let lens = Lens { outline, ..settings.placed(center) };
    // It would hide the outermost pixel.
    let settings = GlassSettings { rim: 0.0, ..settings };
    (GlassScene::new(&settings, &[lens], 1.0), frame)
}

/// Encoded; linear light rises evenly.
fn mark(at: f64) -> f32 {
    let [low, high] = ENDS.map(srgb::decode);
    srgb::encode(low + (high - low) * (at / RULER).clamp(0.0, 1.0) as f32)
}

fn place_of(encoded: f32) -> f64 {
    let [low, high] = ENDS.map(srgb::decode);
    f64::from((srgb::decode(encoded) - low) / (high - low)) * RULER
}

fn depths(bevel: f64) -> impl Iterator<Item = u32> {
    0..(bevel + 12.0) as u32
}

fn ruler(bench: &mut TestBench, [size, [radius, bevel]]: [[f32; 2]; 2], down: bool) -> anyhow::Result<Vec<f64>> {
    let (scene, frame) = scene_of(size, radius);
    let axis = usize::from(down);
    let first = (f64::from(frame.as_vec2()[axis]) - f64::from(size[axis])) * 0.5;
    let begin = first - BEFORE;
    let picture = painted(frame, |at| Vec3::splat((mark(f64::from(at[axis]) + 0.5 - begin) * 255.0).round() / 255.0));
    let shown = draw(bench, &picture, &scene)?;
    let middle = (frame[1 - axis] - ROWS) / 2;
    let value = |depth: u32| {
        let along = first as u32 + depth;
        let pixels = (middle..middle + ROWS).map(|across| if down { [across, along] } else { [along, across] });
        pixels.map(|[x, y]| f64::from(shown[(y * frame.x + x) as usize][0])).sum::<f64>() / f64::from(ROWS)
    };
    let (_, slope, offset) = LINES[1];
    Ok(depths(bevel.into())
        .map(|depth| {
            place_of(((value(depth) - offset) / slope / 255.0) as f32) + begin - (first + f64::from(depth) + 0.5)
        })
        .collect())
}

/// Pixels that change where only others' texels change, or keep their bytes where their own changes by much.
fn interior(bench: &mut TestBench) -> anyhow::Result<Vec<f64>> {
    let (scene, frame) = scene_of([96.0, 80.0], 24.0);
    let picture = |round: u32, odd: u32| {
        painted(frame, |at| {
            let is_changed = (at.x + at.y) % 2 == odd;
            let base = random(at, 1);
            if round > 0 && is_changed { (base + 0.5) % 1.0 } else { base }
        })
    };
    let inside = |at: UVec2| {
        let from_edge = at.as_vec2() + 0.5 - frame.as_vec2() * 0.5;
        let depth = (Vec2::new(48.0, 40.0) - from_edge.abs()).min_element();
        // Beyond the rounded corners as well.
        depth > WIDTH as f32 + 8.0
    };
    let plain = draw(bench, &picture(0, 0), &scene)?;
    let mut wrong = [0.0; 2];
    for odd in 0..2 {
        let changed = draw(bench, &picture(1, odd), &scene)?;
        for at in (0..frame.element_product()).map(|at| UVec2::new(at % frame.x, at / frame.x)).filter(|at| inside(*at))
        {
            let index = (at.y * frame.x + at.x) as usize;
            let is_changed = (at.x + at.y) % 2 == odd;
            wrong[usize::from(is_changed)] += f64::from(u8::from((plain[index] == changed[index]) == is_changed));
        }
    }
    Ok(wrong.into())
}

fn fringe(bench: &mut TestBench) -> anyhow::Result<Vec<f64>> {
    let settings = settings(Preset::SystemClear, Material::ClearLight);
    let size = UVec2::new(200, 140);
    let lens = settings.placed(size.as_vec2() * 0.5).sized(Vec2::new(80.0, 50.0));
    let scene = GlassScene::new(&settings, &[lens], 1.0);
    let picture = painted(size, |at| Vec3::splat(if (at.x / 5 + at.y / 9) % 2 == 0 { 0.0 } else { 1.0 }));
    let shown = draw(bench, &picture, &scene)?;
    let apart = |texel: &[u8; 4]| {
        let [low, high] = [texel[..3].iter().min(), texel[..3].iter().max()].map(|c| c.copied().unwrap_or(0));
        f64::from(high - low)
    };
    let changed = shown.iter().zip(bytes(&picture.encoded)).filter(|(a, b)| *a != b).count();
    anyhow::ensure!(changed > 10_000, "only {changed} pixels are glass");
    Ok(vec![shown.iter().map(apart).fold(0.0, f64::max)])
}

fn greys(bench: &mut TestBench, material: Material) -> anyhow::Result<Vec<f64>> {
    let preset = if material.is_regular() { Preset::SystemRegular } else { Preset::SystemClear };
    let settings = settings(preset, material);
    let size = UVec2::new(160, 120);
    let lens = settings.placed(size.as_vec2() * 0.5).sized(Vec2::new(60.0, 45.0));
    let scene = GlassScene::new(&settings, &[lens], 1.0);
    let mut shown = Vec::new();
    for grey in GREYS {
        let picture = painted(size, |_| Vec3::splat(f32::from(grey) / 255.0));
        let pixels = draw(bench, &picture, &scene)?;
        // The worst around the middle, by the channel furthest from the mean.
        let around = (50..70_usize).flat_map(|y| (70..90_usize).map(move |x| y * 160 + x));
        let channels: Vec<f64> = around.flat_map(|at| [0, 1, 2].map(|c| f64::from(pixels[at][c]))).collect();
        let mean = channels.iter().sum::<f64>() / channels.len() as f64;
        let worst = channels.iter().copied().max_by(|a, b| (a - mean).abs().total_cmp(&(b - mean).abs()));
        shown.push(worst.unwrap_or(f64::NAN));
    }
    Ok(shown)
}

/// From the middle of the left side inwards, means of rows.
fn edge(bench: &mut TestBench, material: Material) -> anyhow::Result<Vec<f64>> {
    let settings = GlassSettings { rim: 0.0, shadow: 0.0, radius: 15.0, ..settings(Preset::SystemRegular, material) };
    let size = UVec2::new(160, 120);
    let lens = settings.placed(size.as_vec2() * 0.5).sized(Vec2::new(60.0, 45.0));
    let scene = GlassScene::new(&settings, &[lens], 1.0);
    let picture = painted(size, |_| Vec3::from_array(COLOR.map(|channel| channel as f32)));
    let shown = draw(bench, &picture, &scene)?;
    let value = |depth: u32, channel: usize| {
        let rows = (size.y - ROWS) / 2..(size.y + ROWS) / 2;
        rows.map(|y| f64::from(shown[(y * size.x + 20 + depth) as usize][channel])).sum::<f64>() / f64::from(ROWS)
    };
    Ok((0..EDGE).flat_map(|depth| [0, 1, 2].map(|channel| value(depth, channel))).collect())
}

/// By the line, which the luma follows to the edge; of the colours three tenths stay at the edge itself, none on the
/// face. Light glass is darker by what a channel has above its white.
fn expected_edge([slope, offset, colours]: [f64; 3]) -> Vec<f64> {
    let luma = 0.2126 * COLOR[0] + 0.7152 * COLOR[1] + 0.0722 * COLOR[2];
    let channels = |depth: u32| {
        let open = 1.0 - (f64::from(depth) + 0.5).min(WIDTH) / WIDTH;
        let part = colours + (1.0 - colours) * 0.3 * open;
        let shown = COLOR.map(|channel| slope * luma + offset + part * (channel - luma));
        let above = if offset > 0.7 { (shown[0].max(shown[1]).max(shown[2]) - slope - offset).max(0.0) } else { 0.0 };
        shown.map(|channel| (channel - above).clamp(0.0, 1.0) * 255.0)
    };
    (0..EDGE).flat_map(channels).collect()
}

/// Pixels: far above the frost at the edge, below what counts as the brightness around.
const STRIPE: u32 = 16;
const STRIPES: [f64; 2] = [0.4, 0.6];

/// Half the contrast left by a Gaussian: the series of a square wave at its peak.
fn blurred_stripes(sigma: f64) -> f64 {
    let wave = |k: i32| {
        let n = f64::from(2 * k + 1);
        let frequency = std::f64::consts::TAU * n / f64::from(STRIPE) * sigma;
        (if k % 2 == 0 { 1.0 } else { -1.0 }) / n * (-0.5 * frequency * frequency).exp()
    };
    0.5 * (STRIPES[1] - STRIPES[0]) * 4.0 / std::f64::consts::PI * (0..20).map(wave).sum::<f64>()
}

/// By the line: at the edge eight tenths of the look have half of the frost, and eight tenths of what differs from the
/// mean are added, 0.08 at most.
fn expected_stripes([slope, offset]: [f64; 2]) -> Vec<f64> {
    let mean = slope * 255.0 * 0.5 * (STRIPES[0] + STRIPES[1]) + offset;
    let frost = if offset > 100.0 { 6.0 } else { 3.5 };
    // The mean at the edge is of 2.5 px inside it.
    let open = 1.0 - 2.5 / WIDTH;
    let [frosted, clear] = [frost, 0.5 * frost].map(blurred_stripes);
    let seen = frosted + (clear - frosted) * 0.8 * open;
    let differs = 0.8 * open * seen;
    let edge = slope * seen + 0.08 * differs / (0.08 + differs);
    vec![mean, 2.0 * 255.0 * edge, mean, 2.0 * 255.0 * slope * frosted]
}

/// At the edge and on the face: mean, and darkest to brightest.
fn stripes(bench: &mut TestBench, material: Material) -> anyhow::Result<Vec<f64>> {
    let settings = GlassSettings { rim: 0.0, shadow: 0.0, radius: 15.0, ..settings(Preset::SystemRegular, material) };
    let size = UVec2::new(160, 120);
    let lens = settings.placed(size.as_vec2() * 0.5).sized(Vec2::new(60.0, 45.0));
    let scene = GlassScene { bright: vec![1.0], ..GlassScene::new(&settings, &[lens], 1.0) };
    let picture = painted(size, |at| Vec3::splat(STRIPES[(at.y / (STRIPE / 2) % 2) as usize] as f32));
    let shown = draw(bench, &picture, &scene)?;
    let rows = (size.y / 2 - STRIPE)..(size.y / 2 + STRIPE);
    let at = |from: u32, to: u32| {
        let row = |y: u32| {
            (from..to).map(|x| f64::from(shown[(y * size.x + 20 + x) as usize][1])).sum::<f64>() / f64::from(to - from)
        };
        let all: Vec<f64> = rows.clone().map(row).collect();
        let [low, high] = [all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(f64::MIN, f64::max)];
        [all.iter().sum::<f64>() / all.len() as f64, high - low]
    };
    Ok([at(1, 4), at(40, 56)].concat())
}

impl Reference for SystemOracle {
    const NAME: &'static str = "system";
    type Input = Measured;
    type Output = Vec<f64>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Measured>> {
        let greys = LINES.map(|(material, slope, offset)| {
            Case::new(format!("greys, {}", material.name()), Measured::Greys(material, [slope, offset]))
        });
        let rulers = [
            ("a box of 96", [96.0, 96.0], 24.0, false, WIDTH),
            ("a box of 320", [320.0, 320.0], 24.0, false, WIDTH),
            ("a capsule of 460x120", [460.0, 120.0], 60.0, true, CAPSULE_WIDTH),
            // A quarter of the shorter side.
            ("a box of 40", [40.0, 60.0], 10.0, false, 10.0),
        ];
        let rulers = rulers.map(|(name, size, radius, down, bevel)| {
            Case::new(format!("ruler below {name}"), Measured::Ruler { size, radius, down, bevel })
        });
        let others = [
            ("interior", Measured::Interior),
            ("fringe", Measured::Fringe),
            ("edge, light", Measured::Edge(Material::RegularLight, [0.142, 212.0 / 255.0, 0.142 * 2.55])),
            ("edge, dark", Measured::Edge(Material::RegularDark, [0.139, 41.0 / 255.0, 0.311 * 2.55])),
        ];
        // The material that follows the picture is light over a bright one.
        let [_, _, light, dark] = LINES;
        let stripes = [light, dark, (Material::Regular, light.1, light.2)];
        let stripes = stripes.map(|(material, slope, offset)| {
            Case::new(format!("stripes, {}", material.name()), Measured::Stripes(material, [slope, offset]))
        });
        let others = others.map(|(name, input)| Case::new(name, input));
        greys.into_iter().chain(rulers).chain(others).chain(stripes).collect()
    }

    fn cpu(measured: &Measured) -> Vec<f64> {
        match *measured {
            Measured::Greys(_, [slope, offset]) => {
                GREYS.map(|grey| (slope * f64::from(grey) + offset).min(255.0)).into()
            }
            Measured::Ruler { bevel, .. } => {
                let at = |depth: u32| {
                    let t = 1.0 - (f64::from(depth) + 0.5).min(bevel) / bevel;
                    // A narrower bevel displaces less, as if all were scaled.
                    AMOUNT * bevel / WIDTH * (1.0 - (1.0 - t * t).sqrt())
                };
                depths(bevel).map(at).collect()
            }
            Measured::Interior => vec![0.0; 2],
            Measured::Fringe => vec![0.0],
            Measured::Edge(_, line) => expected_edge(line),
            Measured::Stripes(_, line) => expected_stripes(line),
        }
    }

    fn gpu(bench: &mut TestBench, measured: &Measured) -> anyhow::Result<Vec<f64>> {
        match *measured {
            Measured::Greys(material, _) => greys(bench, material),
            Measured::Ruler { size, radius, down, bevel } => ruler(bench, [size, [radius, bevel as f32]], down),
            Measured::Interior => interior(bench),
            Measured::Fringe => fringe(bench),
            Measured::Edge(material, _) => edge(bench, material),
            Measured::Stripes(material, _) => stripes(bench, material),
        }
    }

    /// Greys and colours: rounding and dither add half a step each. Observed in the others: worst 0.80 px of the ruler;
    /// of stripes 0.53 in the mean, 1.5 in the contrast at the edge and 0.36 on the face (Mesa 25.0.7).
    fn agree(measured: &Measured, cpu: &Vec<f64>, gpu: &Vec<f64>) -> Verdict {
        let worst = Errors::of(cpu.iter().zip(gpu).map(|(a, b)| a - b)).max();
        let missing = Verdict::at_most("numbers too many or too few", cpu.len().abs_diff(gpu.len()) as f64, 0.0);
        missing.and(match measured {
            Measured::Greys(..) => Verdict::at_most("greys, steps of 1/255", worst, 1.0),
            Measured::Edge(..) => Verdict::at_most("edge, steps of 1/255", worst, 1.0),
            Measured::Ruler { .. } => Verdict::at_most("ruler, px", worst, 1.0),
            Measured::Stripes(..) => {
                let off = |at: usize| cpu.iter().zip(gpu).nth(at).map_or(f64::NAN, |(a, b)| (a - b).abs());
                let verdict = |what, at: usize, most| Verdict::at_most(what, off(at), most);
                verdict("mean at the edge, steps of 1/255", 0, 1.5)
                    .and(verdict("mean on the face, steps of 1/255", 2, 1.5))
                    .and(verdict("contrast at the edge, steps of 1/255", 1, 2.5))
                    .and(verdict("contrast on the face, steps of 1/255", 3, 2.0))
            }
            Measured::Interior => {
                Verdict::at_most("interior pixels that follow other texels, or not their own", worst, 0.0)
            }
            Measured::Fringe => Verdict::at_most("channels apart, steps of 1/255", worst, 0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruler_is_read_as_it_was_marked() {
        for at in [0.0, 1.5, 36.0, 71.0] {
            assert!((place_of(mark(at)) - at).abs() < 0.01, "{at}");
        }
    }
}
