//! BMP pictures of Windows and OS/2. The library reads few of their headers and palettes: the pixels get a header that it reads.

use anyhow::{Context as _, Result, bail, ensure};

pub struct Plain {
    pub bytes: Vec<u8>,
    /// The library reads run lengths from the bottom only.
    pub is_flipped: bool,
}

/// Sizes of headers in bytes: of the file, OS/2 1.x, Windows without and with masks.
const FILE: usize = 14;
const CORE: usize = 12;
const INFO: usize = 40;
const MASKED: usize = 56;

/// Of OS/2: a header as long as that of a file, and pictures.
pub fn is_array(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BA") && bytes.get(FILE..FILE + 2) == Some(b"BM")
}

pub fn plain(bytes: &[u8]) -> Result<Plain> {
    let before = if is_array(bytes) { FILE } else { 0 };
    let bytes = &bytes[before..];
    let damaged = "the file is damaged or cut off";
    let short = |at: usize| bytes.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]])).context(damaged);
    let long = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).context(damaged);
    let header = long(FILE)? as usize;
    ensure!(header == CORE || header >= 16, damaged);
    let is_core = header == CORE;
    // OS/2 2.x leaves out fields at the end, which are 0.
    let field = |at: usize| if at + 4 <= FILE + header { long(at) } else { Ok(0) };
    let (width, height, bits) = match is_core {
        true => (short(18)?.into(), short(20)?.into(), short(24)?),
        false => (long(18)?.cast_signed(), long(22)?.cast_signed(), short(28)?),
    };
    ensure!(width > 0 && height != 0 && height != i32::MIN, "the picture is {width}x{height}");
    let compression = if is_core { 0 } else { field(30)? };
    let is_os2 = header <= 64 && ![INFO, 52, MASKED].contains(&header);
    let unread = match (compression, bits) {
        (3, _) if is_os2 => Some("Huffman codes".to_owned()),
        (4, _) if is_os2 => Some("run lengths of 24 bits".into()),
        (0, 1 | 2 | 4 | 8 | 16 | 24 | 32) | (1, 8) | (2, 4) | (3 | 6, 16 | 32) => None,
        (4, _) => Some("a JPEG in it".into()),
        (5, _) => Some("a PNG in it".into()),
        (11..=13, _) => Some("CMYK colours".into()),
        _ => Some(format!("compression {compression} of {bits} bits for a pixel")),
    };
    if let Some(what) = unread {
        bail!("a BMP with {what} is not read here");
    }
    let masks = match compression {
        3 | 6 => [54, 58, 62].map(long).into_iter().collect::<Result<Vec<_>>>()?,
        _ => Vec::new(),
    };
    ensure!(masks.iter().all(|mask| *mask > 0), "a BMP without a mask for each colour is not read here");
    let has_alpha = !masks.is_empty() && (header >= MASKED || compression == 6);
    let alpha = if has_alpha { long(66)? } else { 0 };

    // A header of 40 bytes has its masks behind it.
    let behind = if header == INFO { 4 * (masks.len() + usize::from(has_alpha)) } else { 0 };
    let start = FILE.saturating_add(header).saturating_add(behind);
    let most = if bits <= 8 { 1 << bits } else { 0 };
    let used = if is_core { 0 } else { field(46)? as usize };
    let used = if used == 0 { most } else { used };
    let entry = if is_core { 3 } else { 4 };
    let offset = (long(10)? as usize).saturating_sub(before);
    let offset = if offset >= start { offset } else { start.saturating_add(entry * used.min(most)) };
    let pixels = bytes.get(offset..).context(damaged)?;
    let palette = bytes.get(start..offset).unwrap_or_default().chunks_exact(entry).take(used.min(most));
    let palette: Vec<u8> = palette.flat_map(|colour| [colour[0], colour[1], colour[2], 0]).collect();

    let header = if masks.is_empty() { INFO } else { MASKED };
    let is_flipped = height < 0 && matches!(compression, 1 | 2);
    let mut plain = b"BM\0\0\0\0\0\0\0\0".to_vec();
    let numbers = |plain: &mut Vec<u8>, numbers: &[u32]| plain.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    numbers(&mut plain, &[(FILE + header + palette.len()) as u32, header as u32, width.cast_unsigned()]);
    numbers(&mut plain, &[if is_flipped { -height } else { height }.cast_unsigned()]);
    // Some programs write no number of planes.
    plain.extend([1_u16, bits].iter().flat_map(|n| n.to_le_bytes()));
    let compression = if compression == 6 { 3 } else { compression };
    numbers(&mut plain, &[compression, 0, 0, 0, palette.len() as u32 / 4, 0]);
    if let [red, green, blue] = masks[..] {
        numbers(&mut plain, &[red, green, blue, alpha]);
    }
    plain.extend(palette);
    plain.extend(pixels);
    // The last row may lack its padding to four bytes.
    let row = (width.unsigned_abs() as usize).saturating_mul(bits.into());
    let [filled, whole] = [row.div_ceil(8), row.div_ceil(32) * 4];
    let needed = whole.saturating_mul(height.unsigned_abs() as usize);
    if compression != 1 && compression != 2 && (needed - (whole - filled)..needed).contains(&pixels.len()) {
        plain.extend(vec![0; needed - pixels.len()]);
    }
    Ok(Plain { bytes: plain, is_flipped })
}

#[cfg(test)]
#[path = "bmp_tests.rs"]
mod tests;
