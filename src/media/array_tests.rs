//! Tests of NPY files byte by byte against numpy's, and of pictures by decoding. tests/outputs reads OpenEXR files.

use super::*;

fn array(element: Element, shape: &[usize], bytes: impl IntoIterator<Item = u8>) -> Array {
    Array { element, shape: shape.to_vec(), bytes: bytes.into_iter().collect() }
}

/// Written by `numpy.save` (numpy 2): the dictionary before its padding.
#[test]
fn headers_are_those_of_numpy() {
    let cases: [(Element, &[usize], &str); 6] = [
        (Element::U32, &[37, 63], "{'descr': '<u4', 'fortran_order': False, 'shape': (37, 63), }"),
        (Element::F32, &[5], "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }"),
        (Element::F16, &[2, 3, 4], "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 4), }"),
        (Element::U8, &[1, 1, 4], "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 4), }"),
        (Element::U16, &[0], "{'descr': '<u2', 'fortran_order': False, 'shape': (0,), }"),
        (Element::U32, &[], "{'descr': '<u4', 'fortran_order': False, 'shape': (), }"),
    ];
    for (element, shape, wanted) in cases {
        let count = shape.iter().product::<usize>() * element.bytes();
        let file = array(element, shape, (0..count).map(|i| i as u8)).npy().unwrap();
        let wanted = if cfg!(target_endian = "little") { wanted.to_owned() } else { wanted.replace('<', ">") };
        let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
        assert_eq!((&file[..8], (10 + length) % 64), (&b"\x93NUMPY\x01\x00"[..], 0), "{wanted}");
        let header = std::str::from_utf8(&file[10..10 + length]).unwrap();
        assert_eq!((header.trim_end_matches([' ', '\n']), header.ends_with('\n')), (&wanted[..], true));
        assert_eq!(file[10 + length..], (0..count).map(|i| i as u8).collect::<Vec<_>>());
    }
}

#[test]
fn bytes_that_do_not_fit_the_shape_are_refused() {
    for count in [0, 23, 25] {
        let wrong = array(Element::U8, &[2, 3, 4], vec![0; count]);
        assert!(wrong.npy().is_err() && wrong.picture().is_err(), "{count}");
    }
}

#[test]
fn only_colours_are_pictures_and_only_texels_exr_files() {
    let of = |element: Element, shape: &[usize]| {
        array(element, shape, vec![0; shape.iter().product::<usize>() * element.bytes()])
    };
    for (element, shape, png, exr) in [
        (Element::U8, &[2, 3, 4][..], true, false),
        (Element::F16, &[2, 3, 4], true, true),
        (Element::F32, &[2, 3, 4], true, true),
        (Element::U32, &[2, 3], false, true),
        (Element::U32, &[2, 3, 2], false, true),
        (Element::F16, &[2, 3], false, true),
        (Element::F32, &[2, 3, 5], false, false),
        (Element::U8, &[2, 3, 3], false, false),
        (Element::F16, &[0, 3, 4], false, false),
    ] {
        let array = of(element, shape);
        assert_eq!((array.picture().is_ok(), array.exr().is_ok()), (png, exr), "{element:?} {shape:?}");
    }
}

#[test]
fn light_becomes_the_nearest_encoded_byte() {
    let mut bits: Vec<u16> = srgb::LINEAR_OF_BYTE.iter().map(|light| half::from_f64(f64::from(*light))).collect();
    bits.extend([-0.5, 6.0, f64::INFINITY, f64::NAN].map(half::from_f64));
    let texels = bits.iter().flat_map(|light| [*light, half::from_f64(1.0), 0, half::from_f64(0.5)]);
    let picture = array(Element::F16, &[1, 260, 4], texels.flat_map(u16::to_ne_bytes)).picture().unwrap();
    assert_eq!(picture.size, [260, 1]);
    let wanted = (0..=255).chain([0, 255, 255, 0]);
    assert_eq!(picture.rgba, wanted.flat_map(|byte| [byte, 255, 0, 255]).collect::<Vec<_>>());
}

#[test]
fn bytes_are_a_picture_as_they_are() {
    let picture = array(Element::U8, &[2, 3, 4], 0..24).picture().unwrap();
    assert_eq!((picture.size, picture.rgba), ([3, 2], (0..24).collect::<Vec<_>>()));
}
