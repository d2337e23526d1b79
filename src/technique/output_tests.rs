//! Tests of readback.

use super::*;
use gpu::{Image, ImageDesc, Memory, Use, mip_size};
use lab::TestBench;

const SIZE: [u32; 2] = [63, 37];

/// No two alike within 251, and nothing that repeats with rows or texels.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i * 7 % 251) as u8).collect()
}

fn read(bench: &mut TestBench, output: &Output) -> Array {
    bench.run(|frame| output.read(frame)).unwrap().array().unwrap()
}

#[test]
fn images_of_every_format_and_their_parts_come_back() {
    let bench = &mut TestBench::validated();
    for format in Format::ALL {
        let ((element, channels), texel) = (format.channels(), format.bytes() as usize);
        let uses = if format.is_depth() { [Use::Depth] } else { [Use::Sample] };
        let image = Image::new(bench.gpu(), ImageDesc::new("numbers", SIZE, format, &uses).mips(3)).unwrap();
        for level in [0, 2] {
            let ([width, height], view) = (mip_size(SIZE, level), image.mip(level));
            let mut sent = bytes((width * height) as usize * texel);
            if element == Element::F32 {
                // A depth is from 0 to 1.
                let depth = |i: u32| (i as f32 / 9999.0).to_ne_bytes();
                sent = (0..width * height * channels as u32).flat_map(depth).collect();
            }
            bench.run(|frame| frame.upload(&view, &sent)).unwrap();
            let mut shape = vec![height as usize, width as usize];
            shape.extend((channels > 1).then_some(channels));
            if matches!(format, Format::Bgra8 | Format::Bgra8Srgb) {
                sent.as_chunks_mut::<4>().0.iter_mut().for_each(|[blue, _, red, _]| std::mem::swap(blue, red));
            }
            let whole = read(bench, &(&view).into());
            assert_eq!(whole, Array { element, shape: shape.clone(), bytes: sent.clone() }, "{format:?} {level}");
            let part = Output::Image { view, first: [3, 2], size: [width - 5, height - 4] };
            let part = read(bench, &part);
            (shape[0], shape[1]) = (height as usize - 4, width as usize - 5);
            let mut cut = Vec::new();
            for y in 2..height as usize - 2 {
                cut.extend(&sent[(y * width as usize + 3) * texel..((y + 1) * width as usize - 2) * texel]);
            }
            assert_eq!(part, Array { element, shape, bytes: cut }, "{format:?} {level}, a part");
        }
    }
}

#[test]
fn a_buffer_gives_what_its_shape_holds() {
    let bench = &mut TestBench::validated();
    let sent = bytes(40);
    let buffer = Buffer::new(bench.gpu(), "numbers", 40, Memory::Device).unwrap();
    bench.run(|frame| frame.upload_buffer(&buffer, &sent)).unwrap();
    let output = Output::Buffer { buffer, element: Element::F32, shape: vec![3, 3] };
    let array = read(bench, &output);
    assert_eq!(array, Array { element: Element::F32, shape: vec![3, 3], bytes: sent[..36].to_vec() });
}

#[test]
fn lists_of_both_kinds_give_the_same_entries() {
    const ACROSS: u32 = 3;
    // 64 entries of tile 4, then 32 of tile 2, three of them padding.
    let of = |tile: u32, i: u32| (tile % ACROSS * 64 + i * 5 % 64, tile / ACROSS * 64 + i * 11 % 64);
    let padded = |i: u32| i % 40 == 39 || i == 90;
    let tile_of = |i: u32| if i < 64 { 4 } else { 2 };
    let entry = |i: u32| {
        let (x, y) = of(tile_of(i), i);
        if padded(i) { (u32::MAX, u16::MAX) } else { (y << 16 | x, (((y % 64) << 6) | (x % 64)) as u16) }
    };
    let (wanted, short): (Vec<u32>, Vec<u16>) = (0..96).map(entry).unzip();
    let bench = &mut TestBench::validated();
    let mut buffer = |words: &[u32]| {
        let buffer = Buffer::new(bench.gpu(), "words", size_of_val(words) as u64, Memory::Device).unwrap();
        bench.run(|frame| frame.upload_buffer(&buffer, words)).unwrap();
        buffer
    };
    let long = [&wanted[..], &[7; 32]].concat();
    let mut packed: Vec<u32> =
        short.as_chunks::<2>().0.iter().map(|[a, b]| u32::from(*a) | u32::from(*b) << 16).collect();
    packed.extend([7; 16]);
    let tiles = buffer(&[4, 4, 2, 9]);
    let arguments = buffer(&[9, 9, 96, 9]);
    let lists = [(false, buffer(&long)), (true, buffer(&packed))].map(|(short, entries)| PixelList {
        entries,
        tiles: tiles.clone(),
        arguments: arguments.clone(),
        arguments_at: 0,
        count_at: 8,
        short,
    });
    for list in lists {
        let array = read(bench, &Output::Entries { list: list.clone(), across: ACROSS });
        assert_eq!((array.element, &array.shape[..]), (Element::U32, &[96][..]));
        let words: Vec<u32> = array.bytes.as_chunks::<4>().0.iter().map(|b| u32::from_ne_bytes(*b)).collect();
        assert_eq!(words, wanted, "short: {}", list.short);
        let more = PixelList { count_at: 0, arguments: list.entries.clone(), ..list };
        let read = bench.run(|frame| Output::Entries { list: more, across: ACROSS }.read(frame)).unwrap();
        assert!(read.array().is_err(), "more entries counted than there are");
    }
}
