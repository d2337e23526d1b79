//! Picture files in a row: those of a folder, or those whose names fit a pattern such as `frames/%04d.png`.

use crate::picture::ENDINGS;
use anyhow::{Context as _, Result, ensure};
use base::guard::guarded;
use image::ImageReader;
use std::path::{Path, PathBuf};

pub fn is_sequence(path: &Path) -> bool {
    path.is_dir() || !path.exists() && Pattern::of(path).is_some()
}

pub fn has_pictures(path: &Path) -> bool {
    is_sequence(path) && files(path).is_ok()
}

struct Pattern<'p> {
    before: &'p str,
    digits: usize,
    after: &'p str,
}

impl<'p> Pattern<'p> {
    /// `%d` or, with leading zeros, `%04d`, in the last part of the path.
    fn of(path: &'p Path) -> Option<Self> {
        let (before, rest) = path.file_name()?.to_str()?.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let digits = if digits.is_empty() { 1 } else { digits.strip_prefix('0')?.parse().ok()? };
        (!after.contains('%')).then_some(Self { before, digits, after })
    }

    fn fits(&self, name: &str) -> bool {
        let number = name.strip_prefix(self.before).and_then(|rest| rest.strip_suffix(self.after));
        number.is_some_and(|number| number.len() >= self.digits && number.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// In the order of the numbers in their names. Links are not followed: nothing outside of the folder is read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let is_folder = path.is_dir();
    let pattern = Pattern::of(path).filter(|_| !is_folder);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = if is_folder { path } else { parent };
    let is_picture = |name: &str| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).context("expected pictures in a folder that can be read")? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_wanted = pattern.as_ref().map_or_else(|| is_picture(&name), |pattern| pattern.fits(&name));
        if is_wanted && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            found.push((key(&name), entry.path()));
        }
    }
    let expected = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
    ensure!(
        !found.is_empty() || !is_folder,
        "there is no picture in the folder; expected files that end in {expected}"
    );
    ensure!(!found.is_empty(), "no file has such a name; expected some, as frames/0001.png for frames/%04d.png");
    found.sort();
    Ok(found.into_iter().map(|(_, file)| file).collect())
}

fn key(name: &str) -> String {
    let (mut key, mut number) = (String::new(), String::new());
    for letter in name.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        if !number.is_empty() {
            key += &format!("{number:0>20}");
            number.clear();
        }
        key.push(letter);
    }
    key
}

pub fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn size_of(file: &Path) -> Result<[u32; 2]> {
    let size = guarded(|| Ok(ImageReader::open(file)?.with_guessed_format()?.into_dimensions()?));
    let (width, height) = size.ok().with_context(|| format!("{} is no picture that is read here", name_of(file)))?;
    Ok([width, height])
}
