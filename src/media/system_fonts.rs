//! Fonts of the system: the one that draws a character.

use base::guard::guarded;
use skrifa::raw::{FontData, FontRead as _, tables::cmap::Cmap};
use skrifa::{FontRef, MetadataProvider as _};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

pub const MOST_BYTES: u64 = 64 << 20;
const DEPTH: u8 = 6;
const MOST_FILES: usize = 5000;

pub struct SystemFont {
    pub file: PathBuf,
    pub index: u32,
    pub bytes: Vec<u8>,
}

pub fn draws(bytes: &[u8], index: u32, letter: char) -> bool {
    let has_outline = || {
        let font = FontRef::from_index(bytes, index)?;
        let glyph = font.charmap().map(letter);
        Ok(glyph.is_some_and(|glyph| letter.is_whitespace() || font.outline_glyphs().get(glyph).is_some()))
    };
    guarded(has_outline).unwrap_or(false)
}

pub fn find(letter: char) -> Option<SystemFont> {
    let read = |(file, index): (PathBuf, u32)| {
        let bytes = base::file::read_bounded(&file, MOST_BYTES, "expected a font file").ok()?;
        draws(&bytes, index, letter).then_some(SystemFont { file, index, bytes })
    };
    let found = files_with(letter).find_map(read)?;
    log::info!("{letter:?} is drawn with {}", found.file.display());
    Some(found)
}

/// The plain upright ones first.
fn files_with(letter: char) -> impl Iterator<Item = (PathBuf, u32)> {
    let mut files = Vec::new();
    folders().iter().for_each(|folder| list(folder, DEPTH, &mut files));
    files.sort_by_key(|file| (style_rank(file), file.clone()));
    files.into_iter().filter_map(move |file| Some((maps(&file, letter)?, file))).map(|(index, file)| (file, index))
}

fn folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|data| data.is_absolute());
    let data = data.or_else(|| Some(home.as_ref()?.join(".local/share")));
    let mut all: Vec<PathBuf> = data.iter().map(|data| data.join("fonts")).collect();
    all.extend(home.iter().flat_map(|home| [home.join(".fonts"), home.join("Library/Fonts")]));
    let shared = std::env::var("XDG_DATA_DIRS").unwrap_or_else(|_| "/usr/local/share:/usr/share".into());
    all.extend(shared.split(':').filter(|folder| !folder.is_empty()).map(|folder| Path::new(folder).join("fonts")));
    all.extend(
        ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts"].map(PathBuf::from),
    );
    all.extend(std::env::var_os("WINDIR").map(|windows| Path::new(&windows).join("Fonts")));
    let mut seen = BTreeSet::new();
    all.retain(|folder| seen.insert(folder.clone()));
    all
}

fn list(folder: &Path, depth: u8, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if files.len() >= MOST_FILES {
            return;
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("ttf" | "otf" | "ttc" | "otc") => files.push(path),
            _ if depth > 0 && path.is_dir() => list(&path, depth - 1, files),
            _ => {}
        }
    }
}

fn style_rank(file: &Path) -> u8 {
    let name = file.file_stem().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let styles = ["bold", "black", "italic", "oblique", "condensed", "thin", "light", "medium", "heavy", "mono"];
    let styled = styles.iter().filter(|style| name.contains(*style)).count() as u8;
    2 * styled + u8::from(!name.contains("sans"))
}

fn maps(file: &Path, letter: char) -> Option<u32> {
    let mut file = File::open(file).ok()?;
    let mut at = |from: u64, bytes: usize| {
        let mut read = vec![0; bytes];
        file.seek(SeekFrom::Start(from)).ok()?;
        file.read_exact(&mut read).ok()?;
        Some(read)
    };
    let number = |bytes: &[u8], from: usize| {
        let four = bytes.get(from..from + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(four))
    };
    let head = at(0, 12)?;
    let fonts: Vec<u64> = if head.starts_with(b"ttcf") {
        let count = number(&head, 8)?.min(64) as usize;
        let places = at(12, 4 * count)?;
        (0..count).filter_map(|index| number(&places, 4 * index).map(u64::from)).collect()
    } else {
        vec![0]
    };
    for (index, from) in (0..).zip(fonts) {
        let head = at(from, 12)?;
        let tables = usize::from(u16::from_be_bytes([head[4], head[5]]));
        let directory = at(from + 12, 16 * tables)?;
        let Some(entry) = directory.chunks_exact(16).find(|entry| entry.starts_with(b"cmap")) else { continue };
        let (place, bytes) = (number(entry, 8)?, number(entry, 12)?.min(16 << 20));
        let table = at(u64::from(place), bytes as usize)?;
        let glyph = guarded(|| Ok(Cmap::read(FontData::new(&table))?.map_codepoint(letter)));
        if glyph.is_ok_and(|glyph| glyph.is_some_and(|glyph| glyph.to_u32() != 0)) {
            return Some(index);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_is_found_by_its_characters() {
        let folder = base::fixtures::Folder::new("system fonts");
        let good = folder.0.join("hack.ttf");
        std::fs::write(&good, epaint_default_fonts::HACK_REGULAR).unwrap();
        assert_eq!((maps(&good, 'A'), maps(&good, '\u{65e5}')), (Some(0), None));
        assert!(draws(epaint_default_fonts::HACK_REGULAR, 0, 'A'));
        assert!(!draws(epaint_default_fonts::HACK_REGULAR, 0, '\u{65e5}') && !draws(b"no font", 0, 'A'));
        assert!(find('\u{10ffff}').is_none_or(|font| draws(&font.bytes, font.index, '\u{10ffff}')));
    }
}
