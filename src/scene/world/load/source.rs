//! The bytes of a scene: the file itself, and what it names beside it. Nothing outside its folder is read.

use super::layers::Layers;
use super::limits;
use super::root::{self, Root};
use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use std::{
    fs::File,
    io::Read,
    path::{Component, Path, PathBuf},
};

/// A scene's JSON and buffers.
pub struct Source {
    /// Its indices are in range.
    pub document: gltf::Document,
    /// Accessors that are all 0.
    pub zeros: Vec<usize>,
    layers: Vec<Layers>,
    folder: PathBuf,
    buffers: Vec<Vec<u8>>,
}

impl Source {
    /// Reads `path` and all buffers.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = read(path, limits::FILE)?;
        let (text, mut binary) = split(&bytes)?;
        let Root { mut root, zeros, left_out, layers } = root::read(text)?;
        if !left_out.is_empty() {
            log::warn!("{}: not drawn: {}", path.display(), left_out.join(", "));
        }
        // The parser's own check of primitives looks up accessors before it knows that they are there.
        let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let mut accessors = primitives.flat_map(|primitive| primitive.attributes.values());
        if let Some(index) = accessors.find(|index| index.value() >= root.accessors.len()) {
            bail!("an attribute in accessor {} of {}", index.value(), root.accessors.len());
        }
        // Asked here; the parser knows fewer of them.
        root.extensions_required.clear();
        let document = match gltf::Document::from_json(root) {
            Ok(document) => document,
            Err(gltf::Error::Validation(problems)) => {
                let all = problems.len();
                let (place, problem) =
                    problems.first().map(|(p, e)| (p.to_string(), e.to_string())).unwrap_or_default();
                bail!("{place}: {} ({all} such problems)", problem.to_lowercase())
            }
            Err(problem) => return Err(problem).context("not glTF 2.0"),
        };
        // A bare name has an empty parent.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().context("its folder")?;
        let mut source = Self { document, zeros, layers, folder, buffers: vec![] };
        let mut left = limits::BUFFERS;
        let wanted: Vec<_> =
            source.document.as_json().buffers.iter().map(|buffer| (buffer.uri.clone(), buffer.byte_length.0)).collect();
        for (k, (uri, length)) in wanted.into_iter().enumerate() {
            ensure!(length <= left, "buffer {k} of {length} bytes; at most {left} are left of {}", limits::BUFFERS);
            let bytes = match uri {
                Some(uri) => source.resolve(&uri, left).with_context(|| format!("buffer {k}"))?,
                None if k == 0 => binary.take().context("buffer 0 has no URI, and there is no binary chunk")?.to_vec(),
                None => bail!("buffer {k} has no URI"),
            };
            let here = bytes.len() as u64;
            ensure!(here >= length, "buffer {k} has {here} bytes; expected {length}");
            left -= here.min(left);
            source.buffers.push(bytes);
        }
        Ok(source)
    }

    /// What a material says beyond what the parser has; the default one says nothing.
    pub fn layers(&self, material: &gltf::Material) -> Layers {
        material.index().and_then(|index| self.layers.get(index)).copied().unwrap_or_default()
    }

    /// The bytes of a buffer view.
    pub fn view(&self, index: usize) -> Result<&[u8]> {
        let views = &self.document.as_json().buffer_views;
        let view = views.get(index).with_context(|| format!("buffer view {index} of {}", views.len()))?;
        let (first, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let buffer = self.buffers.get(view.buffer.value()).context("a buffer that is not there")?;
        let end = first.checked_add(length).filter(|end| *end <= buffer.len() as u64);
        let end = end.with_context(|| {
            format!("buffer view {index}: {length} bytes from {first} on, of a buffer of {} bytes", buffer.len())
        })?;
        Ok(&buffer[first as usize..end as usize])
    }

    /// From one element to the next, where the buffer view says so.
    pub fn stride(&self, index: usize) -> Option<usize> {
        self.document.as_json().buffer_views.get(index)?.byte_stride.as_ref().map(|stride| stride.0)
    }

    /// The encoded bytes of an image.
    pub fn image(&self, index: usize) -> Result<Vec<u8>> {
        let images = &self.document.as_json().images;
        let image = images.get(index).with_context(|| format!("image {index} of {}", images.len()))?;
        match (&image.uri, &image.buffer_view) {
            (Some(uri), _) => self.resolve(uri, limits::FILE),
            (None, Some(view)) => Ok(self.view(view.value())?.to_vec()),
            (None, None) => bail!("has neither a URI nor a buffer view"),
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
        ensure!(!name.contains(['\\', '\0']) && !name.is_empty(), outside());
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
    ensure!(all <= bytes.len(), "truncated: {} bytes; its header says {all}", bytes.len());
    let (mut text, mut binary) = (None, None);
    let mut at = 12;
    while at + 8 <= all {
        let (length, kind) = (word(at)? as usize, word(at + 4)?);
        let end = (at + 8).checked_add(length).filter(|end| *end <= all);
        let chunk =
            &bytes[at + 8..end.with_context(|| format!("truncated: a chunk of {length} bytes at {at} of {all}"))?];
        match (&kind.to_le_bytes(), text.is_some()) {
            (b"JSON", false) => text = Some(chunk),
            (b"BIN\0", true) if binary.is_none() => binary = Some(chunk),
            (_, false) => bail!("a binary glTF whose first chunk is not JSON"),
            // Chunks of other kinds are to be ignored.
            _ => {}
        }
        at = (at + 8 + length).next_multiple_of(4);
    }
    Ok((text.context("a binary glTF without JSON")?, binary))
}

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
