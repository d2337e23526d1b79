//! Golden pictures of glass presets, pictures, the world, and views in all their placements.

use crate::studio::{MIRRORED_TIES, Studio, View, compare, left_over, settings};
use glam::Vec2;
use glass::GlassSettings;
use renderer::ViewPlacement;
use scene::{Lens, LensOutline, Preset, Shape};

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

const GLASS_ON_GLASS: &str = "glass_on_glass";

fn three_lenses() -> Vec<Lens> {
    let lens = |style: Preset, shape, center, half, exponent, angle| {
        let glass = GlassSettings::default().styled(style).lens_glass();
        let outline = LensOutline { shape, exponent, angle, ..LensOutline::default() }.sized(Vec2::from_array(half));
        Lens { center: Vec2::from_array(center), outline, glass, ..Lens::default() }
    };
    vec![
        lens(Preset::Tinted, Shape::Superellipse, [150.0, 110.0], [190.0, 120.0], 4.5, 0.0),
        lens(Preset::Frosted, Shape::Capsule, [215.0, 155.0], [200.0, 68.0], 2.0, -0.24_f32.to_degrees()),
        lens(Preset::Loupe, Shape::Superellipse, [245.0, 110.0], [124.0, 124.0], 2.0, 0.0),
    ]
}

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
    studio.lenses = three_lenses();
    let (got, _) = studio.draw(&settings(["scene.source=picture"]), None);
    wrong.extend(compare(GLASS_ON_GLASS, &got, 0).err());
    let names = LOOKS.iter().map(|(name, ..)| *name).chain([GLASS_ON_GLASS]);
    wrong.extend(left_over("", &names.map(str::to_owned).collect()));
    wrong.extend(studio.close());
    wrong
}
