//! Kinds of TIFF that programs write, from one picture, and those that are named.

use super::tag;
use crate::{picture::Picture, source::Source};
use std::collections::BTreeMap;
use tiff::encoder::compression::{CompressionAlgorithm as _, Lzw};

const SIZE: [u32; 2] = [40, 24];
const TILE: u32 = 16;

#[derive(Clone)]
struct Page {
    tags: BTreeMap<u16, Vec<u32>>,
    is_little: bool,
    is_planar: bool,
    is_tiled: bool,
    is_big: bool,
    is_reversed: bool,
    numbers: fn(u32, u32) -> Vec<u32>,
    bits: u32,
}

fn page(photometric: u32, samples: u32, bits: u32, numbers: fn(u32, u32) -> Vec<u32>) -> Page {
    let tags = [
        (tag::WIDTH, SIZE[0]),
        (tag::HEIGHT, SIZE[1]),
        (tag::COMPRESSION, 1),
        (tag::PHOTOMETRIC, photometric),
        (tag::SAMPLES, samples),
    ];
    let mut tags: BTreeMap<_, _> = tags.into_iter().map(|(tag, value)| (tag, vec![value])).collect();
    tags.insert(tag::BITS, vec![bits; samples as usize]);
    let [is_little, is_planar, is_tiled, is_big, is_reversed] = [true, false, false, false, false];
    Page { tags, is_little, is_planar, is_tiled, is_big, is_reversed, numbers, bits }
}

impl Page {
    fn with(mut self, tag: u16, values: &[u32]) -> Self {
        self.tags.insert(tag, values.to_vec());
        self
    }

    fn uint(&self, value: u64, bytes: usize) -> Vec<u8> {
        let little = &value.to_le_bytes()[..bytes];
        if self.is_little { little.to_vec() } else { little.iter().rev().copied().collect() }
    }

    fn packed(&self, [x0, y0, x1, y1]: [u32; 4], channels: std::ops::Range<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        for y in y0..y1 {
            let (mut bits, mut filled) = (0_u64, 0);
            for x in x0..x1 {
                let numbers = (self.numbers)(x.min(SIZE[0] - 1), y.min(SIZE[1] - 1));
                for number in &numbers[channels.clone()] {
                    if self.bits >= 8 {
                        out.extend(self.uint((*number).into(), self.bits as usize / 8));
                        continue;
                    }
                    (bits, filled) = (bits << self.bits | u64::from(*number), filled + self.bits);
                    if filled >= 8 {
                        filled -= 8;
                        out.push((bits >> filled) as u8);
                    }
                }
            }
            if filled > 0 {
                out.push((bits << (8 - filled)) as u8);
            }
        }
        out
    }

    fn file(&self) -> Vec<u8> {
        let samples = self.tags[&tag::SAMPLES][0] as usize;
        let planes: Vec<std::ops::Range<usize>> = if self.is_planar {
            (0..samples).map(|plane| plane..plane + 1).collect()
        } else {
            std::iter::once(0..samples).collect()
        };
        let places: Vec<[u32; 4]> = match self.is_tiled {
            true => (0..SIZE[1].div_ceil(TILE))
                .flat_map(|y| {
                    (0..SIZE[0].div_ceil(TILE)).map(move |x| [x * TILE, y * TILE, (x + 1) * TILE, (y + 1) * TILE])
                })
                .collect(),
            false => (0..SIZE[1]).step_by(10).map(|y| [0, y, SIZE[0], (y + 10).min(SIZE[1])]).collect(),
        };
        let mut out = if self.is_little { b"II".to_vec() } else { b"MM".to_vec() };
        let word = if self.is_big { 8 } else { 4 };
        out.extend(self.uint(if self.is_big { 43 } else { 42 }, 2));
        if self.is_big {
            out.extend([self.uint(8, 2), self.uint(0, 2)].concat());
        }
        let first = out.len();
        out.extend(vec![0; word]);
        let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
        for plane in &planes {
            for place in &places {
                let mut data = self.packed(*place, plane.clone());
                if self.tags[&tag::COMPRESSION] == [5] {
                    let plain = std::mem::take(&mut data);
                    Lzw.write_to(&mut data, &plain).unwrap();
                }
                if self.is_reversed {
                    data.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
                }
                offsets.push(out.len() as u32);
                lengths.push(data.len() as u32);
                out.extend(data);
            }
        }
        let mut tags = self.tags.clone();
        if self.is_planar {
            tags.insert(tag::PLANAR, vec![2]);
        }
        if self.is_reversed {
            tags.insert(tag::FILL_ORDER, vec![2]);
        }
        let parts = match self.is_tiled {
            true => vec![
                (tag::TILE_WIDTH, vec![TILE]),
                (tag::TILE_HEIGHT, vec![TILE]),
                (tag::TILE_OFFSETS, offsets),
                (tag::TILE_BYTES, lengths),
            ],
            false => {
                vec![(tag::ROWS_PER_STRIP, vec![10]), (tag::STRIP_OFFSETS, offsets), (tag::STRIP_BYTES, lengths)]
            }
        };
        for (tag, values) in parts {
            tags.entry(tag).or_insert(values);
        }
        let mut directory = self.uint(tags.len() as u64, if self.is_big { 8 } else { 2 });
        for (name, values) in tags {
            let is_short = ![tag::TILE_OFFSETS, tag::STRIP_OFFSETS].contains(&name);
            let (kind, size) = if is_short { (3, 2) } else { (4, 4) };
            directory
                .extend([self.uint(name.into(), 2), self.uint(kind, 2), self.uint(values.len() as u64, word)].concat());
            let mut bytes: Vec<u8> = values.iter().flat_map(|value| self.uint((*value).into(), size)).collect();
            if bytes.len() > word {
                directory.extend(self.uint(out.len() as u64, word));
                out.extend(bytes);
            } else {
                bytes.resize(word, 0);
                directory.extend(bytes);
            }
        }
        let at = self.uint(out.len() as u64, word);
        out[first..first + word].copy_from_slice(&at);
        out.extend(directory);
        out.extend(vec![0; word]);
        out
    }
}

fn rgb(x: u32, y: u32) -> Vec<u32> {
    vec![5 * x, 9 * y, (x * y) % 256]
}

fn wanted() -> Picture {
    Picture::from_fn(SIZE, |x, y| {
        let [r, g, b] = rgb(x, y)[..] else { panic!("another one") };
        [r as u8, g as u8, b as u8, 255]
    })
}

fn decoded(page: &Page) -> Picture {
    Picture::decode(&page.file()).unwrap()
}

#[test]
fn every_layout_gives_the_same_picture() {
    let deep = |x, y| rgb(x, y).iter().map(|value| value * 257).collect();
    for (bits, numbers) in [(8, rgb as fn(u32, u32) -> Vec<u32>), (16, deep)] {
        for layout in 0..64 {
            let mut page = page(2, 3, bits, numbers);
            let is = |bit: u32| layout >> bit & 1 == 1;
            (page.is_little, page.is_planar, page.is_tiled, page.is_big) = (is(0), is(1), is(2), is(3));
            page.is_reversed = is(4);
            page.tags.insert(tag::COMPRESSION, vec![if is(5) { 5 } else { 1 }]);
            assert!(decoded(&page) == wanted(), "{bits} bits, layout {layout:06b}");
        }
    }
}

#[test]
fn strips_can_share_their_bytes() {
    for is_reversed in [false, true] {
        let mut page = page(1, 1, 8, |x, _| vec![3 * x]);
        page.is_reversed = is_reversed;
        assert!(decoded(&page) == decoded(&page.clone().with(tag::STRIP_OFFSETS, &[8; 3])), "{is_reversed}");
    }
}

#[test]
fn numbers_of_every_size_are_grey_from_black_to_white() {
    for bits in [1, 2, 3, 4, 5, 6, 7, 8, 16, 32] {
        let numbers: fn(u32, u32) -> Vec<u32> = match bits {
            1 => |x, _| vec![x / 20],
            2 => |x, _| vec![x / 10],
            3 => |x, _| vec![x / 5],
            4 => |x, _| vec![x * 16 / 40],
            5 => |x, _| vec![x * 32 / 40],
            6 => |x, _| vec![x * 64 / 40],
            7 => |x, _| vec![x * 128 / 40],
            8 => |x, _| vec![x * 256 / 40],
            16 => |x, _| vec![x * 65536 / 40],
            _ => |x, _| vec![(u64::from(x) * (1 << 32) / 40) as u32],
        };
        for is_inverse in [false, true] {
            let found = decoded(&page(if is_inverse { 0 } else { 1 }, 1, bits, numbers));
            let most = f64::from(u32::MAX >> (32 - bits));
            for x in 0..SIZE[0] {
                let part = f64::from(numbers(x, 0)[0]) / most;
                let grey = (255.0 * if is_inverse { 1.0 - part } else { part }).round() as u8;
                let [r, g, b, _] = found.pixel(x, 3);
                assert!(r == g && r == b && r.abs_diff(grey) <= 1, "{bits} {is_inverse} {x}: {r}, not {grey}");
            }
        }
    }
}

#[test]
fn palettes_inks_and_opacity_are_colours() {
    let map: Vec<u32> = [[0, 255, 9, 200], [30, 60, 90, 120], [5, 6, 7, 8]].concat();
    let wide: Vec<u32> = map.iter().map(|value| value * 257).collect();
    for map in [&map, &wide] {
        let found = decoded(&page(3, 1, 2, |x, _| vec![x % 4]).with(tag::COLOR_MAP, map));
        assert_eq!(
            [0, 1, 2, 3].map(|x| found.pixel(x, 0)[..3].to_vec()),
            [[0, 30, 5], [255, 60, 6], [9, 90, 7], [200, 120, 8]]
        );
    }
    let bit = decoded(&page(3, 1, 1, |x, _| vec![x % 2]).with(tag::COLOR_MAP, &[65535, 0, 0, 65535, 0, 65535]));
    assert_eq!([bit.pixel(0, 0), bit.pixel(1, 0)], [[255, 0, 0, 255], [0, 255, 255, 255]]);

    let ink = decoded(&page(5, 4, 8, |x, _| if x == 0 { vec![0, 0, 0, 0] } else { vec![255, 0, 0, 51] }));
    assert_eq!([ink.pixel(0, 0), ink.pixel(1, 0)], [[255, 255, 255, 255], [0, 204, 204, 255]]);

    let straight = page(2, 4, 8, |_, _| vec![240, 150, 30, 170]).with(tag::EXTRA_SAMPLES, &[2]);
    let multiplied = page(2, 4, 8, |_, _| vec![160, 100, 20, 170]);
    let [straight, premultiplied] = [decoded(&straight), decoded(&multiplied.clone().with(tag::EXTRA_SAMPLES, &[1]))];
    assert_eq!(premultiplied.pixel(3, 3), straight.pixel(3, 3));
    let other = decoded(&multiplied.with(tag::EXTRA_SAMPLES, &[0]));
    assert_eq!(other.pixel(3, 3), [160, 100, 20, 255], "a channel of another meaning is no opacity");
    let grey = decoded(&page(1, 2, 8, |x, _| vec![200, if x == 0 { 0 } else { 255 }]).with(tag::EXTRA_SAMPLES, &[2]));
    assert_eq!([grey.pixel(0, 0), grey.pixel(1, 0)], [[128, 128, 128, 255], [200, 200, 200, 255]]);
}

#[test]
fn a_jpeg_in_a_tiff_is_read() {
    let mut jpeg = Vec::new();
    let orange: Vec<u8> = [230, 120, 40].repeat((SIZE[0] * SIZE[1]) as usize);
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 95);
    image::ImageEncoder::write_image(encoder, &orange, SIZE[0], SIZE[1], image::ExtendedColorType::Rgb8).unwrap();
    let page = page(6, 3, 8, rgb).with(tag::COMPRESSION, &[7]).with(tag::ROWS_PER_STRIP, &[SIZE[1]]);
    let shown = |jpeg: &[u8]| {
        let with = |at: usize| {
            page.clone().with(tag::STRIP_OFFSETS, &[at as u32]).with(tag::STRIP_BYTES, &[jpeg.len() as u32]).file()
        };
        let file = [&with(with(0).len())[..], jpeg].concat();
        let (picture, notes) = Picture::load_with_notes(&Source::Memory(file.into())).unwrap();
        (picture.pixel(20, 12), notes.line())
    };
    let ([r, g, b, _], said) = shown(&jpeg);
    assert!(r.abs_diff(230) < 6 && g.abs_diff(120) < 6 && b.abs_diff(40) < 6 && said.is_empty(), "{r} {g} {b} {said}");
    let cut = &jpeg[..jpeg.len() - 12];
    for part in [cut.to_vec(), [cut, &[0xFF, 0xD9]].concat()] {
        let (_, said) = shown(&part);
        assert!(said.contains("damaged"), "{said}");
    }
}

#[test]
fn what_is_not_read_is_named() {
    let grey = || page(1, 1, 8, |x, _| vec![x]);
    for (page, said) in [
        (grey().with(tag::COMPRESSION, &[3]), "CCITT group 3"),
        (grey().with(tag::COMPRESSION, &[6]), "JPEG of the old kind"),
        (grey().with(tag::COMPRESSION, &[50000]), "Zstandard"),
        (grey().with(tag::COMPRESSION, &[777]), "compression 777"),
        (grey().with(tag::SAMPLE_FORMAT, &[2]), "signed numbers"),
        (page(2, 3, 32, rgb).with(tag::SAMPLE_FORMAT, &[3]), "floating-point numbers; expected 8 or 16 bits"),
        (grey().with(tag::SAMPLE_FORMAT, &[6]), "complex numbers"),
        (grey().with(tag::BITS, &[12]), "12 bits"),
        (grey().with(tag::BITS, &[4]).with(tag::PREDICTOR, &[2]), "predictor 2 of 4 bits"),
        (grey().with(tag::PHOTOMETRIC, &[8]), "CIE Lab"),
        (grey().with(tag::PHOTOMETRIC, &[4]), "transparency mask"),
        (grey().with(tag::PHOTOMETRIC, &[32803]), "raw data"),
        (grey().with(tag::PHOTOMETRIC, &[2]), "1 channel for"),
        (grey().with(tag::FILL_ORDER, &[3]), "order of bits 3"),
        (grey().with(tag::STRIP_OFFSETS, &[8, 0, 8]).with(tag::STRIP_BYTES, &[400, 0, 160]), "left out"),
        (grey().with(tag::PHOTOMETRIC, &[3]), "palette"),
        (page(2, 3, 8, rgb).with(tag::BITS, &[5, 6, 5]), "different sizes"),
        (page(6, 3, 8, rgb), "subsampled"),
        (page(5, 4, 8, |_, _| vec![0; 4]).with(tag::INK_SET, &[2]), "inks"),
    ] {
        let why = format!("{:#}", Picture::decode(&page.file()).unwrap_err());
        assert!(why.contains(said) && why.contains("expected") && !why.contains("damaged"), "{said}: {why}");
    }
}

#[test]
fn a_missing_length_does_no_harm() {
    let file = page(2, 3, 8, rgb).file();
    let at = file.windows(2).rposition(|pair| pair == tag::STRIP_BYTES.to_le_bytes()).unwrap();
    let mut without = file.clone();
    without[at] += 1;
    assert!(Picture::decode(&without).unwrap() == wanted());
}
