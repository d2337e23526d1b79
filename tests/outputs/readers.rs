//! Independent readers of the files written by `--save`.

use base::half;
use glam::DVec4;
use std::{fs, path::Path};

/// An NPY file, read by a minimal reader of the format.
pub struct Npy {
    pub kind: String,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Npy {
    pub fn read(file: &Path) -> Self {
        let all = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(&all[..8], b"\x93NUMPY\x01\x00", "{}", file.display());
        let begin = 10 + usize::from(all[8]) + 256 * usize::from(all[9]);
        let header = std::str::from_utf8(&all[10..begin]).unwrap();
        assert!(begin % 64 == 0 && header.ends_with('\n') && header.contains("'fortran_order': False"), "{header}");
        let after = |key: &str| header.split_once(key).unwrap().1;
        let kind = after("'descr': '").split_once('\'').unwrap().0.to_owned();
        let shape = after("'shape': (").split_once(')').unwrap().0;
        let shape: Vec<usize> = shape.split(',').filter_map(|axis| axis.trim().parse().ok()).collect();
        let (bytes, element) = (all[begin..].to_vec(), kind[2..].parse::<usize>().unwrap());
        assert_eq!(bytes.len(), shape.iter().product::<usize>() * element, "{}: {header}", file.display());
        Self { kind, shape, bytes }
    }

    pub fn u32s(&self) -> Vec<u32> {
        assert_eq!(self.kind, "<u4");
        self.bytes.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
    }

    pub fn f32s(&self) -> Vec<f32> {
        assert_eq!(self.kind, "<f4");
        self.bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
    }

    pub fn halves(&self) -> Vec<u16> {
        assert_eq!(self.kind, "<f2");
        self.bytes.as_chunks().0.iter().map(|two| u16::from_le_bytes(*two)).collect()
    }

    /// Colours of linear light.
    pub fn light(&self) -> Vec<DVec4> {
        assert_eq!(self.shape[2..], [4]);
        let values: Vec<f64> = self.halves().into_iter().map(half::to_f64).collect();
        values.as_chunks().0.iter().map(|four| DVec4::from_array(*four)).collect()
    }
}

/// The half floats of an OpenEXR file's channels, by another library: rows from the top, R, G, B, A.
pub fn exr(file: &Path) -> (Vec<usize>, Vec<u16>) {
    use exr::prelude::*;
    let image = read_first_flat_layer_from_file(file).unwrap();
    let channel = |name: &str| {
        let list = &image.layer_data.channel_data.list;
        match &list.iter().find(|channel| channel.name.eq(name)).unwrap().sample_data {
            FlatSamples::F16(halves) => halves.iter().map(|half| half.to_bits()).collect::<Vec<_>>(),
            _ => panic!("channel {name} is not of half floats"),
        }
    };
    let Vec2(width, height) = image.layer_data.size;
    let channels = ["R", "G", "B", "A"].map(channel);
    (vec![height, width, 4], (0..width * height).flat_map(|at| channels.each_ref().map(|c| c[at])).collect())
}
