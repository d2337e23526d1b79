//! Frames of a clip as its file names them, found without decoding.

use super::container::{self, Container, MOST_FRAMES};
use super::frames::{Frames, Times, check_size, frames_are};
use super::sequence;
use crate::source::Source;
use crate::y4m::Header;
use anyhow::{Context as _, Result, ensure};
use std::io::{BufReader, Seek as _};
use std::path::Path;

/// That of recordings (`headless --record`).
const SEQUENCE_RATE: f64 = 25.0;

pub struct Scan {
    pub frames: Frames,
    pub times: Times,
    pub count: usize,
    pub remarks: Vec<String>,
}

impl Scan {
    pub fn of(source: &Source, begin: &[u8]) -> Result<Option<Self>> {
        if let Some(path) = source.path().filter(|path| sequence::is_sequence(path)) {
            return Self::of_files(path).map(Some);
        }
        let ending = source.path().and_then(Path::extension);
        let is_video = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
        if begin.starts_with(b"YUV4MPEG2") || is_video && !begin.is_empty() {
            return Self::of_video(source).map(Some);
        }
        match Container::of(begin) {
            Some(container) => Self::of_animation(source, container),
            None => Ok(None),
        }
    }

    fn of_files(path: &Path) -> Result<Self> {
        let mut files = sequence::files(path)?;
        let [first, others] = [&files[..1], &files[1..]];
        let size = sequence::size_of(&first[0])?;
        check_size(size)?;
        let other = others.iter().enumerate().find_map(|(at, file)| match sequence::size_of(file) {
            Ok(found) if found == size => None,
            Ok([width, height]) => {
                Some((at + 1, format!("{} is {width}x{height}, not {}x{}", sequence::name_of(file), size[0], size[1])))
            }
            Err(why) => Some((at + 1, format!("{why:#}"))),
        });
        let (count, why) = other.unzip();
        files.truncate(count.unwrap_or(MOST_FRAMES));
        let (count, times) = (files.len(), Times::Rate(SEQUENCE_RATE));
        let remarks = why.map(|why| format!("{why}: {} shown", frames_are(count))).into_iter().collect();
        Ok(Self { frames: Frames::Files(files), times, count, remarks })
    }

    fn of_video(source: &Source) -> Result<Self> {
        let length = source.length()?;
        let mut from = BufReader::new(source.open()?);
        let header = Header::read(&mut from)?;
        check_size(header.size)?;
        check_size(header.shown_size())?;
        let (mut offsets, mut why) = (Vec::new(), None);
        loop {
            let at = from.stream_position()?;
            match header.skip(&mut from, length) {
                Ok(true) if offsets.len() < MOST_FRAMES => offsets.push(at),
                Ok(true) => why = Some(format!("it has more than {MOST_FRAMES} frames")),
                Ok(false) => {}
                Err(error) => why = Some(format!("frame {}: {error:#}", offsets.len() + 1)),
            }
            if offsets.last() != Some(&at) {
                break;
            }
        }
        let count = offsets.len();
        ensure!(count > 0, "{}", why.unwrap_or_else(|| "it has no frame".into()));
        let mut remarks = header.remarks();
        remarks.extend(why.map(|why| format!("{why}: {} shown", frames_are(count))));
        let times = Times::Rate(header.per_second());
        Ok(Self { frames: Frames::Video { source: source.clone(), header, offsets }, times, count, remarks })
    }

    fn of_animation(source: &Source, container: Container) -> Result<Option<Self>> {
        let length = source.length()?;
        let mut from = BufReader::new(source.open()?);
        let found = container::delays(container, &mut from, length).context("it is damaged")?;
        let mut remarks = Vec::new();
        let count = found.delays_s.len();
        ensure!(!found.is_cut || count > 0 || found.promised < 2, "it is cut off in its first frame or after it");
        if count == 0 || count == 1 && !found.is_cut {
            return Ok(None);
        }
        if found.is_cut {
            remarks.push(format!("it is cut off after frame {count}: {} shown", frames_are(count)));
        }
        if found.has_profile {
            remarks.push("its colour profile is not used: shown as sRGB".into());
        }
        let mut end = 0.0;
        let ends = found.delays_s.into_iter().map(|delay| {
            end += delay;
            end
        });
        let (source, format, times) = (source.clone(), container.format(), Times::Ends(ends.collect()));
        let (end, patch) = (found.end.unwrap_or(length), found.patch);
        Ok(Some(Self { frames: Frames::Animation { source, format, end, patch }, times, count, remarks }))
    }
}
