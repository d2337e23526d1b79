//! Pictures of the views for the panels, scaled to the display's pixels.

use egui::{
    Color32, ColorImage, Pos2, Rect, Response, Stroke, StrokeKind, TextureHandle, TextureOptions, Ui, Vec2,
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
const RADIUS: f32 = 4.0;

/// A texture for each picture that was seen, at the display's pixels.
#[derive(Default)]
pub(super) struct ViewPictures {
    textures: BTreeMap<&'static str, TextureHandle>,
}

impl ViewPictures {
    /// The picture, if there is one, in a ring that says whether it is chosen. Returns the colour of its title.
    pub fn tile(&mut self, ui: &Ui, of: (&str, &str), rect: Rect, (response, is_chosen): (&Response, bool)) -> Color32 {
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
    fn paint(&mut self, ui: &Ui, (technique, view): (&str, &str), rect: Rect) -> bool {
        let Some((name, png)) = find(technique, view) else { return false };
        let size = [SIZE.x, SIZE.y].map(|side| (side * ui.pixels_per_point()).round().max(1.0) as usize);
        let known = self.textures.get(name).filter(|texture| texture.size() == size).map(TextureHandle::id);
        let id = known.unwrap_or_else(|| {
            let texture = ui.ctx().load_texture(name, scaled(name, png, size), TextureOptions::LINEAR);
            let id = texture.id();
            self.textures.insert(name, texture);
            id
        });
        let shape = RectShape::filled(rect, RADIUS.min(rect.height() / 8.0), Color32::WHITE);
        ui.painter().add(shape.with_texture(id, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0))));
        true
    }
}

pub fn picture_of_view(technique: &str, view: &str) -> Option<&'static [u8]> {
    find(technique, view).map(|(_, png)| png)
}

fn find(technique: &str, view: &str) -> Option<(&'static str, &'static [u8])> {
    let name = format!("{technique}/{view}");
    let at = VIEW_PICTURES.binary_search_by(|(of, _)| (*of).cmp(&name)).ok()?;
    Some(VIEW_PICTURES[at])
}

/// Black if it cannot be read.
fn scaled(name: &str, png: &[u8], size: [usize; 2]) -> ColorImage {
    let picture = Picture::decode(png).inspect_err(|why| log::warn!("picture of the view {name}: {why:#}"));
    let picture = picture.unwrap_or_else(|_| Picture::from_fn([1, 1], |_, _| [0, 0, 0, 255]));
    let scaled = resample::cover(&picture, size.map(|side| side as u32), Crop::Middle);
    ColorImage::from_rgba_unmultiplied(size, &scaled.rgba)
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
        assert!(VIEW_PICTURES.is_sorted_by_key(|(name, _)| *name));
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
            // The contrast of text is over the picture.
            let is_whole = view.name != "text_contrast";
            if !matches!(view.legend, Legend::Ramp { .. }) || !is_whole || !file.exists() {
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
