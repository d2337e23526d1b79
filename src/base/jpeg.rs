//! Marker structure of JPEG files (ITU-T T.81, annex B): the image's end, and its completeness.

use anyhow::Result;
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};
use zune_core::{bytestream::ZCursor, options::DecoderOptions};
use zune_jpeg::JpegDecoder;

const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;

/// Bytes: a decoder's read-ahead is at most the longest code word with its extra bits (16 + 11) for each of the 10
/// blocks of the largest unit.
const FILL: usize = 64;

/// Coefficients completed by scans, by component; 64 bits each.
#[derive(Default)]
struct Scans {
    is_progressive: bool,
    known: BTreeMap<u8, u64>,
}

impl Scans {
    fn frame(&mut self, marker: u8, payload: &[u8]) {
        self.is_progressive = matches!(marker, 0xC2 | 0xC6 | 0xCA | 0xCE);
        self.known = payload.get(6..).unwrap_or_default().chunks_exact(3).map(|component| (component[0], 0)).collect();
    }

    fn scan(&mut self, payload: &[u8]) {
        let count = payload.first().map_or(0, |count| usize::from(*count));
        let (Some(ids), Some([from, to, bits])) = (payload.get(1..1 + 2 * count), payload.get(1 + 2 * count..)) else {
            return;
        };
        let (from, to, later) = (u32::from(*from).min(63), u32::from(*to).min(63), bits & 15);
        let given = match self.is_progressive {
            false => u64::MAX,
            true if later > 0 || from > to => 0,
            true => (u64::MAX >> (63 - (to - from))) << from,
        };
        for id in ids.iter().step_by(2) {
            self.known.entry(*id).and_modify(|known| *known |= given);
        }
    }

    fn are_complete(&self) -> bool {
        !self.known.is_empty() && self.known.values().all(|known| *known == u64::MAX)
    }
}

/// Within a scan FF is followed by 00 or a restart marker, which does not count.
fn next_marker(bytes: &[u8], mut at: usize) -> Option<(u8, usize)> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)? + 1;
        at += bytes.get(at..)?.iter().position(|byte| *byte != 0xFF)?;
        match bytes[at] {
            0x00 | 0x01 | 0xD0..=0xD7 => at += 1,
            marker => return Some((marker, at + 1)),
        }
    }
}

/// `None` if a part is missing, which the decoder replaces by grey without an error.
pub fn whole<T>(bytes: &[u8], decode: impl Fn(&[u8]) -> Result<T>, pixels: impl Fn(&T) -> &[u8]) -> Result<Option<T>> {
    if !is_jpeg(bytes) {
        return decode(bytes).map(Some);
    }
    let Some(image) = image(bytes) else { return Ok(None) };
    let digest = |decoded: &T| {
        let mut hasher = DefaultHasher::new();
        pixels(decoded).hash(&mut hasher);
        hasher.finish()
    };
    let [zeros, ones] = closed(image);
    let expected = decode(&ones).ok().map(|decoded| digest(&decoded));
    let decoded = decode(&zeros)?;
    Ok((expected == Some(digest(&decoded))).then_some(decoded))
}

/// The decoder replaces the rest by grey without an error.
pub fn is_damaged(bytes: &[u8]) -> bool {
    let Some(image) = Some(bytes).filter(|bytes| is_jpeg(bytes)).and_then(image) else { return false };
    !restarts_count(image) || strict_fails(&[unmarked(image), &[0xFF, END_OF_IMAGE]].concat())
}

fn restarts_count(image: &[u8]) -> bool {
    let (mut next, mut at) = (0, 0);
    while let Some(found) = image[at..].windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0 | 0xFF)) {
        let marker = image[at + found + 1];
        at += found + 2;
        match marker {
            0xD0..=0xD7 if marker - 0xD0 != next => return false,
            0xD0..=0xD7 => next = (next + 1) % 8,
            0x01 | START_OF_IMAGE | END_OF_IMAGE => {}
            _ => {
                let length = image.get(at..at + 2).map_or(0, |two| usize::from(u16::from_be_bytes([two[0], two[1]])));
                (at, next) = ((at + length).min(image.len()), 0);
            }
        }
    }
    true
}

fn strict_fails(file: &[u8]) -> bool {
    let lenient = DecoderOptions::default().set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), lenient.set_strict_mode(false));
    if decoder.decode_headers().is_err() {
        return false;
    }
    decoder.set_options(decoder.options().set_strict_mode(true));
    decoder.decode().is_err()
}

fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, START_OF_IMAGE, 0xFF])
}

/// Without its end marker and anything after it. `None` if its scans lack coefficients.
fn image(bytes: &[u8]) -> Option<&[u8]> {
    let (mut at, mut end, mut scans) = (0, bytes.len(), Scans::default());
    while let Some((marker, after)) = next_marker(bytes, at) {
        at = after;
        match marker {
            END_OF_IMAGE if !scans.known.is_empty() => {
                end = at - 2;
                break;
            }
            START_OF_IMAGE | END_OF_IMAGE => continue,
            _ => {}
        }
        let length = bytes.get(at..at + 2).map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])));
        let Some(payload) = length.filter(|n| *n >= 2).and_then(|n| bytes.get(at + 2..at + n)) else { break };
        match marker {
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) && scans.known.is_empty() => {
                scans.frame(marker, payload);
            }
            START_OF_SCAN => scans.scan(payload),
            _ => {}
        }
        at += 2 + payload.len();
    }
    scans.are_complete().then(|| &bytes[..end])
}

fn unmarked(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte != 0xFF).map_or(0, |last| last + 1)]
}

/// With an end marker after more bits, all 0 and all 1 (no code word): if all blocks exist, both give the same picture.
/// An end marker proves nothing: repair programs append one.
fn closed(bytes: &[u8]) -> [Vec<u8>; 2] {
    let kept = unmarked(bytes);
    let close = |fill: &[u8]| {
        let mut all = Vec::with_capacity(kept.len() + FILL * fill.len() + 2);
        all.extend(kept);
        (0..FILL).for_each(|_| all.extend(fill));
        all.extend([0xFF, END_OF_IMAGE]);
        all
    };
    [close(&[0x00]), close(&[0xFF, 0x00])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(marker: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u16 + 2).to_be_bytes();
        [&[0xFF, marker][..], &length, payload].concat()
    }

    fn file(frame: u8, scans: &[[u8; 3]]) -> Vec<u8> {
        let mut bytes = vec![0xFF, START_OF_IMAGE];
        bytes.extend(segment(0xE1, &[0xFF, 0xD9, 0xFF, 0xDA]));
        bytes.extend(segment(frame, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]));
        for [from, to, bits] in scans {
            bytes.extend(segment(START_OF_SCAN, &[1, 1, 0, *from, *to, *bits]));
            bytes.extend([0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]);
        }
        bytes
    }

    #[test]
    fn an_image_has_scans_for_all_coefficients() {
        for (frame, scans, wanted) in [
            (0xC0, &[][..], false),
            (0xC1, &[[0, 63, 0]], true),
            (0xC2, &[[0, 0, 1], [1, 63, 2]], false),
            (0xC2, &[[0, 0, 0], [1, 5, 0]], false),
            (0xC2, &[[0, 0, 1], [1, 63, 1], [0, 0, 0x10], [1, 63, 0x10]], true),
            (0xC2, &[[0, 0, 0], [1, 5, 0], [6, 63, 0]], true),
        ] {
            let open = file(frame, scans);
            let marked = [&open[..], &[0xFF, END_OF_IMAGE]].concat();
            for (file, what) in [(&open, "open"), (&marked, "with an end marker")] {
                assert_eq!(image(file), wanted.then_some(&open[..]), "{frame:x} {scans:?} {what}");
            }
        }
        for nothing in [&[][..], &[0xFF], &[0xFF, 0xD8], &[0xFF, 0xD8, 0xFF, 0xD9], &[7; 40], &[0xFF; 40]] {
            assert_eq!(image(nothing), None, "{nothing:?}");
        }
    }
}
