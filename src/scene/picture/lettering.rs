//! Lines of type as outlines.

use glam::Vec2;
use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen},
};

use super::path::Path;

/// A typeface.
pub struct Face(Option<FontRef<'static>>);

/// Which of the two faces that come with the interface.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// Ubuntu Light.
    Light,
    /// Hack, every letter equally wide.
    Mono,
}

impl Face {
    /// One of the faces.
    pub fn new(style: Style) -> Self {
        let bytes = match style {
            Style::Light => epaint_default_fonts::UBUNTU_LIGHT,
            Style::Mono => epaint_default_fonts::HACK_REGULAR,
        };
        Self(FontRef::new(bytes).ok())
    }

    /// The outline of a line that starts at `origin` on its base line (pixels, y down), and its width. `tracking` is added after
    /// every letter, in parts of the size. Letters that the face lacks are left out.
    pub fn line(&self, text: &str, size: f32, tracking: f32, origin: Vec2) -> (Path, f32) {
        let mut pen = Pen { path: Path::default(), origin };
        let Some(font) = &self.0 else { return (pen.path, 0.0) };
        let (outlines, letters) = (font.outline_glyphs(), font.charmap());
        let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
        for letter in text.chars() {
            let Some(glyph) = letters.map(letter) else { continue };
            if let Some(outline) = outlines.get(glyph) {
                // A damaged outline stays away; the faces are compiled in and have none.
                let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), &mut pen);
                pen.path.close();
            }
            pen.origin.x += metrics.advance_width(glyph).unwrap_or(0.0) + tracking * size;
        }
        (pen.path, pen.origin.x - origin.x)
    }

    /// Breaks a text into lines no wider than `width` (in parts of the size).
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

struct Pen {
    path: Path,
    origin: Vec2,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> Vec2 {
        self.origin + Vec2::new(x, -y)
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let p = self.at(x, y);
        self.path.move_to(p);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let p = self.at(x, y);
        self.path.line_to(p);
    }

    fn quad_to(&mut self, ax: f32, ay: f32, x: f32, y: f32) {
        let (a, p) = (self.at(ax, ay), self.at(x, y));
        self.path.quad_to(a, p);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (a, b, p) = (self.at(ax, ay), self.at(bx, by), self.at(x, y));
        self.path.curve_to(a, b, p);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
