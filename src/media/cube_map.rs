//! Cube maps of OpenEXR as equirectangular pictures (`ImfEnvmap.h` of OpenEXR: six faces one below the other, +x, -x, +y, -y, +z, -z).

use super::pixels::LightPicture;
use std::f32::consts::{PI, TAU};

/// Of a picture six times as high as wide: equirectangular, with OpenEXR's longitude and latitude, at the resolution of the faces' middles.
pub fn unfolded(cube: &LightPicture) -> LightPicture {
    let face = cube.size[0];
    let size = [4 * face, 2 * face];
    let [width, height] = size.map(|side| side as f32);
    let texel = |index: u32| {
        let (x, y) = (index % size[0], index / size[0]);
        let longitude = TAU * (0.5 - (x as f32 + 0.5) / width);
        let latitude = PI * (0.5 - (y as f32 + 0.5) / height);
        sample(cube, face, direction(longitude, latitude))
    };
    LightPicture { size, texels: (0..size[0] * size[1]).map(texel).collect() }
}

fn direction(longitude: f32, latitude: f32) -> [f32; 3] {
    [longitude.sin() * latitude.cos(), latitude.sin(), longitude.cos() * latitude.cos()]
}

fn sample(cube: &LightPicture, face: u32, direction: [f32; 3]) -> [f32; 3] {
    let last = face - 1;
    let (number, [x, y]) = place(direction);
    let [x, y] = [x, y].map(|part| part * last as f32);
    let [left, top] = [x, y].map(|at| (at as u32).min(last));
    let [right, bottom] = [left, top].map(|at| (at + 1).min(last));
    let texel = |x: u32, y: u32| cube.texels[((number * face + y) * cube.size[0] + x) as usize];
    let mix = |a: [f32; 3], b: [f32; 3], part: f32| [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part);
    let row = |y: u32| mix(texel(left, y), texel(right, y), x - left as f32);
    mix(row(top), row(bottom), y - top as f32)
}

/// Face, and the place on it: 0..1 from its left and top.
fn place([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let [wide, high, deep] = [x.abs(), y.abs(), z.abs()];
    let most = wide.max(high).max(deep);
    let [x, y, z] = [x, y, z].map(|part| (part / most + 1.0) / 2.0);
    if wide >= high && wide >= deep {
        if x > 0.5 { (0, [z, 1.0 - y]) } else { (1, [1.0 - z, 1.0 - y]) }
    } else if high >= deep {
        if y > 0.5 { (2, [x, 1.0 - z]) } else { (3, [x, z]) }
    } else if z > 0.5 {
        (4, [1.0 - x, 1.0 - y])
    } else {
        (5, [x, 1.0 - y])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_face_is_where_openexr_has_it_and_edges_meet() {
        let face = 16;
        let mut texels = vec![[0.0; 3]; face * face * 6];
        for longitude in 0..720 {
            for latitude in 0..=360 {
                let [longitude, latitude] =
                    [longitude as f32, latitude as f32 - 180.0].map(|half| (half / 2.0).to_radians());
                let d = direction(longitude, latitude);
                let (number, [x, y]) = place(d);
                let [x, y] = [x, y].map(|part| (part * 15.0).round() as usize);
                let most = d.map(f32::abs).into_iter().fold(0.0, f32::max);
                texels[(number as usize * face + y) * face + x] = d.map(|part| 1.0 + part / most);
            }
        }
        for (number, axis) in [0, 0, 1, 1, 2, 2].into_iter().enumerate() {
            let middle = texels[(number * face + 8) * face + 8];
            let wanted = if number % 2 == 0 { 2.0 } else { 0.0 };
            assert_eq!(middle[axis], wanted, "face {number}");
        }
        let around = unfolded(&LightPicture { size: [16, 96], texels });
        assert_eq!(around.size, [64, 32]);
        let at = |x: usize, y: usize| around.texels[y * 64 + x];
        let [middle, left, top] = [at(32, 16), at(16, 16), at(32, 0)];
        assert!(middle[2] > 1.9 && left[0] > 1.9 && top[1] > 1.9, "{middle:?} {left:?} {top:?}");
        for (a, b) in (0..63).flat_map(|x| (0..32).map(move |y| (at(x, y), at(x + 1, y)))) {
            assert!((0..3).all(|c| (a[c] - b[c]).abs() < 0.5), "{a:?} {b:?}");
        }
    }
}
