//! Floating-point operations of the lens, counted from its shaders' text as `work.rs` counts: one for each addition, product, division, root,
//! power, exponential and logarithm of a channel, and for each conversion of a colour. What is written twice counts once. Minima, signs,
//! comparisons, whole numbers, and what the sampler does within one look count nothing.

use super::model::lens::Glass;
use super::model::optics::{looks_of, sight};
use super::model::shape::{Lens, edge};
use super::tiles::{Part, Spans};
use super::variant::Variant;
use crate::gpu::{Format, PassWork};
use glam::Vec2;

/// Pixels of the bevel at most whose looks are counted one by one; the others have as many as these on average.
const SAMPLES_MOST: u64 = 1024;

// shape.glsl. `box_edge`: place 8, power of the corner 13, distance 6, slope 4 + 8 + 11, way to the outline 2, its two sides 8 + 4 each,
// curvature and curl 6 + 2 + 3, distance with curvature 10, pull 6.
const BOX_EDGE: u64 = 8 + 13 + 6 + 4 + 8 + 11 + 2 + 2 * (8 + 4) + 6 + 2 + 3 + 10 + 6;
// text_outline.glsl. Place 18, its part 4, two splines of 34, four rows of 33, way back from beyond the field 17, scale 11, curl 13, result 9.
const LETTERS_EDGE: u64 = 18 + 4 + 2 * 34 + 4 * 33 + 17 + 11 + 13 + 9;
// `melt_edges`: parts 3 + 2, distance 4, six numbers mixed.
const MELT: u64 = 3 + 2 + 4 + 6 * 3;

// optics.glsl and surface.glsl.
const TRAVEL: u64 = 6 + 2 + 1 + 1;
const DEPTH: u64 = 2;
const SURFACE: u64 = 2 + 1 + 2 + 2 + 2 + 2 + 3;
// Three rays, their places, the way between them, the offset.
const SIGHT: u64 = 2 + 3 * SURFACE + 2 + 3 * (TRAVEL + DEPTH + 2) + 5 + 5;
const SPLIT: u64 = 6 + 2 + 5 + 2 + 2 + DEPTH;
// Hidden 2, footprints 3 + 3, spectrum 4 + 2, width 6, reach and number 2, gap 2, rest 5.
const ROW: u64 = 2 + 3 + 3 + SPLIT + 4 + 2 + 6 + 2 + 2 + 5;
// A look of a row: its place 3 and weights 18, where it looks 5, sums 9.
const LOOK: u64 = 3 + 18 + 5 + 9;

// light.glsl and luminance_adaptation.glsl. `tone`: grey 5 + 9, hue 7 + 9 + 3, veil 1 + 9, tint 9.
const TONE: u64 = 5 + 9 + 7 + 9 + 3 + 1 + 9 + 9;
// The gain and its product.
const GAIN: u64 = 5 + 3;
const GLOWING: u64 = 9 + 15;
const ABSORBED: u64 = 3 + 3;
const FRESNEL: u64 = 13;
const TO_THE_48TH: u64 = 4 * 3 + 6;
// Mirror 5 + 1 + 5 + 9, slope of the light 3 + 4 + 5, gloss 9 + 6, caustic 9 + 9 + 15 + 8, their sum 33 + 6, rim 6 + 1 + 17, dark rim
// 3 + 6, companion 8, the result 11 + 8.
const LIGHT_BEVEL: u64 = 5 + FRESNEL + 1 + 5 + 9 + 12 + 9 + TO_THE_48TH + 6 + 41 + 39 + 24 + 9 + 8 + 19;
// Brightness of a lens among several.
const BRIGHTNESS: u64 = 12 + 5 + 3;
const LEGIBLE: u64 = 4 + 9;
const LEAN: u64 = 4;
// `left_outside`: wide 1 + 8 + 3, contact 2 + 7, contour 3 + 4; and the outline is dropped by 1.
const LIGHT_LEFT: u64 = 28 + 1;
/// The middle of the pixel, its encoding, its dither.
const FINISHED: u64 = 2 + 3 * 4 + 9;
/// A look beside the glass, and what the shadow leaves of it.
const AROUND: u64 = 2 + 3;

// sample_background.glsl. `sample_spline`: place 6, weights 4 + 12 + 10 + 2 + 6 + 4, two places of 8, four looks 27.
const SPLINE: u64 = 6 + 4 + 12 + 10 + 2 + 6 + 4 + 2 * 8 + 27;
// Level 4 + 1 + 1, two levels mixed.
const BICUBIC: u64 = 4 + 2 + 2 * SPLINE + 9;
// Level 4, rest 2 + 10, place 6, three weights and places of 32, nine looks of 7, the sum 8.
const WINDOW: u64 = 4 + 2 + 10 + 6 + 3 * 32 + 9 * 7 + 8;
// Root and step, 81 looks: place 4, coordinates 2, sum 3; the mean.
const BOX81: u64 = 2 + 81 * (4 + 2 + 3) + 3;
/// Level and coordinates.
const TRILINEAR: u64 = 4 + 2;

/// `look_at` of a variant: the variance, then the picture, its blur, or both mixed.
fn look(variant: &Variant) -> u64 {
    const VARIANCE: u64 = 3;
    let blurred = match variant.blur {
        0 => return VARIANCE + BOX81,
        1 => TRILINEAR,
        2 => 4,
        3 => 4 + SPLINE,
        4 => 2 + BICUBIC,
        _ => 2 + WINDOW,
    };
    // `frosted_part`: a smooth step of 6 + 1, or none where the blur takes the footprint in.
    let part = if variant.blur >= 4 { 1 } else { 8 };
    VARIANCE
        + match variant.frosted {
            0 => TRILINEAR,
            1 => TRILINEAR + blurred + part + 9,
            _ => blurred,
        }
}

fn outline(glass: &Glass) -> u64 {
    let one = |lens: &Lens| if lens.letters.is_some() { LETTERS_EDGE } else { BOX_EDGE };
    glass.lenses.used().iter().map(one).sum::<u64>() + MELT * (glass.lenses.count as u64).saturating_sub(1)
}

/// What all parts of the glass do with the picture below: brightness, tone, text, glow.
fn through(glass: &Glass) -> u64 {
    let several = if glass.lenses.count > 1 { BRIGHTNESS * glass.lenses.count as u64 + 1 } else { 0 };
    several + TONE + GAIN + if glass.legible.is_some() { LEGIBLE } else { 0 } + GLOWING
}

/// Operations of a pixel of a part, without its looks at the picture; and of each of those.
fn of_pixel(part: Part, glass: &Glass, target: Format) -> [u64; 2] {
    let variant = Variant::new(part, glass, target);
    let edge = outline(glass);
    match part {
        Part::Face => {
            let pull = if variant.magnifies != 0 { edge + 2 } else { 0 };
            [pull + 3 + through(glass) + FINISHED, look(&variant)]
        }
        Part::Shadow => [LIGHT_LEFT + edge + AROUND + FINISHED, 0],
        Part::Bevel | Part::Edge => {
            // Direction 4 + 2, stretch along the outline 2, mean 3, base 2, absorption 3, surroundings 7, facing 3, rim 3 + 4, companion 6.
            let bevel =
                edge + 6 + SIGHT + 2 + ROW + 3 + 2 + ABSORBED + 3 + 7 + 3 + 13 + LEAN + through(glass) + LIGHT_BEVEL;
            // The outline again where its shadow is, and what both leave, mixed.
            let outside = if part == Part::Edge { 1 + LIGHT_LEFT + edge + AROUND + 9 } else { 0 };
            [bevel + outside + FINISHED, LOOK + look(&variant)]
        }
    }
}

/// Looks of all pixels of a part of the bevel.
fn looks(glass: &Glass, spans: &Spans, part: Part) -> u64 {
    let pixels = spans.pixels(part);
    let step = (pixels as f64 / SAMPLES_MOST as f64).sqrt().ceil().max(1.0) as u32;
    let (first, count) = spans.of(part);
    let (mut sum, mut samples) = (0, 0);
    // Each row of samples begins elsewhere: sides of lenses are often straight.
    let places = |from: u32, to: u32, shift: u32| (from..to).filter(move |n| (n + shift) % step == step / 2);
    for [left, top, right, bottom] in &spans.list[first as usize..(first + count) as usize] {
        for y in places(*top, *bottom, 0) {
            for x in places(*left, *right, 3 * (y / step)) {
                let e = edge(&glass.lenses, Vec2::new(x as f32, y as f32) + 0.5);
                // Less only in the valley between lenses that melt.
                let tilt = 1.0;
                let seen = sight(e.d, e.bevel, tilt, &glass.bevel, &glass.optics);
                sum += u64::from(looks_of(&seen, &glass.optics, glass.frost));
                samples += 1;
            }
        }
    }
    (sum as f64 * pixels as f64 / f64::from(samples.max(1))).round() as u64
}

/// `glass/lens`, drawn or dispatched.
pub(super) fn lens(glass: &Glass, spans: &Spans, target: Format) -> PassWork {
    let of_part = |part: Part| {
        let ([pixel, look], pixels) = (of_pixel(part, glass, target), spans.pixels(part));
        let looks = match part {
            Part::Face => pixels,
            Part::Shadow => 0,
            Part::Bevel | Part::Edge => looks(glass, spans, part),
        };
        pixel * pixels + look * looks
    };
    PassWork::flops(Part::ALL.into_iter().map(of_part).sum())
}

#[cfg(test)]
mod tests {
    use super::super::checks::planned;
    use super::super::reference::{self, GlassScene};
    use super::super::settings::{Blur, GlassSettings};
    use super::super::tiles::spans;
    use super::*;
    use glam::UVec2;

    const TARGET: Format = Format::Rgba8;

    fn glass(settings: &GlassSettings, at: &[Vec2]) -> Glass {
        let lenses: Vec<_> = at.iter().map(|at| settings.lens(*at, 1.0)).collect();
        settings.glass(&lenses, 1.0)
    }

    /// Counted by hand from the text of the shaders, function by function.
    #[test]
    fn counts_of_one_pixel() {
        assert_eq!((BOX_EDGE, LETTERS_EDGE, MELT, SIGHT, ROW), (103, 272, 27, 98, 48));
        assert_eq!((TONE, LIGHT_BEVEL, SPLINE, BICUBIC, WINDOW), (52, 218, 87, 189, 189));
        let clear = glass(&GlassSettings { frost: 0.0, ..Default::default() }, &[Vec2::splat(200.0)]);
        // The face: a trilinear look 9, body 3, tone 52, gain 8, glow 24, display 23.
        assert_eq!(of_pixel(Part::Face, &clear, TARGET), [3 + 52 + 8 + 24 + 23, 9]);
        assert_eq!(of_pixel(Part::Shadow, &clear, TARGET), [29 + 103 + 5 + 23, 0]);
        let [bevel, look] = of_pixel(Part::Bevel, &clear, TARGET);
        assert_eq!((bevel, look), (103 + 497 + 23, 35 + 9));
        assert_eq!(of_pixel(Part::Edge, &clear, TARGET), [bevel + 1 + 29 + 103 + 5 + 9, look]);
        // Two lenses: another outline and its melting, and the brightness of both.
        let two = glass(&GlassSettings { frost: 0.0, ..Default::default() }, &[Vec2::splat(200.0), Vec2::splat(300.0)]);
        assert_eq!(of_pixel(Part::Bevel, &two, TARGET), [bevel + 103 + 27 + 2 * 20 + 1, look]);
        for (blur, frost, expected) in [
            (Blur::Box81, 4.0, 3 + 734),
            (Blur::Trilinear, 4.0, 9),
            (Blur::Kawase, 12.0, 3 + 4),
            (Blur::Preblur, 12.0, 3 + 91),
            (Blur::Preblur, 0.7, 3 + 6 + 91 + 8 + 9),
            (Blur::Bicubic, 12.0, 3 + 191),
            (Blur::Window, 12.0, 3 + 191),
        ] {
            let glass = glass(&GlassSettings { blur, frost, ..Default::default() }, &[Vec2::splat(200.0)]);
            assert_eq!(of_pixel(Part::Face, &glass, TARGET)[1], expected, "{blur:?} {frost}");
        }
    }

    /// The looks of a sample of the pixels against those of every pixel by the CPU reference, which shares nothing with the count.
    #[test]
    fn looks_are_those_of_the_reference() {
        let size = UVec2::new(640, 400);
        for (taps, frost) in [(9, 0.0), (16, 2.0), (1, 0.0)] {
            let settings = GlassSettings { taps, frost, ..Default::default() };
            let scene = GlassScene::one(&settings, Vec2::new(310.3, 203.9), 1.0);
            let glass = planned(&scene);
            let spans = spans(&glass.lenses, &glass.outskirts(), size);
            let truth = reference::Glass::new(&scene);
            for part in [Part::Bevel, Part::Edge] {
                let (first, count) = spans.of(part);
                let mut exact = 0;
                for [left, top, right, bottom] in &spans.list[first as usize..(first + count) as usize] {
                    for (x, y) in (*top..*bottom).flat_map(|y| (*left..*right).map(move |x| (x, y))) {
                        let e = truth.edge(Vec2::new(x as f32, y as f32) + 0.5);
                        exact += truth.row(&e, &truth.sight(&e).0).looks.len() as u64;
                    }
                }
                let counted = looks(&glass, &spans, part);
                // About 1000 samples of 1 to 16 looks: a standard error of 3 % at most.
                assert!(
                    exact > 1000 && counted.abs_diff(exact) * 100 < 6 * exact,
                    "{taps} {part:?}: {counted}, {exact}"
                );
                assert!(taps != 1 || counted == exact, "{part:?}: one look each");
            }
            // All parts together.
            let [faces, shadows] = [Part::Face, Part::Shadow].map(|part| spans.pixels(part));
            let [face, shadow] = [Part::Face, Part::Shadow].map(|part| of_pixel(part, &glass, TARGET));
            let edges = [Part::Bevel, Part::Edge].map(|part| {
                let [pixel, look] = of_pixel(part, &glass, TARGET);
                pixel * spans.pixels(part) + look * looks(&glass, &spans, part)
            });
            let all = faces * (face[0] + face[1]) + shadows * shadow[0] + edges[0] + edges[1];
            assert_eq!(lens(&glass, &spans, TARGET), PassWork::flops(all));
        }
    }
}
