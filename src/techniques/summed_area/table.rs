//! A summed-area table: its source and method, its layout in memory, and its cost.

use super::pipelines::Constants;
use glam::UVec2;
use gpu::gpu_consts;
use gpu::{Buffer, ImageView};

base::choices! {
    /// How the table is made.
    pub enum Method {
        /// One dispatch: tiles look left and up at what others have said. Reads and writes every word once.
        SinglePass = "single_pass",
        /// Sums of the tiles, those added up, then the table: reads the picture twice. The fallback of the single pass.
        TwoPass = "two_pass",
        /// Hensley et al. 2005: a pass for each doubling of the distance along each axis.
        Doubling = "doubling",
        /// Bilgic et al. 2010: rows, transpose, rows, transpose.
        Transpose = "transpose",
        /// Chen et al. 2018, method 1: rows scanned across lanes, then transposed on chip; twice.
        ScanRowBrlt = "scan_row_brlt" as "Scan rows, BRLT",
        /// The same paper's method 2: transposed first, then each thread adds up its own; twice.
        BrltScanRow = "brlt_scan_row" as "BRLT, scan rows",
        /// Its method 3: rows by subgroups, then columns by threads, without a transposition.
        ScanRowColumn = "scan_row_column" as "Scan rows, columns",
    }
}

base::choices! {
    /// What the words of the table are.
    pub enum Precision {
        /// Whole numbers modulo 2^32: exact for every box whose own sum is below 2^32.
        U32 = "u32" as "32-bit integers",
        /// Floats of values 0..1.
        F32 = "f32" as "32-bit floats",
        /// Floats of values less a half.
        HalfOffset = "half_offset",
        /// Floats of values less the picture's mean.
        MeanOffset = "mean_offset",
        /// Four tables of floats that begin in the middle of the picture.
        Centred = "centred",
    }
}

pub(super) const TILE: [u32; 2] = [128, 32];

gpu_consts! { "summed_area/tiles.comp":
    /// `SAID` in the shaders.
    pub(super) const SAID: u64 = 176;
}

impl Precision {
    pub fn is_float(self) -> bool {
        self != Self::U32
    }

    /// 0: nothing is subtracted, 1: a half, 2: the mean.
    pub(super) fn offset(self) -> u32 {
        match self {
            Self::HalfOffset => 1,
            Self::MeanOffset => 2,
            _ => 0,
        }
    }
}

#[derive(Clone)]
pub(super) enum Numbers {
    /// In planes: `pitch` words from row to row, `plane` from plane to plane, multiples of 4.
    Words {
        words: Buffer,
        pitch: u32,
        plane: u32,
        channels: u32,
    },
    Luma(ImageView),
    LumaAndSquare(ImageView),
    /// The first `count` channels, times `unit`, rounded.
    Channels {
        view: ImageView,
        unit: f32,
        count: u32,
    },
}

#[derive(Clone)]
pub(super) struct Source {
    pub numbers: Numbers,
    pub size: [u32; 2],
    pub first: [u32; 2],
    /// Value of 1 in tables of floats, and in means.
    pub scale: f32,
}

impl Source {
    pub fn of(numbers: Numbers, size: [u32; 2], scale: f32) -> Self {
        Self { numbers, size, first: [0, 0], scale }
    }

    pub fn luma(picture: &ImageView) -> Self {
        Self::of(Numbers::Luma(picture.clone()), picture.size(), 1.0 / 255.0)
    }

    pub fn channels(picture: &ImageView) -> Self {
        let numbers = Numbers::Channels { view: picture.clone(), unit: 255.0, count: 4 };
        Self::of(numbers, picture.size(), 1.0 / 255.0)
    }

    fn count(&self) -> u32 {
        match &self.numbers {
            Numbers::Words { channels: count, .. } | Numbers::Channels { count, .. } => *count,
            Numbers::Luma(_) => 1,
            Numbers::LumaAndSquare(_) => 2,
        }
    }
}

/// Words from row to row, and from plane to plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub full: [u32; 2],
    /// Of centred tables a quarter of the picture, rounded up.
    pub size: [u32; 2],
    pub pitch: u32,
    pub transposed_pitch: u32,
    pub plane: u32,
    pub channels: u32,
    pub planes: u32,
    pub precision: Precision,
    pub scale: f32,
}

fn pitch_for(width: u32) -> u32 {
    width.next_multiple_of(32)
}

impl Layout {
    pub fn new(source: &Source, precision: Precision) -> Self {
        let centred = precision == Precision::Centred;
        let size = if centred { source.size.map(|n| n.div_ceil(2)) } else { source.size };
        let [pitch, transposed_pitch] = size.map(pitch_for);
        let plane = (pitch * size[1]).max(transposed_pitch * size[0]);
        let channels = source.count();
        let planes = if centred { 4 * channels } else { channels };
        Self {
            full: source.size,
            size,
            pitch,
            transposed_pitch,
            plane,
            channels,
            planes,
            precision,
            scale: source.scale,
        }
    }

    pub fn bytes(&self) -> u64 {
        u64::from(self.plane) * u64::from(self.planes) * 4
    }

    pub fn grid(&self) -> [u32; 2] {
        [self.size[0].div_ceil(TILE[0]), self.size[1].div_ceil(TILE[1])]
    }

    pub fn lookup(&self) -> Constants {
        let centred = self.precision == Precision::Centred;
        vec![
            ("HOLDS_FLOATS", u32::from(self.precision.is_float())),
            ("LESS", self.precision.offset()),
            ("MIDDLE", u32::from(centred)),
        ]
    }
}

/// Valid until the next one is made in its place.
#[derive(Clone)]
pub struct Table {
    pub(super) words: Buffer,
    pub(super) means: Buffer,
    pub(super) layout: Layout,
}

#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub pitch: u32,
    pub plane: u32,
    pub planes: u32,
}

impl Planes {
    pub fn new(size: [u32; 2], planes: u32) -> Self {
        let pitch = size[0].next_multiple_of(32);
        Self { pitch, plane: pitch * size[1], planes }
    }

    pub fn bytes(self) -> u64 {
        u64::from(self.plane) * u64::from(self.planes) * 4
    }
}

/// Without those for a mean.
pub(super) fn passes(method: Method, size: [u32; 2]) -> u32 {
    match method {
        Method::SinglePass => 1,
        Method::TwoPass | Method::Transpose => 4,
        Method::Doubling => doublings(size).len() as u32,
        Method::ScanRowBrlt | Method::BrltScanRow | Method::ScanRowColumn => 2,
    }
}

/// `of_source`: bytes a number; tables have 4.
pub(super) fn bytes(method: Method, size: [u32; 2], of_source: u64) -> [u64; 2] {
    let all = size.into_iter().map(u64::from).product::<u64>();
    let tiles = u64::from(size[0].div_ceil(TILE[0])) * u64::from(size[1].div_ceil(TILE[1]));
    let source = all * of_source;
    let table = 4 * all;
    match method {
        Method::SinglePass => [source, table],
        Method::TwoPass => [2 * source + 2 * 4 * SAID * tiles, table + 2 * 4 * SAID * tiles],
        Method::Transpose => [source + 3 * table, 4 * table],
        Method::ScanRowBrlt | Method::BrltScanRow | Method::ScanRowColumn => [source + table, 2 * table],
        Method::Doubling => {
            let passes = doublings(size).len() as u64;
            [2 * source + (passes - 1) * 2 * table, passes * table]
        }
    }
}

/// Along rows, then along columns; at least one.
pub(super) fn doublings(size: [u32; 2]) -> Vec<UVec2> {
    let along = |n: u32, axis: UVec2| {
        let steps = n.max(1).next_power_of_two().trailing_zeros();
        (0..steps).map(move |i| axis << i)
    };
    let mut all: Vec<_> = along(size[0], UVec2::X).chain(along(size[1], UVec2::Y)).collect();
    if all.is_empty() {
        all.push(UVec2::X);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_and_bytes_are_counted() {
        assert_eq!(doublings([1, 1]), [UVec2::X]);
        assert_eq!(doublings([3, 1]), [UVec2::new(1, 0), UVec2::new(2, 0)]);
        assert_eq!(passes(Method::Doubling, [1920, 1080]), 11 + 11);
        assert_eq!(bytes(Method::SinglePass, [128, 64], 1), [8192, 4 * 8192]);
        assert_eq!(bytes(Method::ScanRowBrlt, [128, 64], 4), [8 * 8192, 8 * 8192]);
        assert_eq!(bytes(Method::Doubling, [2, 2], 4), [2 * 16 + 2 * 16, 2 * 16]);
        let tiles = 4 * 2 * 176;
        assert_eq!(bytes(Method::TwoPass, [128, 64], 4), [8 * 8192 + 2 * tiles, 4 * 8192 + 2 * tiles]);
    }
}
