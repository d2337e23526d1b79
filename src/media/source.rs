//! Bytes of a picture: of a file, or of standard input, which is read once.

use anyhow::{Context as _, Result, ensure};
use base::file::read_bounded;
use base::text;
use std::fs::File;
use std::io::{Cursor, Read, Result as IoResult, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const STANDARD_INPUT: &str = "-";

pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

#[derive(Clone, Debug)]
pub enum Source {
    File(PathBuf),
    Memory(Arc<[u8]>),
}

pub trait Bytes: Read + Seek + Send {}
impl<T: Read + Seek + Send> Bytes for T {}

impl Source {
    pub fn of(path: &Path, most: u64) -> Result<Self> {
        match is_standard_input(path) {
            true => Self::read(std::io::stdin().lock(), most).context("cannot read standard input"),
            false => Ok(Self::File(path.to_owned())),
        }
    }

    fn read(from: impl Read, most: u64) -> Result<Self> {
        let mut bytes = Vec::new();
        from.take(most + 1).read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 <= most, "there is more than {}", text::bytes(most));
        Ok(Self::Memory(bytes.into()))
    }

    pub fn open(&self) -> IoResult<Box<dyn Bytes>> {
        Ok(match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Memory(bytes) => Box::new(Cursor::new(bytes.clone())),
        })
    }

    pub fn length(&self) -> IoResult<u64> {
        Ok(match self {
            Self::File(path) => std::fs::metadata(path)?.len(),
            Self::Memory(bytes) => bytes.len() as u64,
        })
    }

    pub fn begin(&self) -> Vec<u8> {
        const COUNT: u64 = 16;
        let mut bytes = Vec::new();
        let is_plain = !matches!(self, Self::File(path) if !path.is_file());
        if is_plain && self.open().and_then(|from| from.take(COUNT).read_to_end(&mut bytes)).is_err() {
            bytes.clear();
        }
        bytes
    }

    pub fn bytes(&self, most: u64, expected: &str) -> Result<Vec<u8>> {
        match self {
            Self::File(path) => read_bounded(path, most, expected),
            Self::Memory(bytes) => Ok(bytes.to_vec()),
        }
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Memory(_) => None,
        }
    }

    pub fn name(&self) -> String {
        self.path().map_or_else(|| "standard input".into(), |path| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_can_be_read_again() {
        let source = Source::read(&b"0123456789abcdefgh"[..], 18).unwrap();
        assert_eq!((source.length().unwrap(), source.begin()), (18, b"0123456789abcdef".to_vec()));
        for _ in 0..2 {
            let mut text = String::new();
            source.open().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "0123456789abcdefgh");
        }
        assert!(Source::read(&b"12345"[..], 4).unwrap_err().to_string().contains("more than 4 B"));
        assert!(is_standard_input(Path::new("-")) && !is_standard_input(Path::new("./-")));
    }
}
