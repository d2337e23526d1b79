//! Named outputs of techniques, for files and viewers.

use super::context::PixelList;
use gpu::{Buffer, Captured, Error, Format, Frame, ImageView, ReadBack, Result, records::Records};
use media::{
    array::{Array, Element},
    picture::Picture,
};
use std::sync::Arc;

/// Rows, columns.
pub const PIXELS: &str = "h x w";
/// Rows, columns, then red, green, blue, alpha.
pub const COLOURS: &str = "h x w x 4";

pub const A_WORLD: &str = "a drawn world (scene.source = \"world\")";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputInfo {
    /// After the slash of `--save technique/name=FILE`. Ends in ` N` if there is one for each number from 0 on.
    pub name: &'static str,
    pub doc: &'static str,
    pub elements: &'static [Element],
    /// Axes, joined by ` x `: numbers, or words for what depends on the frame.
    pub shape: &'static str,
    pub needs: &'static str,
}

impl OutputInfo {
    pub fn kind(&self) -> String {
        let elements: Vec<_> = self.elements.iter().map(|element| element.name()).collect();
        format!("{}, {}", elements.join(" or "), self.shape)
    }

    pub fn is_called(&self, name: &str) -> bool {
        self.word().map_or(self.name == name, |word| numbered(name, word).is_some())
    }

    pub fn example(&self, number: u32) -> String {
        self.word().map_or_else(|| self.name.to_owned(), |word| format!("{word} {number}"))
    }

    /// `None` without a number; `is_there` tests a name.
    pub fn count(&self, is_there: impl Fn(&str) -> bool) -> Option<u32> {
        self.word().map(|_| (0..).take_while(|number| is_there(&self.example(*number))).count() as u32)
    }

    fn word(&self) -> Option<&'static str> {
        self.name.strip_suffix(" N")
    }
}

/// The number in `level 3`.
pub fn numbered(name: &str, word: &str) -> Option<u32> {
    let digits = name.strip_prefix(word)?.strip_prefix(' ')?;
    let number = digits.parse::<u32>().ok()?;
    (number.to_string() == digits).then_some(number)
}

/// Keeps its contents until the next frame is recorded.
#[derive(Clone)]
pub enum Output {
    Image {
        view: ImageView,
        first: [u32; 2],
        size: [u32; 2],
    },
    Buffer {
        buffer: Buffer,
        element: Element,
        shape: Vec<usize>,
    },
    Rows {
        buffer: Buffer,
        element: Element,
        pitch: usize,
        size: [usize; 2],
    },
    Part {
        buffer: Buffer,
        first: usize,
        element: Element,
        shape: Vec<usize>,
    },
    /// With padding; the GPU counts them.
    Entries {
        list: PixelList,
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
    pub fn words(buffer: &Buffer) -> Self {
        let shape = vec![buffer.size() as usize / 4];
        Self::Buffer { buffer: buffer.clone(), element: Element::U32, shape }
    }

    pub fn read(&self, frame: &mut Frame) -> Result<FrameRead> {
        let (of, read) = match self {
            Self::Image { view, first: [x, y], size: [width, height] } => {
                let region = [*x, *y, *width, *height];
                (ReadOf::Image(view.format(), region), frame.read_region(view, region)?)
            }
            Self::Buffer { buffer, element, shape } => {
                (ReadOf::Numbers { first: 0, element: *element, shape: shape.clone() }, frame.read_buffer(buffer)?)
            }
            Self::Part { buffer, first, element, shape } => {
                let of = ReadOf::Numbers { first: *first, element: *element, shape: shape.clone() };
                (of, frame.read_buffer(buffer)?)
            }
            Self::Rows { buffer, element, pitch, size } => {
                (ReadOf::Rows { element: *element, pitch: *pitch, size: *size }, frame.read_buffer(buffer)?)
            }
            Self::Entries { list, across } => {
                let (tiles, counts) = (frame.read_buffer(&list.tiles)?, frame.read_buffer(&list.arguments)?);
                let (short, count_at) = (list.short, list.count_at);
                let of = ReadOf::Entries { tiles, counts, short, count_at, across: *across };
                (of, frame.read_buffer(&list.entries)?)
            }
        };
        Ok(FrameRead { of, read })
    }
}

/// What was read back of a frame; its contents are known once the frame has ended.
pub struct FrameRead {
    of: ReadOf,
    read: ReadBack,
}

/// Without what was read: an image of a swapchain may not outlive it.
enum ReadOf {
    Image(Format, [u32; 4]),
    Numbers { first: usize, element: Element, shape: Vec<usize> },
    Rows { element: Element, pitch: usize, size: [usize; 2] },
    Entries { tiles: ReadBack, counts: ReadBack, short: bool, count_at: u64, across: u32 },
    Records(Arc<Records>),
}

impl FrameRead {
    pub fn of(frame: &mut Frame, captured: &Captured) -> Result<Self> {
        match captured {
            Captured::Image(image) => Output::from(image.mip(0)).read(frame),
            Captured::Buffer(read, records) => Ok(Self { of: ReadOf::Records(records.clone()), read: read.clone() }),
        }
    }

    pub fn frame(&self) -> u64 {
        self.read.frame()
    }

    /// As the GPU stores them.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        self.read.read()
    }

    /// Of 8-bit colours.
    pub fn picture(&self) -> Result<Picture> {
        let size = self.image().map_or([0; 2], |(_, [_, _, width, height])| [width, height]);
        Ok(Picture { size, rgba: self.array()?.bytes })
    }

    /// Format and region: left, top, width, height. `None` for a buffer.
    pub fn image(&self) -> Option<(Format, [u32; 4])> {
        match &self.of {
            ReadOf::Image(format, region) => Some((*format, *region)),
            _ => None,
        }
    }

    pub fn array(&self) -> Result<Array> {
        let all = self.bytes()?;
        Ok(match &self.of {
            ReadOf::Image(format, [_, _, width, height]) => {
                let (element, channels) = format.channels();
                let mut bytes = all;
                if matches!(format, Format::Bgra8 | Format::Bgra8Srgb) {
                    bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|texel| texel.swap(0, 2));
                }
                let mut shape = vec![*height as usize, *width as usize];
                shape.extend((channels > 1).then_some(channels));
                Array { element, shape, bytes }
            }
            ReadOf::Numbers { first, element, shape } => {
                let count = shape.iter().product::<usize>() * element.bytes();
                let bytes = all.iter().copied().skip(first * element.bytes()).take(count).collect();
                Array { element: *element, shape: shape.clone(), bytes }
            }
            ReadOf::Rows { element, pitch, size: [columns, rows] } => {
                let lines = all.chunks(pitch.max(&1) * element.bytes()).take(*rows);
                let bytes = lines.flat_map(|line| line.iter().take(columns * element.bytes())).copied().collect();
                Array { element: *element, shape: vec![*rows, *columns], bytes }
            }
            ReadOf::Entries { tiles, counts, short, count_at, across } => {
                let (tiles, counts) = (tiles.read::<u32>()?, counts.read::<u32>()?);
                let count = counts.get((count_at / 4) as usize).copied().unwrap_or_default() as usize;
                let entries = PixelList::unpacked(*short, &self.read.read()?, &tiles, count, *across);
                let entries = entries.ok_or_else(|| Error::Pass {
                    pass: "read back/entries".into(),
                    problem: format!("{count} entries counted, room for fewer"),
                })?;
                let bytes = entries.iter().flat_map(|entry| entry.to_ne_bytes()).collect();
                Array { element: Element::U32, shape: vec![count], bytes }
            }
            ReadOf::Records(records) => records.array(all),
        })
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
