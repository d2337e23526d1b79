//! Another size of B: its lenses, and its picture at the size of A.

use glam::{UVec2, Vec2};
use media::difference::{Difference, compare, ssim};
use media::picture::Picture;
use scene::Lens;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDifference {
    pub numbers: Difference,
    pub ssim: f64,
    /// Size of B where it differs from that of A: both were compared at A's size.
    pub scaled_from: Option<[u32; 2]>,
}

impl PairDifference {
    pub fn of([a, b]: [Picture; 2]) -> anyhow::Result<Self> {
        let scaled_from = (b.size != a.size).then_some(b.size);
        let b = nearest(b, a.size);
        Ok(Self { numbers: compare(&a, &b)?, ssim: ssim(&a, &b)?, scaled_from })
    }
}

pub fn resized(lenses: &[Lens], from: [u32; 2], to: [u32; 2]) -> (Vec<Lens>, f32) {
    let ratio = UVec2::from_array(to).as_vec2() / UVec2::from_array(from).as_vec2().max(Vec2::ONE);
    let factor = ratio.min_element();
    let lens = |lens: &Lens| Lens { center: lens.center * ratio, ..*lens };
    (lenses.iter().map(lens).collect(), factor)
}

fn nearest(picture: Picture, size: [u32; 2]) -> Picture {
    if picture.size == size {
        return picture;
    }
    let place = |at: u32, axis: usize| {
        let [from, to] = [size, picture.size].map(|size| u64::from(size[axis]));
        ((2 * u64::from(at) + 1) * to / (2 * from.max(1))) as u32
    };
    Picture::from_fn(size, |x, y| picture.pixel(place(x, 0), place(y, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_has_the_texel_over_its_middle() {
        let small = Picture::from_fn([2, 3], |x, y| [x as u8, y as u8, 7, 255]);
        assert_eq!(nearest(small.clone(), [2, 3]), small);
        let large = nearest(small.clone(), [5, 3]);
        assert_eq!((0..5).map(|x| large.pixel(x, 1)[0]).collect::<Vec<_>>(), [0, 0, 1, 1, 1]);
        let less = nearest(small, [1, 2]);
        assert_eq!([less.pixel(0, 0), less.pixel(0, 1)], [[1, 0, 7, 255], [1, 2, 7, 255]]);
    }

    #[test]
    fn lenses_keep_their_place_and_their_shape() {
        let lens = Lens { center: Vec2::new(50.0, 20.0), ..Lens::default() }.sized(Vec2::new(10.0, 5.0));
        let (lenses, factor) = resized(&[lens], [100, 40], [200, 60]);
        let half = lenses[0].half(factor);
        assert_eq!((factor, lenses[0].center, half), (1.5, Vec2::new(100.0, 30.0), Vec2::new(15.0, 7.5)));
    }
}
