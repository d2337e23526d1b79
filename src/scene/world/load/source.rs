//! The bytes of a scene: the file itself, and what it names beside it. Nothing outside its folder is read.

use super::{
    document::Document,
    limits, meshopt,
    schema::{Buffer, BufferView, Image},
};
use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    fs::File,
    io::Read,
    ops::{Deref, Range},
    path::{Component, Path, PathBuf},
    rc::Rc,
};

/// A scene's JSON and buffers. A buffer is read when something that is drawn refers to it.
pub struct Source {
    pub document: Document,
    folder: PathBuf,
    /// The chunk of a binary file, until a buffer takes it.
    binary: RefCell<Option<Vec<u8>>>,
    buffers: RefCell<HashMap<usize, Rc<Vec<u8>>>>,
    /// Buffer views that are decompressed.
    views: RefCell<HashMap<usize, Rc<Vec<u8>>>>,
    /// Bytes that may still be read.
    left: Cell<u64>,
}

/// A part of a buffer.
pub struct View {
    bytes: Rc<Vec<u8>>,
    range: Range<usize>,
    /// Bytes from one element to the next, where the buffer view says so.
    pub stride: Option<usize>,
}

impl Deref for View {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl Source {
    /// Reads `path`.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = read(path, limits::FILE)?;
        let (text, binary) = split(&bytes)?;
        let document = Document::parse(text)?;
        // A bare name has an empty parent.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().context("its folder")?;
        Ok(Self {
            document,
            folder,
            binary: RefCell::new(binary.map(<[u8]>::to_vec)),
            buffers: RefCell::default(),
            views: RefCell::default(),
            left: Cell::new(limits::BUFFERS),
        })
    }

    /// The bytes of a buffer view, decompressed.
    pub fn view(&self, index: usize) -> Result<View> {
        let view: BufferView = self.document.get(index)?;
        let stride = view.byte_stride.map(|stride| usize::try_from(stride).unwrap_or(usize::MAX));
        if let Some(bytes) = self.views.borrow().get(&index) {
            return Ok(View { bytes: bytes.clone(), range: 0..bytes.len(), stride });
        }
        let Some(compressed) = view.extensions.khr_meshopt.or(view.extensions.ext_meshopt) else {
            let (bytes, range) =
                self.part(&format!("buffer view {index}"), view.buffer, view.byte_offset, view.byte_length)?;
            return Ok(View { bytes, range, stride });
        };
        let what = format!("buffer view {index}, compressed");
        let (bytes, range) = self.part(&what, compressed.buffer, compressed.byte_offset, compressed.byte_length)?;
        let size = compressed.count.saturating_mul(compressed.byte_stride);
        self.spend(&what, size)?;
        let decoded = Rc::new(meshopt::decode(&compressed, &bytes[range]).context(what)?);
        self.views.borrow_mut().insert(index, decoded.clone());
        Ok(View { range: 0..decoded.len(), bytes: decoded, stride })
    }

    /// `length` bytes of a buffer, from `first` on.
    fn part(&self, what: &str, buffer: usize, first: u64, length: u64) -> Result<(Rc<Vec<u8>>, Range<usize>)> {
        let bytes = self.buffer(buffer)?;
        let end = first.checked_add(length).filter(|end| *end <= bytes.len() as u64);
        let end = end
            .with_context(|| format!("{what}: {length} bytes from {first} on, of a buffer of {} bytes", bytes.len()))?;
        Ok((bytes, first as usize..end as usize))
    }

    fn spend(&self, what: &str, bytes: u64) -> Result<()> {
        let left = self.left.get();
        ensure!(bytes <= left, "{what} of {bytes} bytes; at most {left} are left of {}", limits::BUFFERS);
        self.left.set(left - bytes);
        Ok(())
    }

    fn buffer(&self, index: usize) -> Result<Rc<Vec<u8>>> {
        if let Some(bytes) = self.buffers.borrow().get(&index) {
            return Ok(bytes.clone());
        }
        let Buffer { uri, byte_length: length } = self.document.get(index)?;
        let what = || format!("buffer {index}");
        let left = self.left.get();
        ensure!(length <= left, "buffer {index} of {length} bytes; at most {left} are left of {}", limits::BUFFERS);
        let bytes = match uri {
            Some(uri) => self.resolve(&uri, left).with_context(what)?,
            None if index == 0 => {
                self.binary.borrow_mut().take().context("buffer 0 has no URI, and there is no binary chunk")?
            }
            None => bail!("buffer {index} has no URI"),
        };
        let here = bytes.len() as u64;
        ensure!(here >= length, "buffer {index} has {here} bytes; expected {length}");
        self.spend(&what(), here)?;
        let bytes = Rc::new(bytes);
        self.buffers.borrow_mut().insert(index, bytes.clone());
        Ok(bytes)
    }

    /// The encoded bytes of an image.
    pub fn image(&self, index: usize) -> Result<Vec<u8>> {
        let image: Image = self.document.get(index)?;
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => self.resolve(uri, limits::FILE),
            (None, Some(view)) => Ok(self.view(view)?.to_vec()),
            (None, None) => bail!("has neither a URI nor a buffer view"),
        }
    }

    /// What an image is called in messages: its file, or its number.
    pub fn image_name(&self, index: usize) -> String {
        let uri = self.document.get::<Image>(index).ok().and_then(|image| image.uri);
        match uri.filter(|uri| !uri.starts_with("data:")) {
            Some(uri) => format!("{:?}", uri.chars().take(60).collect::<String>()),
            None => format!("image {index}"),
        }
    }

    /// What a URI names: `data:`, or a file inside the scene's folder.
    fn resolve(&self, uri: &str, most: u64) -> Result<Vec<u8>> {
        let shown: String = uri.chars().take(60).collect();
        if let Some(data) = uri.strip_prefix("data:") {
            let (kind, text) = data.split_once(',').context("a data URI without a comma")?;
            ensure!(kind.ends_with(";base64"), "a data URI that is not base64: {shown:?}");
            return base64::engine::general_purpose::STANDARD.decode(text.trim()).context("a data URI");
        }
        let name = decoded(uri).with_context(|| format!("URI {shown:?}"))?;
        let outside = || format!("URI {shown:?}: only files inside the scene's folder are read");
        // A scheme or a drive is a name with a colon before the first slash.
        ensure!(!name.split(['/', '\\']).next().unwrap_or_default().contains(':'), outside());
        ensure!(!name.contains('\0') && !name.is_empty(), outside());
        // Exporters on Windows write the separator of that system.
        let name = name.replace('\\', "/");
        let relative = Path::new(&name);
        let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        ensure!(relative.components().all(plain), outside());
        let path = self.folder.join(relative).canonicalize().with_context(|| format!("{name:?}"))?;
        ensure!(path.starts_with(&self.folder), outside());
        read(&path, most).with_context(|| format!("{name:?}"))
    }
}

/// A file's bytes, at most so many.
fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Asked before it is opened: opening a pipe would wait.
    let about = std::fs::metadata(path).context("cannot be read")?;
    ensure!(about.is_file(), "is not a file");
    ensure!(about.len() <= most, "has {} bytes; at most {most} are read", about.len());
    let mut bytes = Vec::new();
    File::open(path).context("cannot be read")?.take(most).read_to_end(&mut bytes).context("cannot be read")?;
    Ok(bytes)
}

/// The JSON, and the binary chunk where there is one.
fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
        four.map(u32::from_le_bytes).context("a binary glTF that ends in its header")
    };
    let (version, all) = (word(4)?, word(8)? as usize);
    ensure!(version == 2, "binary glTF version {version}; expected 2");
    // Some writers leave out the bytes that fill up the last chunk.
    ensure!(all <= bytes.len() + PADDING, "truncated: {} bytes; its header says {all}", bytes.len());
    let all = all.min(bytes.len());
    let (mut text, mut binary) = (None, None);
    let mut at = 12;
    while at + 8 <= all {
        let (length, kind) = (word(at)? as usize, word(at + 4)?);
        let end = (at + 8).checked_add(length).filter(|end| *end <= all + PADDING);
        let end = end.with_context(|| format!("truncated: a chunk of {length} bytes at {at} of {all}"))?.min(all);
        let chunk = &bytes[at + 8..end];
        match (&kind.to_le_bytes(), text.is_some()) {
            (b"JSON", false) => text = Some(chunk),
            (b"BIN\0", true) if binary.is_none() => binary = Some(chunk),
            (_, false) => bail!("a binary glTF whose first chunk is not JSON"),
            // Chunks of other kinds are to be ignored.
            _ => {}
        }
        // Chunks begin at multiples of four; some writers put the next one right behind the last byte.
        let follows = bytes.get(end + 4..end + 8) == Some(b"BIN\0");
        at = if follows { end } else { end.next_multiple_of(4) };
    }
    Ok((text.context("a binary glTF without JSON")?, binary))
}

/// Bytes that fill up a chunk to a multiple of four, at most.
const PADDING: usize = 3;

/// Percent signs and what they stand for (RFC 3986, 2.1).
fn decoded(uri: &str) -> Result<String> {
    let mut bytes = vec![];
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
            let byte =
                digits.and_then(|two| u8::from_str_radix(two, 16).ok()).context("a percent sign without two digits")?;
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).context("not UTF-8")
}
