//! Surrounding picture in place of the computed sky: its levels, and its light.

use super::{
    frame::{DARKEST, GROUND, SceneBlock, WHITE, exposure},
    settings::ShadeSettings,
};
use glam::Vec3;
use media::{
    light_picture::LightPicture,
    resample::{Crop, cover},
};
use std::f32::consts::PI;

const MOST_COLUMNS: u32 = 4096;
const SUMMED_ROWS: u32 = 32;

pub struct SkyPicture {
    /// From the largest to a row of two texels.
    pub levels: Vec<LightPicture>,
    pub on_ground: Vec3,
    pub horizon: Vec3,
}

impl SkyPicture {
    /// 1 is white paper; stretched to twice as wide as high.
    pub fn new(picture: &LightPicture) -> Self {
        let columns = picture.size[0].max(2 * picture.size[1]).clamp(4, MOST_COLUMNS).next_power_of_two();
        let columns = if columns > MOST_COLUMNS { MOST_COLUMNS } else { columns };
        let mut level = stretched(picture, [columns, columns / 2]);
        level.texels.iter_mut().flatten().for_each(|value| *value = (*value * WHITE).min(60_000.0));
        let mut levels = vec![level];
        while levels[levels.len() - 1].size[1] > 1 {
            levels.push(halved(&levels[levels.len() - 1]));
        }
        let summed = levels.iter().find(|level| level.size[1] <= SUMMED_ROWS).unwrap_or(&levels[0]);
        let (on_ground, horizon) = (on_ground(summed), horizon(summed));
        Self { levels, on_ground, horizon }
    }

    /// The picture contains the sun.
    pub fn lit(&self, block: &SceneBlock, settings: &ShadeSettings) -> SceneBlock {
        let white = self.on_ground.dot(Vec3::new(0.2126, 0.7152, 0.0722)).max(DARKEST);
        SceneBlock {
            sun_light: Vec3::ZERO,
            sky_light: Vec3::ZERO,
            clouds: 0.0,
            stars: 0.0,
            fill: self.on_ground,
            ground: GROUND * self.on_ground,
            haze_rayleigh: Vec3::ZERO,
            haze_mie: Vec3::ZERO,
            haze_fill: self.horizon,
            white,
            exposure: exposure(settings, white),
            ..*block
        }
    }
}

fn stretched(picture: &LightPicture, size: [u32; 2]) -> LightPicture {
    if picture.size == size {
        return picture.clone();
    }
    // Only a picture that is not 2:1 needs this.
    let [width, height] = picture.size;
    let shaped = if width == 2 * height {
        picture.clone()
    } else {
        let (to_width, to_height) = if width > 2 * height { (width, width.div_ceil(2)) } else { (2 * height, height) };
        let texel = |i: u32| {
            let (x, y) = (i % to_width, i / to_width);
            let at = |to: u32, from: u32, side: u32| {
                ((u64::from(to) * u64::from(from) / u64::from(side)) as u32).min(from - 1)
            };
            picture.texels[(at(y, height, to_height) * width + at(x, width, to_width)) as usize]
        };
        LightPicture { size: [to_width, to_height], texels: (0..to_width * to_height).map(texel).collect() }
    };
    cover(&shaped, size, Crop::Middle)
}

fn halved(level: &LightPicture) -> LightPicture {
    let size = level.size.map(|side| (side / 2).max(1));
    let wide = level.size[0] as usize;
    let texel = |i: u32| {
        let (x, y) = ((i % size[0]) as usize * 2, (i / size[0]) as usize * 2);
        let four = [y * wide + x, y * wide + x + 1, (y + 1) * wide + x, (y + 1) * wide + x + 1];
        four.iter().map(|at| Vec3::from_array(level.texels[*at])).sum::<Vec3>().to_array().map(|sum| 0.25 * sum)
    };
    LightPicture { size, texels: (0..size[0] * size[1]).map(texel).collect() }
}

fn on_ground(level: &LightPicture) -> Vec3 {
    let [columns, rows] = level.size.map(|side| side as f32);
    let mut sum = Vec3::ZERO;
    for (y, row) in level.texels.chunks_exact(level.size[0] as usize).enumerate() {
        let from_top = (y as f32 + 0.5) / rows * PI;
        // Cosine over pi, times the solid angle of a texel.
        let weight = from_top.cos().max(0.0) / PI * from_top.sin() * (PI / rows) * (2.0 * PI / columns);
        sum += row.iter().map(|texel| Vec3::from_array(*texel)).sum::<Vec3>() * weight;
    }
    sum
}

fn horizon(level: &LightPicture) -> Vec3 {
    let [columns, rows] = level.size.map(|side| side as usize);
    let around = (rows / 2).saturating_sub(1)..(rows / 2 + 1).min(rows);
    let count = around.len() * columns;
    let texels = &level.texels[around.start * columns..around.end * columns];
    texels.iter().map(|texel| Vec3::from_array(*texel)).sum::<Vec3>() / count as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_all_around_lights_paper_white() {
        let picture = LightPicture { size: [64, 32], texels: vec![[1.0, 0.5, 0.25]; 64 * 32] };
        let sky = SkyPicture::new(&picture);
        let expected = Vec3::new(1.0, 0.5, 0.25) * WHITE;
        assert!((sky.on_ground - expected).abs().max_element() < 0.01, "{}", sky.on_ground);
        assert!((sky.horizon - expected).abs().max_element() < 1e-4, "{}", sky.horizon);
        assert_eq!(
            sky.levels.iter().map(|level| level.size).collect::<Vec<_>>(),
            [[64, 32], [32, 16], [16, 8], [8, 4], [4, 2], [2, 1]]
        );
        assert!(sky.levels.iter().flat_map(|level| &level.texels).all(|texel| (texel[0] - WHITE).abs() < 1e-4));
    }

    #[test]
    fn light_from_below_does_not_reach_paper_on_the_ground() {
        let texels = (0..64 * 32).map(|i| if i < 64 * 16 { [0.0; 3] } else { [1.0; 3] }).collect();
        assert_eq!(SkyPicture::new(&LightPicture { size: [64, 32], texels }).on_ground, Vec3::ZERO);
    }

    #[test]
    fn other_shapes_and_sizes_are_stretched() {
        for size in [[1, 1], [100, 100], [400, 100], [3, 7]] {
            let texels = vec![[0.5; 3]; (size[0] * size[1]) as usize];
            let sky = SkyPicture::new(&LightPicture { size, texels });
            let [width, height] = sky.levels[0].size;
            assert!(width == 2 * height && width.is_power_of_two(), "{size:?}: {width}x{height}");
            assert!(sky.levels[0].texels.iter().flatten().all(|value| (value - 3.0).abs() < 1e-3), "{size:?}");
        }
    }
}
