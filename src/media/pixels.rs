//! Pictures in memory, of display values and of light, and their limits.

pub const LONGEST_SIDE: u32 = 16384;
pub const MOST_BYTES: u64 = 1 << 30;
/// Largest half float.
pub const MOST_LIGHT: f32 = 65504.0;

/// Linear light, Rec. 709: 1 is white paper. Rows from the top; finite, 0 or more.
#[derive(Clone, Debug, PartialEq)]
pub struct LightPicture {
    pub size: [u32; 2],
    pub texels: Vec<[f32; 3]>,
}

pub fn narrow(wide: u16) -> u8 {
    ((u32::from(wide) + 128) / 257) as u8
}

#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub size: [u32; 2],
    /// Four bytes per pixel: sRGB-encoded colour, and alpha, 255 in every loaded picture. Rows from the top.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture {}x{}", self.size[0], self.size[1])
    }
}

/// Column and row of each pixel, by rows from the top.
pub fn pixels_of([width, height]: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

impl Picture {
    pub fn outline(&mut self, width: u32, [r, g, b]: [u8; 3]) {
        let [w, h] = self.size;
        let is_border = |[x, y]: [u32; 2]| x.min(y) < width || x + width >= w || y + width >= h;
        for (_, pixel) in pixels_of(self.size).zip(self.rgba.chunks_exact_mut(4)).filter(|(at, _)| is_border(*at)) {
            pixel.copy_from_slice(&[r, g, b, 255]);
        }
    }

    pub fn from_fn(size: [u32; 2], mut colour: impl FnMut(u32, u32) -> [u8; 4]) -> Self {
        Self { size, rgba: pixels_of(size).flat_map(|[x, y]| colour(x, y)).collect() }
    }

    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.size[0] as usize + x as usize) * 4;
        std::array::from_fn(|channel| self.rgba[at + channel])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_inside_along_the_border() {
        let mut picture = Picture::from_fn([5, 4], |_, _| [1, 2, 3, 4]);
        picture.outline(1, [9, 8, 7]);
        let inner = |x, y| (1..4).contains(&x) && (1..3).contains(&y);
        for [x, y] in pixels_of(picture.size) {
            assert_eq!(picture.pixel(x, y), if inner(x, y) { [1, 2, 3, 4] } else { [9, 8, 7, 255] }, "{x} {y}");
        }
    }
}
