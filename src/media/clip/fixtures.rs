//! A clip for tests.

#![allow(clippy::unwrap_used, reason = "for tests alone")]

use super::*;
use crate::y4m::Writer;
use base::fixtures::Folder;

pub(super) fn frame(size: [u32; 2], index: usize) -> Picture {
    let of = |value: u32| (40 * ((value + 3 * index as u32) % 6)) as u8;
    Picture::from_fn(size, |x, y| [of(x), of(y), of(x / 2 + y), 255])
}

pub(super) fn video(size: [u32; 2], count: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), size, 25).unwrap();
    (0..count).for_each(|index| writer.frame(&frame(size, index)).unwrap());
    writer.end().unwrap()
}

pub(super) fn open(file: &Path) -> Result<Option<(Arc<Clip>, Notes)>> {
    let begin = std::fs::read(file).map(|bytes| bytes[..bytes.len().min(16)].to_vec());
    Clip::open(&Source::File(file.to_owned()), &begin.unwrap_or_default())
}

pub fn test_clip(name: &str, size: [u32; 2], count: usize) -> Arc<Clip> {
    test_clip_in(&Folder::new(name), size, count)
}

pub fn test_clip_in(folder: &Folder, size: [u32; 2], count: usize) -> Arc<Clip> {
    open(&folder.write("a.y4m", video(size, count))).unwrap().unwrap().0
}
