//! Fonts for words of glass: the configured one, those of the interface, and system fonts.

use base::guard::guarded;
use glam::Vec2;
use harfrust::{Direction, ShapeOptions, ShaperData, UnicodeBuffer};
use media::system_fonts::{self, MOST_BYTES};
use scene::picture::{Face, OffsetPen, Style};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

const NAMED: usize = 4;

struct Font {
    bytes: Cow<'static, [u8]>,
    index: u32,
}

impl Font {
    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, self.index).ok()
    }

    fn draws(&self, letter: char) -> bool {
        system_fonts::draws(&self.bytes, self.index, letter)
    }
}

#[derive(Default)]
struct Fonts {
    path: String,
    named: Option<Result<Arc<Font>, String>>,
    /// `None`: no font has the character.
    found: BTreeMap<char, Option<Arc<Font>>>,
    system: Vec<Arc<Font>>,
    generation: u64,
}

static FONTS: LazyLock<Mutex<Fonts>> = LazyLock::new(Mutex::default);

static INTERFACE: LazyLock<Vec<Arc<Font>>> = LazyLock::new(|| {
    Style::Any.files().iter().map(|file| Arc::new(Font { bytes: Cow::Borrowed(*file), index: 0 })).collect()
});

fn with<T>(work: impl FnOnce(&mut Fonts) -> T) -> T {
    work(&mut FONTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Empty: none.
pub fn choose(path: &str) -> Result<(), String> {
    with(|fonts| {
        if fonts.path != path {
            fonts.path = path.to_owned();
            fonts.generation += 1;
            fonts.named = (!path.is_empty()).then(|| named(Path::new(path)));
        }
        fonts.named.as_ref().map_or(Ok(()), |named| named.as_ref().map(|_| ()).map_err(Clone::clone))
    })
}

pub fn generation() -> u64 {
    with(|fonts| fonts.generation)
}

fn named(path: &Path) -> Result<Arc<Font>, String> {
    let why = |why: String| format!("glass.font {}: {why}; expected a TrueType or OpenType font", path.display());
    let bytes = base::file::read_bounded(path, MOST_BYTES, "expected a font file")
        .map_err(|error| why(format!("{error:#}").replace('\n', " ")))?;
    let font = Font { bytes: Cow::Owned(bytes), index: 0 };
    let has_letters = font.font().is_some_and(|font| font.charmap().has_map());
    if has_letters { Ok(Arc::new(font)) } else { Err(why("this is no font that can be read".into())) }
}

impl Fonts {
    fn of(&mut self, letter: char, last: Option<&Arc<Font>>) -> Option<Arc<Font>> {
        let named = self.named.as_ref().and_then(|named| named.as_ref().ok());
        if let Some(named) = named.filter(|font| font.draws(letter)) {
            return Some(named.clone());
        }
        let is_joined = letter.is_whitespace() || is_shaped(letter);
        if let Some(last) = last.filter(|font| is_joined && font.draws(letter)) {
            return Some(last.clone());
        }
        if let Some(font) = INTERFACE.iter().find(|font| font.draws(letter)) {
            return Some(font.clone());
        }
        if let Some(known) = self.found.get(&letter) {
            return known.clone();
        }
        let font = self.system.iter().find(|font| font.draws(letter)).cloned();
        let font = font.or_else(|| {
            let found = system_fonts::find(letter)?;
            let font = Arc::new(Font { bytes: Cow::Owned(found.bytes), index: found.index });
            self.system.push(font.clone());
            Some(font)
        });
        self.found.insert(letter, font.clone());
        font
    }
}

fn sort_of(letter: char) -> &'static str {
    match u32::from(letter) {
        0x0370..=0x03ff | 0x1f00..=0x1fff => "the Greek letter",
        0x0400..=0x052f => "the Cyrillic letter",
        0x0530..=0x058f => "the Armenian letter",
        0x0590..=0x05ff | 0xfb1d..=0xfb4f => "the Hebrew letter",
        0x0600..=0x06ff | 0x0750..=0x077f | 0x08a0..=0x08ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff => "the Arabic letter",
        0x0900..=0x097f => "the Devanagari letter",
        0x0980..=0x09ff => "the Bengali letter",
        0x0b80..=0x0bff => "the Tamil letter",
        0x0e00..=0x0e7f => "the Thai letter",
        0x10a0..=0x10ff => "the Georgian letter",
        0x3040..=0x309f => "the Hiragana letter",
        0x30a0..=0x30ff | 0x31f0..=0x31ff => "the Katakana letter",
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7af => "the Hangul letter",
        0x2e80..=0x2fdf | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af => {
            "the CJK ideograph"
        }
        0xe000..=0xf8ff | 0xf0000..=0x10fffd => "the private character",
        0x1f000..=0x1faff => "the pictograph",
        _ => "the character",
    }
}

/// Marks, and scripts that join, reorder or run from the right.
fn is_shaped(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0300..=0x036f | 0x0590..=0x11ff | 0x1700..=0x18af | 0x1a00..=0x1cff | 0x1dc0..=0x1dff | 0x200c..=0x200f
        | 0x20d0..=0x20ff | 0xa800..=0xa97f | 0xa9e0..=0xaa7f | 0xd7b0..=0xd7ff | 0xfb1d..=0xfdff | 0xfe00..=0xfe2f
        | 0xfe70..=0xfefc | 0x10800..=0x11fff | 0x1e800..=0x1efff)
        && !matches!(u32::from(letter), 0x10a0..=0x10ff) // Georgian
}

fn is_from_right(letter: char) -> bool {
    matches!(u32::from(letter), 0x0590..=0x08ff | 0xfb1d..=0xfdff | 0xfe70..=0xfefc | 0x10800..=0x10fff | 0x1e800..=0x1efff)
}

fn is_joined(letter: char) -> bool {
    matches!(u32::from(letter), 0x0600..=0x109f | 0x1800..=0x18af | 0xfb50..=0xfdff | 0xfe70..=0xfefc | 0x1e900..=0x1e95f)
}

fn is_ignorable(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(u32::from(letter), 0xad | 0x034f | 0x061c | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e
            | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff)
}

/// `size`: pixels; `tracking`: parts of the size. Returns what is not drawn correctly.
pub fn trace(text: &str, size: f32, tracking: f32, pen: &mut impl OutlinePen) -> Option<String> {
    let mut runs: Vec<(Arc<Font>, String)> = Vec::new();
    let mut missing = BTreeSet::new();
    for letter in text.chars() {
        let last = runs.last().map(|(font, _)| font.clone());
        let font = with(|fonts| fonts.of(letter, last.as_ref()));
        let Some(font) = font.or_else(|| last.clone().filter(|_| is_ignorable(letter))) else {
            if !is_ignorable(letter) {
                missing.insert(letter);
            }
            continue;
        };
        match runs.last_mut().filter(|(run, _)| Arc::ptr_eq(run, &font)) {
            Some((_, run)) => run.push(letter),
            None => runs.push((font, letter.to_string())),
        }
    }
    let traced = guarded(|| {
        if text.chars().any(is_shaped) {
            shape(&runs, size, tracking, text.chars().any(is_from_right), pen);
        } else {
            let mut origin = Vec2::ZERO;
            for (font, run) in &runs {
                origin.x += Face::of(font.font()).trace(run, size, tracking, origin, pen);
            }
        }
        Ok(())
    });
    match traced {
        Ok(()) => complaint(text, &missing),
        Err(_) => {
            Some(format!("glass.text \"{text}\": the font of these letters is damaged; expected another glass.font"))
        }
    }
}

fn complaint(text: &str, missing: &BTreeSet<char>) -> Option<String> {
    if !missing.is_empty() {
        let named: Vec<String> = missing
            .iter()
            .take(NAMED)
            .map(|letter| format!("{} {letter} (U+{:04X})", sort_of(*letter), u32::from(*letter)))
            .collect();
        let more = missing.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = format!("{}{more}", named.join(", "));
        return Some(format!("glass.text: no font has {what}; install one that does, or give its path as glass.font"));
    }
    // Digits and most signs run as the letters around them, which needs the bidirectional algorithm.
    let runs_left = |letter: char| letter.is_alphanumeric() && !is_from_right(letter);
    (text.chars().any(is_from_right) && text.chars().any(runs_left)).then(|| {
        format!("glass.text \"{text}\": words from right to left beside others are drawn out of order; expected one direction")
    })
}

fn shape(runs: &[(Arc<Font>, String)], size: f32, tracking: f32, from_right: bool, pen: &mut impl OutlinePen) {
    let mut ordered: Vec<_> = runs.iter().collect();
    if from_right {
        ordered.reverse();
    }
    let mut pen = OffsetPen { pen, origin: Vec2::ZERO };
    for (font, run) in ordered {
        let Some(font) = font.font() else { continue };
        let data = ShaperData::new(&font);
        let shaper = data.shaper(&font).build();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run);
        buffer.guess_segment_properties();
        if from_right {
            buffer.set_direction(Direction::RightToLeft);
        }
        let glyphs = shaper.shape(buffer, ShapeOptions::new());
        let (scale, outlines) = (size / shaper.units_per_em().max(1) as f32, font.outline_glyphs());
        let gap = if run.chars().any(is_joined) { 0.0 } else { tracking * size };
        for (glyph, place) in glyphs.glyph_infos().iter().zip(glyphs.glyph_positions()) {
            let origin = pen.origin;
            pen.origin += Vec2::new(place.x_offset as f32, -place.y_offset as f32) * scale;
            if let Some(outline) = outlines.get(GlyphId::new(glyph.glyph_id)) {
                let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), &mut pen);
                pen.pen.close();
            }
            let advance = place.x_advance as f32 * scale;
            pen.origin = origin + Vec2::new(if advance == 0.0 { 0.0 } else { advance + gap }, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Reach {
        outlines: usize,
        low: Option<Vec2>,
        high: Vec2,
    }

    impl Reach {
        fn at(&mut self, x: f32, y: f32) {
            let at = Vec2::new(x, y);
            self.low = Some(self.low.map_or(at, |low| low.min(at)));
            self.high = self.high.max(at);
        }
    }

    impl OutlinePen for Reach {
        fn move_to(&mut self, x: f32, y: f32) {
            self.outlines += 1;
            self.at(x, y);
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.at(x, y);
        }
        fn quad_to(&mut self, _: f32, _: f32, x: f32, y: f32) {
            self.at(x, y);
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
            self.at(x, y);
        }
        fn close(&mut self) {}
    }

    fn traced(text: &str) -> (Reach, Option<String>) {
        let mut reach = Reach::default();
        let missing = trace(text, 100.0, 0.05, &mut reach);
        (reach, missing)
    }

    #[test]
    fn every_word_is_drawn_or_what_is_missing_is_named() {
        for text in
            ["Glass", "Ähm Ωß", "日本語", "한국어", "你好", "שלום", "سلام", "हिन्दी", "ไทย", "\u{10ffff}", "A\u{e000}B"]
        {
            let (reach, missing) = traced(text);
            match &missing {
                None => assert!(reach.outlines > 0 && reach.high.x > 20.0, "{text}"),
                Some(why) => {
                    let named = text.chars().any(|c| why.contains(&format!("(U+{:04X})", u32::from(c))));
                    assert!(named, "{text}: {why}");
                }
            }
        }
        assert_eq!(traced("Glass").1, None);
        assert!(traced("A\u{e000}B").0.outlines >= 4, "the others are drawn");
        assert!(traced("\u{10ffff}\u{10fffe}\u{10fffd}\u{10fffc}\u{10fffb}").1.unwrap().contains(" and 1 more"));
        assert_eq!(traced("e\u{200b} \u{feff}x").1, None, "what is not to be seen is not missed");
    }

    #[test]
    fn words_of_both_directions_are_said() {
        let why = complaint("abc שלום", &BTreeSet::new()).unwrap();
        assert!(why.contains("from right to left"), "{why}");
        assert_eq!(complaint("שלום עולם", &BTreeSet::new()), None);
        assert_eq!(complaint("abc 12", &BTreeSet::new()), None);
    }

    #[test]
    fn words_from_the_right_are_drawn_from_the_right() {
        let both = traced("או");
        if both.1.is_some() {
            return; // no font here has them: that is said
        }
        let mut runs: Vec<(Arc<Font>, String)> = Vec::new();
        for letter in "או".chars() {
            let font = with(|fonts| fonts.of(letter, None)).unwrap();
            runs.push((font, letter.to_string()));
        }
        let width = |run: &(Arc<Font>, String)| {
            let mut reach = Reach::default();
            shape(std::slice::from_ref(run), 100.0, 0.0, true, &mut reach);
            (reach.low.unwrap(), reach.high)
        };
        let [alef, vav] = [width(&runs[0]), width(&runs[1])];
        let mut reach = Reach::default();
        shape(&runs, 100.0, 0.0, true, &mut reach);
        assert!((alef.1.x - alef.0.x) > 1.5 * (vav.1.x - vav.0.x), "alef is the wide one");
        assert!((reach.low.unwrap().x - vav.0.x).abs() < 0.5, "vav, the second, is at the left");
    }

    #[test]
    fn a_font_file_that_cannot_be_used_says_why() {
        let folder = base::fixtures::Folder::new("fonts");
        let broken = folder.0.join("broken.ttf");
        std::fs::write(&broken, b"no font at all").unwrap();
        for file in [broken, folder.0.clone(), folder.0.join("missing.otf")] {
            let why = named(&file).err().unwrap();
            assert!(why.starts_with("glass.font ") && why.contains("expected a TrueType or OpenType font"), "{why}");
            assert!(!why.contains('\n'));
        }
        let good = folder.0.join("hack.ttf");
        std::fs::write(&good, Style::Mono.files()[0]).unwrap();
        assert!(named(&good).is_ok_and(|font| font.draws('A') && !font.draws('日')));
    }
}
