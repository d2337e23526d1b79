//! Coverage of lines of text and of icons, made once and kept in one buffer, one after the other.

use glam::Vec2;
use gpu::{Buffer, Frame, Memory, Result};
use scene::picture::{Face, Style, icon_mask};
use std::collections::HashMap;

const MOST_BYTES: u64 = 8 << 20;
/// Sizes of letters are rounded to this part of a pixel, those of icons to pixels.
const PARTS: f32 = 8.0;
/// Pixels around the letters.
const BORDER: f32 = 2.0;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MaskKey {
    /// Size in parts of a pixel.
    Text(String, u32, Style),
    /// Number, and side in pixels.
    Icon(usize, u32),
}

impl MaskKey {
    pub fn text(text: &str, size: f32, style: Style) -> Self {
        Self::Text(text.to_owned(), (size * PARTS).round().clamp(1.0, 8192.0) as u32, style)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mask {
    pub first: u32,
    /// Columns and rows.
    pub extent: [u32; 2],
    /// Upper left corner, from the beginning of the baseline, pixels.
    pub corner: Vec2,
    /// Of the line, pixels.
    pub width: f32,
}

#[derive(Default)]
pub struct Masks {
    buffer: Option<Buffer>,
    known: HashMap<MaskKey, Mask>,
    used: u64,
    fresh: Vec<u8>,
}

fn drawn(key: &MaskKey) -> (Mask, Vec<u8>) {
    match key {
        MaskKey::Icon(icon, side) => {
            let corner = Vec2::splat(-0.5 * *side as f32);
            (Mask { extent: [*side; 2], corner, ..Mask::default() }, icon_mask(*icon, *side))
        }
        MaskKey::Text(text, size, style) => {
            let size = *size as f32 / PARTS;
            let (path, width) = Face::new(*style).line(text, size, 0.0, Vec2::ZERO);
            let Some((low, high)) = path.bounds() else { return (Mask { width, ..Mask::default() }, Vec::new()) };
            let corner = low.floor() - BORDER;
            let extent = (high.ceil() + BORDER - corner).as_uvec2();
            let mut bytes = vec![0; (extent.x * extent.y) as usize];
            if let Some(coverage) = path.placed(1.0, -corner).coverage(extent.to_array()) {
                for (row, values) in coverage.values.chunks_exact(coverage.width).enumerate() {
                    let first = (coverage.y as usize + row) * extent.x as usize + coverage.x as usize;
                    for (byte, value) in bytes[first..].iter_mut().zip(values) {
                        *byte = (value * 255.0).round() as u8;
                    }
                }
            }
            (Mask { extent: extent.to_array(), corner, width, ..Mask::default() }, bytes)
        }
    }
}

impl Masks {
    /// Begins a frame: what would not fit is made again.
    pub fn begin(&mut self) {
        if self.used > MOST_BYTES / 2 {
            self.known.clear();
            self.used = 0;
        }
    }

    pub fn get(&mut self, key: MaskKey) -> Mask {
        if let Some(mask) = self.known.get(&key) {
            return *mask;
        }
        let (mask, mut bytes) = drawn(&key);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let first = self.used + self.fresh.len() as u64;
        if first + bytes.len() as u64 > MOST_BYTES {
            return Mask::default(); // more text than a frame can have
        }
        self.fresh.extend(bytes);
        let mask = Mask { first: first as u32, ..mask };
        self.known.insert(key, mask);
        mask
    }

    pub fn upload(&mut self, frame: &mut Frame) -> Result<Buffer> {
        let buffer = match &self.buffer {
            Some(buffer) => buffer.clone(),
            None => self.buffer.insert(Buffer::new(frame.gpu(), "masks of marks", MOST_BYTES, Memory::Device)?).clone(),
        };
        if !self.fresh.is_empty() {
            let fresh = std::mem::take(&mut self.fresh);
            let staging = frame.data("upload", &fresh)?;
            let count = fresh.len() as u64;
            frame.copy_part("upload/masks of marks", &staging, 0..count, &buffer, self.used)?;
            self.used += count;
        }
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_its_letters_and_an_icon_has_its_side() {
        let (mask, bytes) = drawn(&MaskKey::text("Water", 20.0, Style::Light));
        let [columns, rows] = mask.extent;
        assert_eq!(bytes.len(), (columns * rows) as usize);
        assert!((mask.width - columns as f32).abs() < 8.0 && (14..30).contains(&rows), "{mask:?}");
        assert!(mask.corner.y < -12.0 && bytes.iter().filter(|byte| **byte > 200).count() > 40);
        assert!(bytes[..columns as usize].iter().all(|byte| *byte == 0), "a border");
        let (empty, none) = drawn(&MaskKey::text(" ", 20.0, Style::Light));
        assert!(empty.width > 2.0 && empty.extent == [0, 0] && none.is_empty());
        for icon in 0..17 {
            let (mask, bytes) = drawn(&MaskKey::Icon(icon, 40));
            let covered = bytes.iter().filter(|byte| **byte > 128).count();
            assert!(mask.extent == [40, 40] && (120..1300).contains(&covered), "{icon}: {covered}");
        }
    }
}
