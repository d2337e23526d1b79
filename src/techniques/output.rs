//! Named outputs of techniques, for files and viewers.

use super::context::PixelList;
use crate::{
    base::array::{Array, Element},
    gpu::{Buffer, Error, Format, Frame, ImageView, ReadBack, Result},
};

/// Shape of a number for each pixel: rows, columns.
pub const PIXELS: &str = "h x w";
/// Shape of a colour for each pixel: rows, columns, then red, green, blue, alpha.
pub const COLOURS: &str = "h x w x 4";

/// [`OutputInfo::needs`] of what is made of a world.
pub const A_WORLD: &str = "a drawn world (scene.source = \"world\")";

/// Description of an output, known before any frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputInfo {
    /// Word after the slash of `--save technique/name=FILE`. Ends in ` N` where there is one for each number from 0 on.
    pub name: &'static str,
    /// Meaning of its numbers, in a sentence.
    pub doc: &'static str,
    /// Element types; several where settings decide.
    pub elements: &'static [Element],
    /// Its axes, joined by ` x `: numbers, or words for what depends on the frame. [`PIXELS`], [`COLOURS`].
    pub shape: &'static str,
    /// Requirement for it to exist in a frame.
    pub needs: &'static str,
}

impl OutputInfo {
    /// `u32, h x w`: elements and shape.
    #[must_use]
    pub fn kind(&self) -> String {
        let elements: Vec<_> = self.elements.iter().map(|element| element.name()).collect();
        format!("{}, {}", elements.join(" or "), self.shape)
    }

    /// Whether this is its name, or one of its names.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.word().map_or(self.name == name, |word| numbered(name, word).is_some())
    }

    /// Its name with a number, where it has one for each.
    #[must_use]
    pub fn example(&self, number: u32) -> String {
        self.word().map_or_else(|| self.name.to_owned(), |word| format!("{word} {number}"))
    }

    /// Number of existing outputs, if there is one for each number; `is_there` tests a name.
    #[must_use]
    pub fn count(&self, is_there: impl Fn(&str) -> bool) -> Option<u32> {
        self.word().map(|_| (0..).take_while(|number| is_there(&self.example(*number))).count() as u32)
    }

    fn word(&self) -> Option<&'static str> {
        self.name.strip_suffix(" N")
    }
}

/// The number in `level 3`, where `word` is `level`.
pub(super) fn numbered(name: &str, word: &str) -> Option<u32> {
    let digits = name.strip_prefix(word)?.strip_prefix(' ')?;
    let number = digits.parse::<u32>().ok()?;
    // `+3` and `03` are no names.
    (number.to_string() == digits).then_some(number)
}

/// Storage of an output. Its image or buffer keeps its contents until the next frame is recorded.
#[derive(Clone)]
pub enum Output {
    /// A part of an image, or all of it.
    Image {
        /// One mip level.
        view: ImageView,
        /// The first texel, column and row, that holds something.
        first: [u32; 2],
        /// Columns and rows that do.
        size: [u32; 2],
    },
    /// Numbers at the start of a buffer.
    Buffer {
        /// They begin with its first byte.
        buffer: Buffer,
        /// Element type.
        element: Element,
        /// Its axes, the last one together in memory.
        shape: Vec<usize>,
    },
    /// Rows of numbers in a buffer, with something else between them.
    Rows {
        /// The first row begins with its first byte.
        buffer: Buffer,
        /// Element type.
        element: Element,
        /// Numbers from the start of a row to that of the next.
        pitch: usize,
        /// Columns and rows.
        size: [usize; 2],
    },
    /// Numbers further on in a buffer.
    Part {
        /// Their buffer.
        buffer: Buffer,
        /// Numbers before them.
        first: usize,
        /// Element type.
        element: Element,
        /// Their axes, the last one together in memory.
        shape: Vec<usize>,
    },
    /// The entries of a list, padding among them; how many is known on the GPU.
    Entries {
        /// The list.
        list: PixelList,
        /// Tiles in a row.
        across: u32,
    },
}

impl From<ImageView> for Output {
    fn from(view: ImageView) -> Self {
        let size = view.size();
        Self::Image { view, first: [0; 2], size }
    }
}

impl From<&ImageView> for Output {
    fn from(view: &ImageView) -> Self {
        view.clone().into()
    }
}

impl Output {
    /// Copies it to the host with this frame.
    pub fn read(&self, frame: &mut Frame) -> Result<OutputReadBack> {
        Ok(OutputReadBack(match self {
            Self::Image { view, first, size } => {
                Reads::Texels { read: frame.read_image(view)?, view: view.clone(), first: *first, size: *size }
            }
            Self::Buffer { buffer, element, shape } => {
                Reads::Numbers { read: frame.read_buffer(buffer)?, first: 0, element: *element, shape: shape.clone() }
            }
            Self::Part { buffer, first, element, shape } => {
                let (first, element, shape) = (*first, *element, shape.clone());
                Reads::Numbers { read: frame.read_buffer(buffer)?, first, element, shape }
            }
            Self::Rows { buffer, element, pitch, size } => {
                Reads::Rows { read: frame.read_buffer(buffer)?, element: *element, pitch: *pitch, size: *size }
            }
            Self::Entries { list, across } => Reads::Entries {
                entries: frame.read_buffer(&list.entries)?,
                tiles: frame.read_buffer(&list.tiles)?,
                counts: frame.read_buffer(&list.arguments)?,
                count_at: (list.count_at / 4) as usize,
                short: list.short,
                across: *across,
            },
        }))
    }
}

/// An output on its way to the host.
pub struct OutputReadBack(Reads);

enum Reads {
    Texels { read: ReadBack, view: ImageView, first: [u32; 2], size: [u32; 2] },
    Numbers { read: ReadBack, first: usize, element: Element, shape: Vec<usize> },
    Rows { read: ReadBack, element: Element, pitch: usize, size: [usize; 2] },
    Entries { entries: ReadBack, tiles: ReadBack, counts: ReadBack, count_at: usize, short: bool, across: u32 },
}

impl OutputReadBack {
    /// Its numbers, when the frame has ended.
    pub fn array(&self) -> Result<Array> {
        match &self.0 {
            Reads::Texels { read, view, first, size } => {
                let (element, channels) = numbers_of(view.format());
                let texel = channels * element.bytes();
                let [[left, top], [columns, rows]] = [first, size].map(|both| both.map(|n| n as usize));
                let within = left * texel..(left + columns) * texel;
                let all = read.read::<u8>()?;
                let lines = all.chunks_exact(view.size()[0] as usize * texel).skip(top).take(rows);
                let mut bytes: Vec<u8> = lines.flat_map(|line| &line[within.clone()]).copied().collect();
                if matches!(view.format(), Format::Bgra8 | Format::Bgra8Srgb) {
                    bytes.chunks_exact_mut(4).for_each(|texel| texel.swap(0, 2));
                }
                let mut shape = vec![rows, columns];
                shape.extend((channels > 1).then_some(channels));
                Ok(Array { element, shape, bytes })
            }
            Reads::Numbers { read, first, element, shape } => {
                let (first, count) = (*first * element.bytes(), shape.iter().product::<usize>() * element.bytes());
                let bytes = read.read::<u8>()?.into_iter().skip(first).take(count).collect();
                Ok(Array { element: *element, shape: shape.clone(), bytes })
            }
            Reads::Rows { read, element, pitch, size: [columns, rows] } => {
                let bytes = read.read::<u8>()?;
                let lines = bytes.chunks(pitch.max(&1) * element.bytes()).take(*rows);
                let bytes = lines.flat_map(|line| line.iter().take(columns * element.bytes())).copied().collect();
                Ok(Array { element: *element, shape: vec![*rows, *columns], bytes })
            }
            Reads::Entries { entries, tiles, counts, count_at, short, across } => {
                let count = counts.read::<u32>()?.get(*count_at).copied().unwrap_or_default() as usize;
                let list = PixelList::unpacked(*short, &entries.read()?, &tiles.read()?, count, *across);
                let list = list.ok_or_else(|| Error::Pass {
                    pass: "read back/entries".into(),
                    problem: format!("{count} entries counted, room for fewer"),
                })?;
                let bytes = list.iter().flat_map(|entry| entry.to_ne_bytes()).collect();
                Ok(Array { element: Element::U32, shape: vec![count], bytes })
            }
        }
    }
}

/// Component type of the texels of a format, and their number of components. Blue-first ones are swapped.
fn numbers_of(format: Format) -> (Element, usize) {
    match format {
        Format::Rgba8 | Format::Rgba8Srgb | Format::Bgra8 | Format::Bgra8Srgb => (Element::U8, 4),
        Format::Rgba16F => (Element::F16, 4),
        Format::Rgba32F => (Element::F32, 4),
        Format::R32F | Format::Depth32F | Format::Depth32FStencil8 => (Element::F32, 1),
        Format::R32U => (Element::U32, 1),
        Format::Rgba32U => (Element::U32, 4),
        Format::Rg32U => (Element::U32, 2),
        Format::R16U => (Element::U16, 1),
        Format::R8 => (Element::U8, 1),
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
