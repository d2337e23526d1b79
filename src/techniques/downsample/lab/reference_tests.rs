//! Tests of the CPU reference against another implementation.

use super::reference::{Bytes, Plane, downsampled};
use crate::{settings::Method, taps::pixel_weights};
use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::F32x4;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use glam::DVec4;
use lab::test_picture;

const SIZES: [([u32; 2], [u32; 2]); 5] =
    [([64, 48], [16, 12]), ([97, 61], [24, 15]), ([100, 75], [37, 29]), ([45, 33], [44, 32]), ([40, 90], [1, 1])];

/// The picture reduced by another library: four floats a pixel, alpha a channel like the others.
fn theirs(rgba: &[u8], from: [u32; 2], to: [u32; 2], how: ResizeAlg) -> Vec<[f32; 4]> {
    let pixels: Vec<F32x4> =
        rgba.as_chunks::<4>().0.iter().map(|pixel| F32x4::new(pixel.map(|byte| f32::from(byte) / 255.0))).collect();
    let source = TypedImageRef::new(from[0], from[1], &pixels).unwrap();
    let mut result = TypedImage::<F32x4>::new(to[0], to[1]);
    // The general call would compile the library for all of its pixels.
    let options = ResizeOptions::new().resize_alg(how).use_alpha(false);
    Resizer::new().resize_typed(&source, &mut result, &options).unwrap();
    result.pixels().iter().map(|pixel| pixel.0).collect()
}

fn worst(ours: &Plane, theirs: &[[f32; 4]]) -> f64 {
    assert_eq!(ours.texels.len(), theirs.len());
    let off = |(a, b): (&DVec4, &[f32; 4])| (*a - DVec4::from_array(b.map(f64::from))).abs().max_element();
    ours.texels.iter().zip(theirs).map(off).fold(0.0, f64::max)
}

#[test]
fn another_library_makes_the_same() {
    for (from, to) in SIZES {
        let rgba = test_picture(from);
        let source = Bytes { size: from, rgba: &rgba, linear: false };
        for (method, how) in [
            (Method::Nearest, ResizeAlg::Nearest),
            (Method::Bilinear, ResizeAlg::Interpolation(FilterType::Bilinear)),
            (Method::Bicubic, ResizeAlg::Interpolation(FilterType::CatmullRom)),
            (Method::CatmullRom, ResizeAlg::Convolution(FilterType::CatmullRom)),
            (Method::Mitchell, ResizeAlg::Convolution(FilterType::Mitchell)),
            (Method::Lanczos3, ResizeAlg::Convolution(FilterType::Lanczos3)),
        ] {
            let off = worst(&downsampled(method, &source, to), &theirs(&rgba, from, to, how));
            assert!(off < 1e-5, "{} {from:?} to {to:?}: {off}", method.name());
        }
    }
}

#[test]
fn skipped_pixels_do_not_count() {
    let read =
        |method| pixel_weights(method, [64, 64], [8, 8], (1, false)).texels.iter().filter(|w| w.abs() > 1e-9).count();
    assert_eq!(read(Method::Nearest), 64);
    assert_eq!(read(Method::Bilinear), 64 * 4);
    assert_eq!(read(Method::Bicubic), 64 * 16);
    for method in [Method::AreaCompute, Method::RasterChain, Method::Lanczos3, Method::Tap13, Method::Kawase] {
        assert_eq!(read(method), 64 * 64, "{}", method.name());
    }
    // A box chain's level is the mean of its area; between levels the tent spreads each pixel's weight.
    let of = |to, is_tent| pixel_weights(Method::MipChain, [64, 64], to, (7, is_tent)).texels;
    assert!(of([8, 8], false).iter().all(|weight| (weight - 1.0).abs() < 1e-9));
    let apart = of([5, 5], false).iter().zip(of([5, 5], true)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart > 0.05, "{apart}");
}
