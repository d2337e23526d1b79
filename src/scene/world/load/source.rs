//! Bytes of a scene: the file itself, and the files it refers to. Nothing outside its folder is read.

use super::{
    document::Document,
    limits, meshopt,
    schema::{Buffer, BufferView, Image, Mesh},
    words::quoted,
};
use anyhow::{Context, Result, bail, ensure};
use base::{job::Progress, text::percent_decoded};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    fs::File,
    io::Read,
    ops::{Deref, Range},
    path::{Component, Path, PathBuf},
    rc::Rc,
};

pub struct Source {
    pub document: Document,
    pub progress: Progress,
    folder: PathBuf,
    is_binary: bool,
    binary: RefCell<Option<Vec<u8>>>,
    buffers: RefCell<HashMap<usize, Rc<Vec<u8>>>>,
    views: RefCell<HashMap<usize, Rc<Vec<u8>>>>,
    meshes: RefCell<HashMap<usize, Rc<Mesh>>>,
    left: Cell<u64>,
}

pub struct View {
    bytes: Rc<Vec<u8>>,
    range: Range<usize>,
    pub stride: Option<usize>,
}

impl Deref for View {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl Source {
    pub fn open(path: &Path, progress: &Progress) -> Result<Self> {
        let bytes = read(path, limits::FILE)?;
        let (text, binary) = split(&bytes)?;
        let document = Document::parse(text)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().context("its folder")?;
        Ok(Self {
            document,
            progress: progress.clone(),
            folder,
            is_binary: bytes.starts_with(BINARY),
            binary: RefCell::new(binary.map(<[u8]>::to_vec)),
            buffers: RefCell::default(),
            views: RefCell::default(),
            meshes: RefCell::default(),
            left: Cell::new(limits::BUFFERS),
        })
    }

    pub fn mesh(&self, index: usize) -> Result<Rc<Mesh>> {
        if let Some(mesh) = self.meshes.borrow().get(&index) {
            return Ok(mesh.clone());
        }
        let mesh = Rc::new(self.document.get(index)?);
        self.meshes.borrow_mut().insert(index, Rc::clone(&mesh));
        Ok(mesh)
    }

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
            None if index == 0 && self.is_binary => {
                self.binary.borrow_mut().take().context("buffer 0 is the file's binary chunk, and the file has none")?
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

    pub fn image(&self, index: usize) -> Result<Vec<u8>> {
        let image: Image = self.document.get(index)?;
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => self.resolve(uri, limits::FILE),
            (None, Some(view)) => Ok(self.view(view)?.to_vec()),
            (None, None) => bail!("has neither a URI nor a buffer view"),
        }
    }

    pub fn image_name(&self, index: usize) -> String {
        let uri = self.document.get::<Image>(index).ok().and_then(|image| image.uri);
        match uri.filter(|uri| data_of(uri).is_none()) {
            Some(uri) => quoted(&uri),
            None => format!("image {index}"),
        }
    }

    fn resolve(&self, uri: &str, most: u64) -> Result<Vec<u8>> {
        if let Some(data) = data_of(uri) {
            return bytes_of(data);
        }
        let shown = quoted(uri);
        let name = String::from_utf8(percent_decoded(uri)).ok().with_context(|| format!("URI {shown}: not UTF-8"))?;
        let outside = || format!("URI {shown}: only files inside the scene's folder are read");
        ensure!(!name.split(['/', '\\']).next().unwrap_or_default().contains(':'), outside());
        ensure!(!name.contains('\0') && !name.is_empty(), outside());
        let name = name.replace('\\', "/");
        let mut path = self.folder.clone();
        let mut depth = 0;
        for part in Path::new(&name).components() {
            match part {
                Component::Normal(name) => {
                    path.push(name);
                    depth += 1;
                }
                Component::ParentDir if depth > 0 => {
                    path.pop();
                    depth -= 1;
                }
                Component::CurDir => {}
                _ => bail!(outside()),
            }
        }
        let path = path.canonicalize().with_context(|| quoted(&name))?;
        ensure!(path.starts_with(&self.folder), outside());
        read(&path, most).with_context(|| quoted(&name))
    }
}

const BINARY: &[u8] = b"glTF";

fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Opening a pipe would block.
    let about = std::fs::metadata(path).context("cannot be read")?;
    ensure!(about.is_file(), "is not a file");
    ensure!(about.len() <= most, "has {} bytes; at most {most} are read", about.len());
    let mut bytes = Vec::new();
    File::open(path).context("cannot be read")?.take(most).read_to_end(&mut bytes).context("cannot be read")?;
    Ok(bytes)
}

fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(BINARY) {
        return Ok((bytes, None));
    }
    let word = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
        four.map(u32::from_le_bytes).context("a binary glTF that ends in its header")
    };
    let (version, all) = (word(4)?, word(8)? as usize);
    ensure!(version == 2, "binary glTF version {version}; expected 2");
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
            _ => {}
        }
        let follows = bytes.get(end + 4..end + 8) == Some(b"BIN\0");
        at = if follows { end } else { end.next_multiple_of(4) };
    }
    Ok((text.context("a binary glTF without JSON")?, binary))
}

const PADDING: usize = 3;

fn data_of(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then_some(data)
}

/// RFC 2397. Writers differ in capitals, parameters, padding, line ends and the alphabet.
fn bytes_of(data: &str) -> Result<Vec<u8>> {
    let (kind, text) = data.split_once(',').context("a data URI without a comma")?;
    let bytes = percent_decoded(text);
    let is_base64 = kind.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Ok(bytes);
    }
    let usual = |byte: u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    };
    let packed: Vec<u8> = bytes.into_iter().filter(|byte| !byte.is_ascii_whitespace()).map(usual).collect();
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&alphabet::STANDARD, config).decode(packed).ok().context("a data URI that is not base64")
}
