//! A picture in memory.

/// A flat picture: rows from the top, pixels from the left.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels, at least 1.
    pub size: [u32; 2],
    /// Four bytes per pixel: red, green and blue encoded as sRGB, and alpha, which is 255 in every loaded picture.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture {}x{}", self.size[0], self.size[1])
    }
}

impl Picture {
    /// A picture from a colour per pixel; `colour(x, y)`.
    pub fn from_fn(size: [u32; 2], mut colour: impl FnMut(u32, u32) -> [u8; 4]) -> Self {
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        Self { size, rgba: pixels.flat_map(|(x, y)| colour(x, y)).collect() }
    }

    /// The four bytes of a pixel inside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.size[0] as usize + x as usize) * 4;
        std::array::from_fn(|channel| self.rgba[at + channel])
    }
}
