//! Golden pictures of glass presets, pictures, the world, and views in all their placements.

use crate::studio::{MIRRORED_TIES, Studio, View, compare, left_over, settings};
use meniscus::renderer::ViewPlacement;

const SIZE: [u32; 2] = [480, 270];

/// Name, settings as `--set` takes them, view.
type Case = (&'static str, &'static [&'static str], Option<View<'static>>);
const LOOKS: &[Case] = &[
    ("clear", &[], None),
    ("frosted", &["glass.preset=frosted"], None),
    ("tinted", &["glass.preset=tinted"], None),
    ("prism", &["glass.preset=prism"], None),
    ("system_clear", &["glass.preset=system_clear"], None),
    ("system_regular", &["glass.preset=system_regular"], None),
    ("words", &["glass.text=\"Aa\"", "glass.half_width=210"], None),
    ("source", &["glass.mode=source"], None),
    ("paper", &["scene.motif=paper"], None),
    ("box81", &["glass.frost=6", "glass.blur=box81"], None),
    ("distance", &[], Some(("glass", "distance", ViewPlacement::Full))),
    ("mip_in_lens", &["mip_chain.view_level=3"], Some(("mip_chain", "level", ViewPlacement::Lens))),
    ("normal_split", &[], Some(("glass", "normal", ViewPlacement::Split))),
    ("court", &["scene.source=world"], None),
    ("pool_night", &["scene.source=world", "scene.place=pool", "scene.sun_height=-9"], None),
    ("court_ids", &["scene.source=world"], Some(("meshlets", "ids", ViewPlacement::Lens))),
    ("court_kinds", &["scene.source=world"], Some(("shade", "kind", ViewPlacement::Split))),
];

/// Compares whole frames with their golden pictures.
pub fn look_as_kept() -> Vec<String> {
    let mut studio = Studio::new(SIZE);
    studio.lens = Some((glam::Vec2::new(200.0, 120.0), 0.5));
    let mut wrong = Vec::new();
    for (name, sets, view) in LOOKS {
        // The flat picture, independent of the program's default.
        let settings = settings(["scene.source=picture"].iter().chain(*sets).copied());
        let (got, _) = studio.draw(&settings, *view);
        let ties = if sets.contains(&"scene.source=world") { MIRRORED_TIES } else { 0 };
        wrong.extend(compare(name, &got, ties).err());
    }
    wrong.extend(left_over("", &LOOKS.iter().map(|(name, ..)| (*name).to_owned()).collect()));
    wrong.extend(studio.close());
    wrong
}
