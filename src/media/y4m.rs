//! Raw video in the YUV4MPEG2 format (.y4m): a header line, then frames of 8-bit planes, as mjpegtools and ffmpeg define it.

use super::pixels::{LONGEST_SIDE, Picture};
use super::resample::stretch;
use anyhow::{Context as _, Result, bail, ensure};
use std::cmp::Ordering;
use std::io::{BufRead, BufReader, Read, Seek, Write};

const EXPECTED: &str = "expected a progressive .y4m video of 8 bits (C420, C422, C444 or Cmono) up to 16384x16384";
const UNKNOWN_RATE: [u32; 2] = [25, 1];
const MOST_ASPECT: u32 = 10;
const MOST_HEADER: u64 = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chroma {
    Mono,
    Quarter,
    Half,
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    pub size: [u32; 2],
    /// Frames a second, as a fraction; `None`: unknown.
    pub rate: Option<[u32; 2]>,
    /// Width to height of a pixel; `None`: unreadable.
    pub aspect: Option<[u32; 2]>,
    pub chroma: Chroma,
    /// Values use 0 to 255, not 16 to 235.
    pub is_full: bool,
}

/// Parts of red and blue in the luma: players take ITU-R BT.709 from 1280 columns or 577 rows on, BT.601 below.
fn luma_parts([width, height]: [u32; 2]) -> [f32; 2] {
    if width >= 1280 || height > 576 { [0.2126, 0.0722] } else { [0.299, 0.114] }
}

impl Header {
    pub fn read(from: &mut impl BufRead) -> Result<Header> {
        let line = header_line(from)?;
        let mut words = line.split(' ');
        ensure!(words.next() == Some("YUV4MPEG2"), "the file is no .y4m video; {EXPECTED}");
        let aspect = Some([1, 1]);
        let mut header = Header { size: [0; 2], rate: None, aspect, chroma: Chroma::Quarter, is_full: false };
        let (mut has_chroma, mut older) = (false, None);
        for word in words.filter(|word| !word.is_empty()) {
            let (kind, value) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            let side = || value.parse::<u32>().ok().filter(|side| (1..=LONGEST_SIDE).contains(side));
            match kind {
                "W" => header.size[0] = side().with_context(|| format!("its width is {value}; {EXPECTED}"))?,
                "H" => header.size[1] = side().with_context(|| format!("its height is {value}; {EXPECTED}"))?,
                "F" => {
                    let rate = fraction(value).filter(|rate| *rate == [0, 0] || rate.iter().all(|part| *part > 0));
                    let rate =
                        rate.with_context(|| format!("its rate is {value}; expected frames a second, as in F25:1"))?;
                    header.rate = Some(rate).filter(|rate| *rate != [0, 0]);
                }
                "A" if value == "0:0" => header.aspect = Some([1, 1]),
                "A" => header.aspect = fraction(value).filter(|parts| !parts.contains(&0)),
                "I" => ensure!(matches!(value, "p" | "?"), "it is interlaced; {EXPECTED}"),
                "C" => (header.chroma, has_chroma) = (chroma(value)?, true),
                "X" => {
                    header.is_full |= value == "COLORRANGE=FULL";
                    older = value.strip_prefix("YSCSS=").or(older);
                }
                _ => {}
            }
        }
        if let Some(older) = older.filter(|_| !has_chroma) {
            header.chroma = chroma(&older.to_ascii_lowercase())?;
        }
        ensure!(header.size.iter().all(|side| *side > 0), "it has no size; {EXPECTED}");
        Ok(header)
    }

    pub fn per_second(&self) -> f64 {
        let [frames, seconds] = self.rate.unwrap_or(UNKNOWN_RATE);
        f64::from(frames) / f64::from(seconds)
    }

    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.rate.is_none() {
            let [frames, _] = UNKNOWN_RATE;
            remarks.push(format!("its rate is unknown: {frames} frames a second are shown"));
        }
        match self.aspect {
            Some([width, height]) if width != height && self.shown_size() == self.size => {
                remarks.push(format!("its pixel aspect of {width}:{height} is not used"));
            }
            None => remarks.push("its pixel aspect is not used; expected two whole numbers, as in A1:1".into()),
            _ => {}
        }
        remarks
    }

    /// Square pixels: the longer side of a pixel is scaled up.
    pub fn shown_size(&self) -> [u32; 2] {
        let ([width, height], [wide, high]) = (self.size, self.aspect.unwrap_or([1, 1]));
        let longer = |side: u32, long: u32, short: u32| {
            let longer = (u64::from(side) * u64::from(long) + u64::from(short) / 2) / u64::from(short);
            Some(longer as u32).filter(|_| longer <= LONGEST_SIDE.into() && long / short < MOST_ASPECT)
        };
        match wide.cmp(&high) {
            Ordering::Greater => longer(width, wide, high).map_or(self.size, |width| [width, height]),
            Ordering::Less => longer(height, high, wide).map_or(self.size, |height| [width, height]),
            Ordering::Equal => self.size,
        }
    }

    fn chroma_size(&self) -> [usize; 2] {
        let [width, height] = self.size.map(|side| side as usize);
        match self.chroma {
            Chroma::Mono => [0, 0],
            Chroma::Quarter => [width.div_ceil(2), height.div_ceil(2)],
            Chroma::Half => [width.div_ceil(2), height],
            Chroma::Full => [width, height],
        }
    }

    pub fn frame_bytes(&self) -> usize {
        let [width, height] = self.size.map(|side| side as usize);
        width * height + 2 * self.chroma_size().into_iter().product::<usize>()
    }

    pub fn frame(&self, from: &mut impl BufRead) -> Result<Option<Picture>> {
        if !frame_line(from)? {
            return Ok(None);
        }
        let mut planes = vec![0; self.frame_bytes()];
        from.read_exact(&mut planes).context("it is cut off")?;
        let picture = self.picture(&planes);
        let size = self.shown_size();
        Ok(Some(if size == self.size { picture } else { stretch(&picture, size) }))
    }

    /// `length`: of the file.
    pub fn skip(&self, from: &mut BufReader<impl Read + Seek>, length: u64) -> Result<bool> {
        if !frame_line(from)? {
            return Ok(false);
        }
        let bytes = self.frame_bytes() as u64;
        ensure!(from.stream_position()? + bytes <= length, "it is cut off");
        from.seek_relative(bytes as i64)?;
        Ok(true)
    }

    fn picture(&self, planes: &[u8]) -> Picture {
        let [width, height] = self.size.map(|side| side as usize);
        let (luma, chroma) = planes.split_at(width * height);
        let (blues, reds) = chroma.split_at(chroma.len() / 2);
        let [columns, rows] = self.chroma_size();
        let [red_part, blue_part] = luma_parts(self.size);
        let green_part = 1.0 - red_part - blue_part;
        let (black, white, span) = if self.is_full { (0.0, 255.0, 255.0) } else { (16.0, 219.0, 224.0) };
        let mut rgba = Vec::with_capacity(4 * width * height);
        for (y, row) in luma.chunks_exact(width).enumerate() {
            for (x, luma) in row.iter().enumerate() {
                let y1 = (f32::from(*luma) - black) / white;
                let [blue, red] = if columns == 0 {
                    [0.0; 2]
                } else {
                    let at = y * rows / height * columns + x * columns / width;
                    [blues[at], reds[at]].map(|value| (f32::from(value) - 128.0) / span)
                };
                let r = y1 + 2.0 * (1.0 - red_part) * red;
                let b = y1 + 2.0 * (1.0 - blue_part) * blue;
                let g = (y1 - red_part * r - blue_part * b) / green_part;
                rgba.extend([r, g, b].map(|value| (255.0 * value).round() as u8));
                rgba.push(255);
            }
        }
        Picture { size: self.size, rgba }
    }
}

fn fraction(text: &str) -> Option<[u32; 2]> {
    let (a, b) = text.split_once(':')?;
    Some([a.parse().ok()?, b.parse().ok()?])
}

fn chroma(name: &str) -> Result<Chroma> {
    Ok(match name {
        "mono" => Chroma::Mono,
        "420" | "420jpeg" | "420mpeg2" | "420paldv" => Chroma::Quarter,
        "422" => Chroma::Half,
        "444" => Chroma::Full,
        other => bail!("its colours are C{other}; {EXPECTED}"),
    })
}

fn frame_line(from: &mut impl BufRead) -> Result<bool> {
    if from.fill_buf()?.is_empty() {
        return Ok(false);
    }
    let line = header_line(from).context("it is cut off")?;
    ensure!(line == "FRAME" || line.starts_with("FRAME "), "there is no frame where one is due; {EXPECTED}");
    Ok(true)
}

fn header_line(from: &mut impl BufRead) -> Result<String> {
    let mut line = Vec::new();
    std::io::Read::take(&mut *from, MOST_HEADER).read_until(b'\n', &mut line)?;
    ensure!(line.pop() == Some(b'\n'), "a header line has no end; {EXPECTED}");
    String::from_utf8(line).ok().context("a header line is no text").context(EXPECTED)
}

#[derive(Debug)]
pub struct Writer<W> {
    to: W,
    header: Header,
    planes: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub fn new(mut to: W, size: [u32; 2], per_second: u32) -> std::io::Result<Self> {
        let rate = Some([per_second, 1]);
        let header = Header { size, rate, aspect: Some([1, 1]), chroma: Chroma::Full, is_full: false };
        let [width, height] = size;
        writeln!(to, "YUV4MPEG2 W{width} H{height} F{per_second}:1 Ip A1:1 C444 XCOLORRANGE=LIMITED")?;
        Ok(Self { to, header, planes: Vec::new() })
    }

    pub fn frame(&mut self, picture: &Picture) -> Result<()> {
        let (found, size) = (picture.size, self.header.size);
        ensure!(found == size, "a frame of {}x{} in a video of {}x{}", found[0], found[1], size[0], size[1]);
        let [red_part, blue_part] = luma_parts(size);
        let pixels = picture.rgba.len() / 4;
        self.planes.resize(3 * pixels, 0);
        let (luma, chroma) = self.planes.split_at_mut(pixels);
        let (blues, reds) = chroma.split_at_mut(pixels);
        for (at, pixel) in picture.rgba.chunks_exact(4).enumerate() {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(|value| f32::from(value) / 255.0);
            let y = red_part * r + (1.0 - red_part - blue_part) * g + blue_part * b;
            luma[at] = (16.0 + 219.0 * y).round() as u8;
            blues[at] = (128.0 + 224.0 * (b - y) / (2.0 * (1.0 - blue_part))).round() as u8;
            reds[at] = (128.0 + 224.0 * (r - y) / (2.0 * (1.0 - red_part))).round() as u8;
        }
        self.to.write_all(b"FRAME\n")?;
        self.to.write_all(&self.planes)?;
        Ok(())
    }

    pub fn end(mut self) -> std::io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn colours(size: [u32; 2]) -> Picture {
        Picture::from_fn(size, |x, y| [(37 * x) as u8, (91 * y + 3 * x) as u8, (53 * (x + y)) as u8, 255])
    }

    #[test]
    fn pixels_that_are_not_square_are_drawn_as_wide_as_they_are() {
        let header = |tags: &str| Header::read(&mut Cursor::new(format!("YUV4MPEG2 W4 H2 {tags}\n"))).unwrap();
        for (tags, size, remarks) in [
            ("", [4, 2], 0),
            ("A-1:1", [4, 2], 1),
            ("Afoo", [4, 2], 1),
            ("A", [4, 2], 1),
            ("A1:0", [4, 2], 1),
            ("A0:1", [4, 2], 1),
            ("A4294967296:1", [4, 2], 1),
            ("A1:1", [4, 2], 0),
            ("A0:0", [4, 2], 0),
            ("A2:1", [8, 2], 0),
            ("A59:54", [4, 2], 1),
            ("A1:2", [4, 4], 0),
            ("A99:1", [4, 2], 1),
        ] {
            let header = header(&format!("F25:1 {tags}"));
            assert_eq!((header.shown_size(), header.remarks().len()), (size, remarks), "{tags}");
        }
        for tags in ["F0:0", ""] {
            assert_eq!(header(tags).remarks(), ["its rate is unknown: 25 frames a second are shown"], "{tags}");
        }
        assert!((header("F0:0").per_second(), header("F30000:1001").per_second()) == (25.0, 30000.0 / 1001.0));
        let bytes = [&b"YUV4MPEG2 W4 H2 A2:1 Cmono\nFRAME\n"[..], &[16, 16, 235, 235, 16, 16, 235, 235]].concat();
        let mut from = Cursor::new(bytes);
        let picture = Header::read(&mut from).unwrap().frame(&mut from).unwrap().unwrap();
        assert_eq!((picture.size, picture.pixel(1, 1)[0], picture.pixel(6, 1)[0]), ([8, 2], 0, 255));
    }

    #[test]
    fn planes_that_older_programs_name_are_read() {
        for (tags, planes) in [
            ("XYSCSS=444", Chroma::Full),
            ("XYSCSS=422", Chroma::Half),
            ("XYSCSS=420JPEG", Chroma::Quarter),
            ("XYSCSS=422 C444", Chroma::Full),
            ("C444 XYSCSS=411", Chroma::Full),
            ("", Chroma::Quarter),
        ] {
            let line = format!("YUV4MPEG2 W4 H2 {tags}\n");
            assert_eq!(Header::read(&mut Cursor::new(line)).unwrap().chroma, planes, "{tags}");
        }
        let why = Header::read(&mut Cursor::new("YUV4MPEG2 W4 H2 XYSCSS=411\n")).unwrap_err();
        assert!(format!("{why:#}").contains("C411"), "{why:#}");
    }

    #[test]
    fn what_is_not_supported_is_one_line() {
        for (head, said) in [
            ("", "no end"),
            ("RIFF", "no end"),
            ("RIFF\n", "no .y4m"),
            ("YUV4MPEG2 W0 H2\n", "width is 0"),
            ("YUV4MPEG2 W99999 H2\n", "width is 99999"),
            ("YUV4MPEG2 H2\n", "no size"),
            ("YUV4MPEG2 W2 H2 C420p10\n", "C420p10"),
            ("YUV4MPEG2 W2 H2 It\n", "interlaced"),
            ("YUV4MPEG2 W2 H2 F0:1\n", "rate"),
        ] {
            let why = format!("{:#}", Header::read(&mut Cursor::new(head)).unwrap_err());
            assert!(why.contains(said) && why.contains("expected") && !why.contains('\n'), "{head}: {why}");
        }
        assert!(Writer::new(Vec::new(), [2, 2], 25).unwrap().frame(&colours([2, 3])).is_err());
    }
}
