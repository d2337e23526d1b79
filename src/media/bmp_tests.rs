//! Every kind of BMP that programs write, from one picture.

use crate::picture::Picture;

const SIZE: [u32; 2] = [13, 7];

const COLOURS: [[u8; 3]; 4] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [255, 255, 255]];

fn index(x: u32, y: u32, bits: u16) -> usize {
    ((x / 3 + 2 * y + x * y) % if bits == 1 { 2 } else { 4 }) as usize
}

fn wanted(bits: u16) -> Picture {
    Picture::from_fn(SIZE, |x, y| {
        let [r, g, b] = COLOURS[index(x, y, bits)];
        [r, g, b, 255]
    })
}

fn rows(is_top_down: bool) -> Vec<u32> {
    if is_top_down { (0..SIZE[1]).collect() } else { (0..SIZE[1]).rev().collect() }
}

fn pixels(bits: u16, is_top_down: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for y in rows(is_top_down) {
        let mut row = Vec::new();
        let (mut byte, mut filled) = (0_u16, 0);
        for x in 0..SIZE[0] {
            let at = index(x, y, bits);
            let [r, g, b] = COLOURS[at];
            match bits {
                16 => row.extend((u16::from(r >> 3) << 10 | u16::from(g >> 3) << 5 | u16::from(b >> 3)).to_le_bytes()),
                24 => row.extend([b, g, r]),
                32 => row.extend([b, g, r, 0]),
                _ => {
                    (byte, filled) = (byte << bits | at as u16, filled + bits);
                    if filled == 8 {
                        row.push(byte as u8);
                        (byte, filled) = (0, 0);
                    }
                }
            }
        }
        if filled > 0 {
            row.push((byte << (8 - filled)) as u8);
        }
        row.resize(row.len().div_ceil(4) * 4, 0);
        out.extend(row);
    }
    out
}

fn runs(bits: u16, is_top_down: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for y in rows(is_top_down) {
        for x in 0..SIZE[0] {
            let at = index(x, y, bits) as u8;
            out.extend([1, if bits == 4 { at << 4 } else { at }]);
        }
        out.extend([0, 0]);
    }
    out.extend([0, 1]);
    out
}

struct Kind {
    header: usize,
    bits: u16,
    compression: u32,
    is_top_down: bool,
    colours: u32,
    masks: &'static [u32],
}

const KIND: Kind = Kind { header: 40, bits: 24, compression: 0, is_top_down: false, colours: 0, masks: &[] };

fn file(kind: &Kind) -> Vec<u8> {
    let Kind { header, bits, compression, is_top_down, colours, masks } = *kind;
    let [width, height] = SIZE;
    let mut head = (header as u32).to_le_bytes().to_vec();
    if header == 12 {
        head.extend([width as u16, height as u16, 1, bits].iter().flat_map(|n| n.to_le_bytes()));
    } else {
        let signed = height.cast_signed() * if is_top_down { -1 } else { 1 };
        head.extend([width.to_le_bytes(), signed.to_le_bytes()].concat());
        head.extend([1_u16, bits].iter().flat_map(|n| n.to_le_bytes()));
        head.extend([compression, 0, 2835, 2835, colours, 0].iter().flat_map(|n| n.to_le_bytes()));
        head.extend(masks.iter().flat_map(|n| n.to_le_bytes()));
        head.resize(if header == 40 { 40 + 4 * masks.len() } else { header }, 0);
    }
    if bits <= 8 {
        let count = if colours == 0 { 1 << bits } else { colours as usize };
        for at in 0..count {
            let [r, g, b] = COLOURS[at % 4];
            head.extend([b, g, r]);
            head.extend(vec![0; usize::from(header != 12)]);
        }
    }
    let data = if matches!(compression, 1 | 2) { runs(bits, is_top_down) } else { pixels(bits, is_top_down) };
    let offset = 14 + head.len() as u32;
    let begin = [b"BM", &(offset + data.len() as u32).to_le_bytes()[..], &[0; 4], &offset.to_le_bytes()].concat();
    [begin, head, data].concat()
}

fn all() -> Vec<Kind> {
    const RGB: [u32; 4] = [0x00FF_0000, 0xFF00, 0xFF, 0];
    const NARROW: [u32; 4] = [0x7C00, 0x3E0, 0x1F, 0];
    let mut kinds = Vec::new();
    for header in [12, 16, 40, 52, 56, 64, 108, 124] {
        for bits in [1, 2, 4, 8, 16, 24, 32] {
            if header == 12 && matches!(bits, 2 | 16 | 32) {
                continue;
            }
            kinds.push(Kind { header, bits, ..KIND });
            if header > 16 {
                kinds.push(Kind { header, bits, is_top_down: true, ..KIND });
            }
        }
        if header >= 40 {
            for is_top_down in [false, true] {
                kinds.push(Kind { header, bits: 8, compression: 1, is_top_down, ..KIND });
                kinds.push(Kind { header, bits: 4, compression: 2, is_top_down, ..KIND });
            }
            kinds.push(Kind { header, bits: 8, colours: 300, ..KIND });
            kinds.push(Kind { header, bits: 4, colours: 4, ..KIND });
        }
        if header >= 40 && header != 64 {
            let masks = |masks: &'static [u32; 4]| if header < 56 { &masks[..3] } else { &masks[..] };
            kinds.push(Kind { header, bits: 32, compression: 3, masks: masks(&RGB), ..KIND });
            kinds.push(Kind { header, bits: 16, compression: 3, masks: masks(&NARROW), ..KIND });
            kinds.push(Kind { header, bits: 16, compression: 3, is_top_down: true, masks: masks(&NARROW), ..KIND });
        }
    }
    kinds.push(Kind { bits: 32, compression: 6, masks: &RGB, ..KIND });
    kinds
}

#[test]
fn every_kind_gives_the_same_picture() {
    let kinds = all();
    assert!(kinds.len() > 100);
    for kind in kinds {
        let Kind { header, bits, compression, is_top_down, colours, .. } = kind;
        let plain = file(&kind);
        let mut array = [b"BA\x28\0\0\0\0\0\0\0\0\0\0\0", &plain[..]].concat();
        let pixels = u32::from_le_bytes([24, 25, 26, 27].map(|at| array[at]));
        array[24..28].copy_from_slice(&(pixels + 14).to_le_bytes());
        for file in [plain, array] {
            let found = Picture::decode(&file);
            let found =
                found.unwrap_or_else(|why| panic!("{header} {bits} {compression} {is_top_down} {colours}: {why:#}"));
            assert!(
                found == wanted(bits),
                "header {header}, {bits} bits, compression {compression}, {is_top_down}, {colours}"
            );
        }
    }
}

#[test]
fn what_programs_leave_out_is_filled_in() {
    for bits in [1, 4, 8, 16, 24] {
        let whole = file(&Kind { bits, ..KIND });
        let unused = (4 - (u32::from(bits) * SIZE[0]).div_ceil(8) % 4) % 4;
        for missing in 1..=unused as usize {
            assert!(Picture::decode(&whole[..whole.len() - missing]).unwrap() == wanted(bits), "{bits}: {missing}");
        }
        let cut = Picture::decode(&whole[..whole.len() - unused as usize - 1]).unwrap_err();
        assert!(format!("{cut:#}").contains("cut off"), "{bits}: {cut:#}");
        for at in [10, 26] {
            let mut file = whole.clone();
            file[at..at + 2].fill(0);
            assert!(Picture::decode(&file).unwrap() == wanted(bits), "{bits}: {at}");
        }
    }
}

#[test]
fn what_is_not_read_is_named() {
    for (header, bits, compression, said) in [
        (64, 1, 3, "Huffman"),
        (64, 24, 4, "run lengths of 24 bits"),
        (40, 0, 4, "a JPEG in it"),
        (40, 0, 5, "a PNG in it"),
        (124, 32, 11, "CMYK"),
        (40, 64, 0, "64 bits"),
        (40, 24, 9, "compression 9"),
        (40, 16, 3, "a mask for each colour"),
    ] {
        let mut file = file(&Kind { header, ..KIND });
        file[28..30].copy_from_slice(&u16::to_le_bytes(bits));
        file[30..34].copy_from_slice(&u32::to_le_bytes(compression));
        if compression == 3 {
            file[54..66].fill(0);
        }
        let why = format!("{:#}", Picture::decode(&file).unwrap_err());
        assert!(why.contains(said) && why.contains("not read") && why.contains("expected"), "{said}: {why}");
    }
}
