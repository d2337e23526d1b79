//! Poster: what the window shows until its first picture is drawn, with the look of the scene that follows.

use crate::session::Session;
use base::job::Job;
use media::light_picture::FlatPicture;
use media::picture::Picture;
use scene::Source;
use scene::picture::{self, poster};
use techniques::Settings;
use ui::regions::beside_dock;

const GREY: [u8; 4] = [40, 40, 48, 255];
/// Of a picture that a file replaces.
const SMALL: [u32; 2] = [160, 90];

/// At half the size of the window. `scale`: its pixels per point.
pub fn paint(session: &Session, size_px: [u32; 2], scale: f32) -> Job<Picture> {
    let Session { settings, pictures, world, reading, .. } = session;
    let file = match (settings.scene.source, &pictures.below, world) {
        (Source::Picture, Some(FlatPicture::Display(picture)), _) => Some(small(picture)),
        (Source::Picture, None, _) | (Source::World, _, None) if reading.is_none() => None,
        _ => Some(grey()),
    };
    let [width, height] = size_px.map(|side| side as f32 / scale);
    let by = 0.5 - 0.5 * beside_dock(egui::vec2(width, height)).right() / width.max(1.0);
    of(file, settings, size_px.map(|side| side.div_ceil(2)), by)
}

/// `by`: part of the width by which a scene is left of the middle.
fn of(file: Option<Picture>, settings: &Settings, size: [u32; 2], by: f32) -> Job<Picture> {
    let by = if settings.scene.source == Source::World { by } else { 0.0 };
    let built_in = ui::built_in_scene(&settings.clone().sections());
    let motif = settings.scene.uses_motif().then_some(settings.scene.motif);
    Job::spawn("poster", move |_| {
        // Its small picture has the pieces, which would be there twice.
        let file = file.or_else(|| motif.map(|motif| picture::paint(motif, SMALL)));
        let built_in = || built_in.and_then(|(_, png)| Picture::decode(png).ok()).unwrap_or_else(grey);
        poster(&moved(&file.unwrap_or_else(built_in), by), size)
    })
}

pub fn grey() -> Picture {
    Picture::from_fn([1, 1], |_, _| GREY)
}

fn small(picture: &Picture) -> Picture {
    let [across, down] = [0, 1].map(|axis| picture.size[axis] as f32 / SMALL[axis] as f32);
    Picture::from_fn(SMALL, |x, y| picture.pixel((x as f32 * across) as u32, (y as f32 * down) as u32))
}

/// To the left; what is missing at the right mirrors what is there.
fn moved(picture: &Picture, by: f32) -> Picture {
    let [width, height] = picture.size;
    let by = (by * width as f32) as u32;
    Picture::from_fn([width, height], |x, y| picture.pixel((x + by).min(2 * width - 1 - x - by), y))
}

/// Whether panels right of that part of its width are bright.
pub fn is_bright(poster: &Picture, from: f32) -> bool {
    let width = poster.size[0] as usize;
    let right = poster.rgba.chunks_exact(4).enumerate().filter(|(at, _)| (at % width) as f32 >= from * width as f32);
    glass::is_bright_at_first(right.map(|(_, texel)| [texel[0], texel[1], texel[2]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::parse_set;
    use std::time::Duration;

    fn poster_of(sets: &[&str]) -> Picture {
        let mut settings = Settings::default();
        sets.iter().for_each(|set| settings.lay(parse_set(set).unwrap()).unwrap());
        of(None, &settings, [320, 180], 0.13).wait(Duration::from_secs(60)).unwrap().unwrap()
    }

    #[test]
    fn it_has_the_look_of_what_follows() {
        for (sets, is_light) in [
            (&["scene.source=picture", "scene.motif=paper"][..], true),
            (&["scene.source=picture", "scene.motif=code"], false),
            (&["scene.source=picture", "scene.motif=dusk"], false),
            (&["scene.place=pool", "scene.sun_height=-9"], false),
            (&["scene.place=court"], true),
            (&["scene.place=corridor"], true),
            (&["scene.place=many"], true),
        ] {
            let poster = poster_of(sets);
            assert_eq!((poster.size, is_bright(&poster, 0.75)), ([320, 180], is_light), "{sets:?}");
        }
        assert_ne!(poster_of(&[]), poster_of(&["scene.place=corridor"]));
    }
}
