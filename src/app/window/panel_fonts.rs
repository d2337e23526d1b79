//! System fonts for characters that the fonts of the panels lack.

use base::job::Job;
use egui::epaint::ClippedShape;
use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily, FontId, Shape};
use media::system_fonts::{self, SystemFont};
use std::collections::BTreeSet;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(50);

type Find = fn(char) -> Option<SystemFont>;

pub struct PanelFonts {
    known: BTreeSet<char>,
    missing: Vec<char>,
    search: Option<Job<Vec<SystemFont>>>,
    find: Find,
}

impl Default for PanelFonts {
    fn default() -> Self {
        Self::new(system_fonts::find)
    }
}

impl PanelFonts {
    fn new(find: Find) -> Self {
        Self { known: BTreeSet::new(), missing: Vec::new(), search: None, find }
    }

    pub fn follow(&mut self, ctx: &Context, shapes: &[ClippedShape]) -> Option<Duration> {
        let (known, missing) = (&mut self.known, &mut self.missing);
        shapes.iter().for_each(|clipped| {
            each_text(&clipped.shape, &mut |text| {
                let new =
                    text.chars().filter(|letter| !letter.is_ascii() && !is_unseen(*letter) && known.insert(*letter));
                missing.extend(new.filter(|letter| !is_drawn(ctx, *letter)));
            });
        });
        if let Some(found) = self.search.as_mut().and_then(Job::poll) {
            self.search = None;
            found.unwrap_or_default().into_iter().for_each(|font| add(ctx, font));
        }
        if self.search.is_none() && !self.missing.is_empty() {
            let (letters, find) = (std::mem::take(&mut self.missing), self.find);
            self.search = Some(Job::spawn("fonts", move |_| fonts_of(&letters, find)));
        }
        self.search.as_ref().map(|_| POLL)
    }
}

fn each_text(shape: &Shape, see: &mut impl FnMut(&str)) {
    match shape {
        Shape::Text(text) if !text.galley.job.text.is_ascii() => see(&text.galley.job.text),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| each_text(shape, see)),
        _ => {}
    }
}

fn is_drawn(ctx: &Context, letter: char) -> bool {
    ctx.fonts_mut(|fonts| {
        // egui denies every character of the font from which it takes the sign for missing ones.
        let all = fonts.definitions();
        let mut own = all
            .families
            .get(&FontFamily::Proportional)
            .into_iter()
            .flatten()
            .filter_map(|name| all.font_data.get(name));
        own.any(|data| system_fonts::draws(&data.font, data.index, letter))
            || fonts.has_glyph(&FontId::default(), letter)
    })
}

fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(u32::from(letter), 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xfffd)
}

fn fonts_of(letters: &[char], find: Find) -> Vec<SystemFont> {
    let mut fonts: Vec<SystemFont> = Vec::new();
    for letter in letters {
        if !fonts.iter().any(|font| system_fonts::draws(&font.bytes, font.index, *letter)) {
            fonts.extend(find(*letter));
        }
    }
    fonts
}

fn add(ctx: &Context, font: SystemFont) {
    let name = format!("{} {}", font.file.display(), font.index);
    let data = FontData { index: font.index, ..FontData::from_owned(font.bytes) };
    let last = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
    ctx.add_font(FontInsert::new(&name, data, vec![last(FontFamily::Proportional), last(FontFamily::Monospace)]));
    ctx.request_repaint();
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{FontDefinitions, RawInput};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static SEARCHES: AtomicUsize = AtomicUsize::new(0);

    fn emoji_font(_: char) -> Option<SystemFont> {
        SEARCHES.fetch_add(1, Relaxed);
        let bytes = epaint_default_fonts::NOTO_EMOJI_REGULAR.to_vec();
        Some(SystemFont { file: "NotoEmoji.ttf".into(), index: 0, bytes })
    }

    #[test]
    fn a_missing_glyph_brings_its_font_once() {
        const TEXT: &str = "\u{1f600} \u{1f601} \u{e9}";
        let (ctx, mut fonts) = (Context::default(), PanelFonts::new(emoji_font));
        let mut latin = FontDefinitions::default();
        latin.families.values_mut().for_each(|names| names.retain(|name| !name.to_lowercase().contains("emoji")));
        ctx.set_fonts(latin);
        let mut show = |text: &str| {
            let mut output = ctx.run_ui(RawInput::default(), |ui| drop(ui.label(text)));
            output.textures_delta.clear();
            fonts.follow(&ctx, &output.shapes)
        };
        assert_eq!((show("plain"), show("\u{e9}\u{200d}")), (None, None), "nothing is looked for");
        assert_eq!(SEARCHES.load(Relaxed), 0);
        assert_eq!(show(TEXT), Some(POLL));
        let drawn = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            show(TEXT).is_none() && is_drawn(&ctx, '\u{1f600}')
        });
        assert!(drawn);
        assert_eq!(SEARCHES.load(Relaxed), 1, "the second is in the font of the first");
        assert_eq!(show(TEXT), None, "it is not looked for again");
    }
}
