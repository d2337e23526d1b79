//! The outputs of the glass by its reference.

use crate::readers::Npy;
use ::glass::{Blur, lab::reference as glass};
use base::srgb;
use glam::{UVec2, Vec2};
use media::picture::Picture;

pub const LENS_HALF: Vec2 = Vec2::new(16.0, 12.0);

/// The picture and 64 px around it as the frost's input has it: for a pre-blur of 4 to 8 px, texels of 4 px with a Gaussian less the variance
/// of its read, a third of a texel for the spline and a sixth for one tap.
pub fn frosted_around(picture: &glass::picture::Picture, blur: Blur, sigma: f32) -> glass::picture::Level {
    let side = if blur == Blur::Kawase { 1 } else { 4 };
    let light = match blur {
        Blur::Kawase => None,
        _ => {
            let read = 16.0 / if blur == Blur::Preblur { 3.0 } else { 6.0 };
            // Middles of texels are between four pixels, whose mean has a quarter of a pixel's variance.
            Some(glass::blur::gaussian(&picture.chain[0], (sigma * sigma - read - 0.25).sqrt()))
        }
    };
    let blurred = glass::blur::Blurred::new(picture, blur, sigma.into());
    let size = (picture.size() + 128).map(|n| n.div_ceil(side));
    let texel = |at: u32| {
        let point = (UVec2::new(at % size.x, at / size.x).as_vec2() + 0.5) * side as f32 - 64.0;
        let uv = point / picture.size().as_vec2();
        light.as_ref().map_or_else(|| blurred.at(point, sigma.into()), |light| light.sample(uv))
    };
    glass::picture::Level { size, texels: (0..size.element_product()).map(texel).collect() }
}

/// Mean brightness of the pixels below a lens at `center` (fractions of the picture).
pub fn brightness_around(picture: &Picture, center: Vec2) -> f32 {
    let center = center * UVec2::from_array(picture.size).as_vec2();
    let (low, high) = ((center - LENS_HALF * 0.85).as_uvec2(), (center + LENS_HALF * 0.85).as_uvec2());
    let (mut sum, mut count) = (0.0, 0.0);
    for (x, y) in (low.y..high.y).flat_map(|y| (low.x..high.x).map(move |x| (x, y))) {
        let [r, g, b, _] = picture.pixel(x, y).map(|byte| srgb::LINEAR_OF_BYTE[usize::from(byte)]);
        sum += 0.2126 * r + 0.7152 * g + 0.0722 * b;
        count += 1.0;
    }
    (sum / count).powf(1.0 / 2.2)
}

/// Checks that the saved array is exactly one part of the reference's.
pub fn assert_one_place(saved: &Npy, made: &glass::picture::Level, blur: &str) {
    let [height, width] = [saved.shape[0] as u32, saved.shape[1] as u32];
    assert!(height > 8 && width > 8 && height <= made.size.y && width <= made.size.x, "{blur}: {width}x{height}");
    assert_ne!((width, height), (made.size.x, made.size.y), "{blur}: a part around the lenses");
    let light = saved.light();
    let is_at = |x0: u32, y0: u32| {
        (0..height * width).all(|at| {
            let texel = made.texels[((y0 + at / width) * made.size.x + x0 + at % width) as usize];
            (light[at as usize].truncate().as_vec3() - texel).abs().max_element() < 4e-3
        })
    };
    let places = (0..=made.size.y - height).flat_map(|y| (0..=made.size.x - width).map(move |x| (x, y)));
    let found: Vec<_> = places.filter(|(x, y)| is_at(*x, *y)).collect();
    assert_eq!(found.len(), 1, "{blur}: {width}x{height} is at {found:?}");
    assert!(light.iter().all(|light| light.w == 1.0));
}
