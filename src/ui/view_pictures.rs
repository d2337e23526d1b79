//! Pictures of the views for the panels, scaled to the display's pixels.

use egui::{
    Color32, ColorImage, Context, Rect, Response, Shape, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2,
    epaint::RectShape, pos2, vec2,
};
use std::collections::BTreeMap;

use super::theme;

use media::{
    picture::Picture,
    resample::{self, Crop},
};

// VIEW_PICTURES: `technique/view` and a PNG, sorted by name.
include!(concat!(env!("OUT_DIR"), "/view_pictures.rs"));

/// Points at which one texel is one pixel of the display: a thumbnail in a dock of full width.
pub(super) const SIZE: Vec2 = vec2(91.0, 51.0);
/// Pictures in a row of a texture.
const COLUMNS: usize = 4;
const RADIUS: f32 = 4.0;

/// A texture for each technique whose pictures were seen.
#[derive(Default)]
pub(super) struct ViewPictures {
    atlases: BTreeMap<&'static str, Atlas>,
}

struct Atlas {
    pictures: &'static [(&'static str, &'static [u8])],
    cell: [usize; 2],
    texture: TextureHandle,
}

impl ViewPictures {
    /// The picture, if there is one, in a ring that says whether it is chosen. Returns the colour of its title.
    pub fn tile(
        &mut self,
        ui: &Ui,
        of: (&'static str, &str),
        rect: Rect,
        (response, is_chosen): (&Response, bool),
    ) -> Color32 {
        if !self.paint(ui, of, rect) {
            ui.painter().rect_filled(rect, RADIUS, ui.visuals().extreme_bg_color);
        }
        let (ring, color) = match (is_chosen, response.hovered() || response.has_focus()) {
            (true, _) => (Stroke::new(2.0, theme::ACCENT), theme::STRONG),
            (false, true) => (Stroke::new(1.0, theme::TEXT), theme::TEXT),
            (false, false) => (ui.visuals().widgets.inactive.bg_stroke, theme::QUIET),
        };
        ui.painter().rect_stroke(rect, RADIUS, ring, if is_chosen { StrokeKind::Middle } else { StrokeKind::Inside });
        color
    }

    /// False if the view has none.
    fn paint(&mut self, ui: &Ui, (technique, view): (&'static str, &str), rect: Rect) -> bool {
        let pictures = pictures_of(technique);
        let name = format!("{technique}/{view}");
        let Ok(index) = pictures.binary_search_by(|(of, _)| (*of).cmp(&name)) else { return false };
        let scale = ui.pixels_per_point();
        let cell = [SIZE.x, SIZE.y].map(|side| (side * scale).round().max(1.0) as usize);
        if self.atlases.get(technique).is_none_or(|atlas| atlas.cell != cell) {
            self.atlases.insert(technique, Atlas::new(ui.ctx(), pictures, cell));
        }
        let Some(atlas) = self.atlases.get(technique) else { return false };
        let shape = RectShape::filled(rect, RADIUS.min(rect.height() / 8.0), Color32::WHITE);
        let uv = atlas.part(index, rect.size() * scale);
        ui.painter().add(Shape::Rect(shape.with_texture(atlas.texture.id(), uv)));
        true
    }
}

pub fn picture_of_view(technique: &str, view: &str) -> Option<&'static [u8]> {
    let name = format!("{technique}/{view}");
    VIEW_PICTURES.iter().find(|(of, _)| *of == name).map(|(_, png)| *png)
}

fn pictures_of(technique: &str) -> &'static [(&'static str, &'static [u8])] {
    let technique_of = |name: &'static str| name.split_once('/').map_or(name, |(technique, _)| technique);
    let first = VIEW_PICTURES.iter().position(|(name, _)| technique_of(name) == technique).unwrap_or_default();
    let count = VIEW_PICTURES[first..].iter().take_while(|(name, _)| technique_of(name) == technique).count();
    &VIEW_PICTURES[first..first + count]
}

impl Atlas {
    fn new(ctx: &Context, pictures: &'static [(&'static str, &'static [u8])], cell: [usize; 2]) -> Self {
        let size = [COLUMNS * cell[0], pictures.len().div_ceil(COLUMNS) * cell[1]];
        let mut pixels = vec![Color32::BLACK; size[0] * size[1]];
        for (index, (name, bytes)) in pictures.iter().enumerate() {
            let picture = match Picture::decode(bytes) {
                Ok(picture) => picture,
                Err(why) => {
                    log::warn!("picture of the view {name}: {why:#}");
                    continue;
                }
            };
            let scaled = resample::cover(&picture, cell.map(|side| side as u32), Crop::Middle);
            let first = (index / COLUMNS) * cell[1] * size[0] + (index % COLUMNS) * cell[0];
            for (row, source) in scaled.rgba.chunks_exact(4 * cell[0]).enumerate() {
                let from = first + row * size[0];
                for (pixel, rgba) in pixels[from..from + cell[0]].iter_mut().zip(source.chunks_exact(4)) {
                    *pixel = Color32::from_rgb(rgba[0], rgba[1], rgba[2]);
                }
            }
        }
        let texture = ctx.load_texture("pictures of views", ColorImage::new(size, pixels), TextureOptions::LINEAR);
        Self { pictures, cell, texture }
    }

    /// Texture coordinates of a picture of this size in pixels.
    fn part(&self, index: usize, drawn: Vec2) -> Rect {
        debug_assert!(index < self.pictures.len());
        let at = [index % COLUMNS, index / COLUMNS];
        let whole = self.cell.map(|side| side as f32);
        let is_exact = (drawn - vec2(whole[0], whole[1])).abs().max_elem() < 1.0;
        // Scaled, half a pixel of its border is left out: its neighbours would shine through.
        let inset = if is_exact { 0.0 } else { 0.5 };
        let size = self.texture.size().map(|side| side as f32);
        let corner = |add: [f32; 2]| {
            let [x, y] = [0, 1].map(|axis| (at[axis] as f32 * whole[axis] + add[axis]) / size[axis]);
            pos2(x, y)
        };
        Rect::from_min_max(corner([inset; 2]), corner(whole.map(|side| side - inset)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;
    use technique::Legend;
    use techniques::INFOS;

    /// That the golden ones are up to date is tested by `tests/goldens`.
    #[test]
    fn every_view_has_a_picture() {
        let views: BTreeSet<String> =
            INFOS.iter().flat_map(|info| info.views.iter().map(|view| format!("{}/{}", info.id, view.name))).collect();
        // Of presets and scenes, and of a technique that is not built in, there are others.
        let is_of_view =
            |name: &&str| INFOS.iter().any(|info| name.split_once('/').is_some_and(|(id, _)| id == info.id));
        let pictures: BTreeSet<String> =
            VIEW_PICTURES.iter().map(|(name, _)| *name).filter(is_of_view).map(str::to_owned).collect();
        assert_eq!(views, pictures, "scripts/thumbnails draws those that are no golden picture");
        assert!(VIEW_PICTURES.is_sorted_by_key(|(name, _)| name.split_once('/').unwrap()));
        for (name, bytes) in VIEW_PICTURES {
            let picture = Picture::decode(bytes).unwrap();
            let wanted = if *name == "glass/source_rb2" { [96, 54] } else { [160, 90] };
            assert_eq!(picture.size, wanted, "{name}");
            let scaled = resample::cover(&picture, [SIZE.x as u32, SIZE.y as u32], Crop::Middle);
            let range = (0..3).map(|channel| {
                let bytes = scaled.rgba.iter().skip(channel).step_by(4);
                bytes.clone().max().unwrap() - bytes.min().unwrap()
            });
            assert!(range.max().unwrap() >= 32, "{name} shows nothing at the size of a thumbnail");
        }
        let bytes: usize = VIEW_PICTURES.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < 1400 << 10, "{bytes} bytes: the program contains them");
    }

    /// Most pixels have colours of the view's ramp.
    #[test]
    fn drawn_pictures_have_the_colours_of_their_legends() {
        let folder = Path::new(env!("MENISCUS_CHECKOUT")).join("assets/thumbnails");
        let mut ramps = 0;
        for (info, view) in INFOS.iter().flat_map(|info| info.views.iter().map(move |view| (info, view))) {
            let file = folder.join(info.id).join(format!("{}.png", view.name));
            if !matches!(view.legend, Legend::Ramp { .. }) || !file.exists() {
                continue;
            }
            ramps += 1;
            let picture = Picture::load(&file).unwrap();
            let colors: Vec<_> = (0..=256).map(|step| view.legend.ramp(step as f32 / 256.0)).collect();
            let is_known = |pixel: &[u8]| {
                let pixel = glam::Vec3::new(pixel[0].into(), pixel[1].into(), pixel[2].into());
                pixel.max_element() < 12.0 || colors.iter().any(|color| (*color - pixel).abs().max_element() < 12.0)
            };
            let (known, all) =
                (picture.rgba.chunks_exact(4).filter(|pixel| is_known(pixel)).count(), picture.rgba.len() / 4);
            assert!(10 * known >= 9 * all, "{}/{}: {known} of {all} pixels; scripts/thumbnails", info.id, view.name);
        }
        assert!(ramps >= 5, "{ramps}");
    }
}
