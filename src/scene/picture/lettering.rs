//! Outlines of lines of text.

use glam::Vec2;
use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen},
};

use super::path::Path;

pub struct Face<'a>(Vec<FontRef<'a>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    Light,
    Mono,
    Any,
}

impl Style {
    pub fn files(self) -> &'static [&'static [u8]] {
        use epaint_default_fonts::{EMOJI_ICON, HACK_REGULAR, NOTO_EMOJI_REGULAR, UBUNTU_LIGHT};
        match self {
            Style::Light => &[UBUNTU_LIGHT],
            Style::Mono => &[HACK_REGULAR],
            Style::Any => &[UBUNTU_LIGHT, HACK_REGULAR, NOTO_EMOJI_REGULAR, EMOJI_ICON],
        }
    }
}

impl Face<'static> {
    pub fn new(style: Style) -> Self {
        Self::of(style.files().iter().filter_map(|bytes| FontRef::new(bytes).ok()))
    }
}

impl<'a> Face<'a> {
    pub fn of(fonts: impl IntoIterator<Item = FontRef<'a>>) -> Self {
        Self(fonts.into_iter().collect())
    }

    pub fn line(&self, text: &str, size: f32, tracking: f32, origin: Vec2) -> (Path, f32) {
        let mut path = Path::default();
        let width = self.trace(text, size, tracking, origin, &mut path);
        (path, width)
    }

    /// `origin`: on the baseline, pixels, y down; `tracking`: added after every letter, as a fraction of the size.
    /// Returns the width. Letters that no face has are omitted.
    pub fn trace(&self, text: &str, size: f32, tracking: f32, origin: Vec2, pen: &mut impl OutlinePen) -> f32 {
        let of = |font: &FontRef<'a>| {
            let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
            (font.outline_glyphs(), font.charmap(), metrics)
        };
        let faces: Vec<_> = self.0.iter().map(of).collect();
        let mut pen = OffsetPen { pen, origin };
        for letter in text.chars() {
            let known = faces.iter().find_map(|face| Some((face.1.map(letter)?, face)));
            let Some((glyph, (outlines, _, metrics))) = known else { continue };
            if let Some(outline) = outlines.get(glyph) {
                let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), &mut pen);
                pen.pen.close();
            }
            pen.origin.x += metrics.advance_width(glyph).unwrap_or(0.0) + tracking * size;
        }
        pen.origin.x - origin.x
    }

    /// `width` as a fraction of the size.
    pub fn wrap(&self, text: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let last = lines.len() - 1;
            let longer = if lines[last].is_empty() { word.to_owned() } else { format!("{} {word}", lines[last]) };
            if self.line(&longer, 1.0, 0.0, Vec2::ZERO).1 <= width || lines[last].is_empty() {
                lines[last] = longer;
            } else {
                lines.push(word.to_owned());
            }
        }
        lines
    }
}

pub struct OffsetPen<'a, P> {
    pub pen: &'a mut P,
    pub origin: Vec2,
}

impl<P> OffsetPen<'_, P> {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.origin.x + x, self.origin.y - y]
    }
}

impl<P: OutlinePen> OutlinePen for OffsetPen<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.at(x, y);
        self.pen.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let [x, y] = self.at(x, y);
        self.pen.line_to(x, y);
    }

    fn quad_to(&mut self, ax: f32, ay: f32, x: f32, y: f32) {
        let ([ax, ay], [x, y]) = (self.at(ax, ay), self.at(x, y));
        self.pen.quad_to(ax, ay, x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let ([ax, ay], [bx, by], [x, y]) = (self.at(ax, ay), self.at(bx, by), self.at(x, y));
        self.pen.curve_to(ax, ay, bx, by, x, y);
    }

    fn close(&mut self) {
        self.pen.close();
    }
}

impl OutlinePen for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        Path::move_to(self, Vec2::new(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        Path::line_to(self, Vec2::new(x, y));
    }

    fn quad_to(&mut self, ax: f32, ay: f32, x: f32, y: f32) {
        Path::quad_to(self, Vec2::new(ax, ay), Vec2::new(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        Path::curve_to(self, Vec2::new(ax, ay), Vec2::new(bx, by), Vec2::new(x, y));
    }

    fn close(&mut self) {
        Path::close(self);
    }
}
