//! Test that every setting that the world's picture depends on redraws it, and no other does; visible ones have a golden picture.
//!
//! The settings are those of [`Settings::sections`]: a new one is changed, too, and needs a golden picture, or a line in [`ALIKE`] that
//! declares it invisible.

use crate::studio::{Studio, TIES, compare, left_over, same, settings};
use base::{
    settings::{Field, FieldKind},
    timing::technique_of,
};
use media::picture::Picture;
use std::collections::{BTreeSet, HashMap};
use technique::Stage;
use techniques::{INFOS, Settings};

const SIZE: [u32; 2] = [160, 90];

/// By raster, the sort is not recorded: its settings need no pipelines of their own here. Each picture is a single frame: nothing is
/// accumulated.
const BASE: [&str; 5] =
    ["scene.source=world", "scene.instances=40", "scene.antialias=off", "meshlets.shadow_side=1024", "shade.by=raster"];

/// Values that show better than the nearest other one; prerequisites are in brackets.
const VALUES: &[(&str, &str, &[&str])] = &[
    ("scene.instances", "12", &["scene.place=many"]),
    // Software drivers have none by default.
    ("particles.kind", "none", &[]),
    ("scene.orbit", "40", &[]),
    ("scene.height", "25", &[]),
    ("scene.zoom", "0.6", &[]),
    ("scene.pan_x", "0.2", &[]),
    ("scene.pan_y", "0.15", &[]),
    ("scene.pan_z", "0.2", &[]),
    ("scene.sun_direction", "60", &[]),
    ("scene.sun_height", "60", &[]),
    ("scene.render_scale", "0.5", &[]),
    ("meshlets.shadow_side", "512", &[]),
    ("shade.weight", "6", &[]),
    ("shade.clouds", "0.95", &[]),
    ("shade.dust", "8", &[]),
    ("shade.haze", "60", &[]),
    ("shade.exposure", "1.5", &[]),
    ("reflections.depth", "0", &[]),
    ("reflections.scale", "0.25", &[]),
];

/// Settings of the world that do not change its picture, and why.
const ALIKE: &[(&str, &str)] = &[
    ("scene.motif", "the flat picture's"),
    ("scene.fit", "the flat picture's"),
    ("scene.speed", "the flat picture's"),
    ("scene.scroll", "the flat picture's"),
    ("scene.brightness", "the flat picture's"),
    ("scene.volume", "the flat picture's"),
    ("scene.switches", "the flat picture's"),
    ("scene.drift", "the window moves the camera"),
    ("scene.adapt", "the window chooses the resolution"),
    ("scene.rerun", "the same picture, again"),
    ("scene.antialias", "one frame has one sample a pixel"),
    ("antialias.", "how several frames are joined"),
    ("meshlets.by", "all paths give the same IDs"),
    ("meshlets.frustum", "what is left out is not in sight"),
    ("meshlets.cone", "what is left out is not in sight"),
    ("meshlets.occlusion", "what is left out is not in sight"),
    ("meshlets.triangles", "what is left out is not in sight"),
    ("meshlets.freeze", "it begins with what is in sight"),
    ("shade.by", "the order of the work"),
    ("shade.dither", "half a step of 255"),
    ("pixel_sort.", "the order of the work"),
    ("reflections.trace", "the window and headless runs decide"),
    ("reflections.rate", "one frame is no movement"),
    ("reflections.traversal", "the same triangles, found otherwise"),
    ("reflections.work", "the order of the work"),
    ("reflections.storage", "how the mask is kept"),
    ("reflections.mapping", "the order of the work"),
    ("reflections.view_bounce", "what a view shows"),
];

fn is_alike(name: &str) -> bool {
    ALIKE.iter().any(|(known, _)| *known == name || known.ends_with('.') && name.starts_with(known))
}

fn other(field: &Field, now: &toml::Value) -> String {
    match field.kind {
        FieldKind::Bool => (!now.as_bool().unwrap()).to_string(),
        FieldKind::Choice(names) => {
            let at = names.iter().position(|choice| Some(choice.name) == now.as_str()).unwrap();
            format!("\"{}\"", names[(at + 1) % names.len()].name)
        }
        FieldKind::Float { min, max, .. } => {
            let now = now.as_float().unwrap();
            format!("{:?}", now + 0.5 * (if max - now > now - min { max } else { min } - now))
        }
        FieldKind::Int { min, powers: true, .. } => min.to_string(),
        FieldKind::Size { .. } => "[37, 21]".into(),
        FieldKind::Int { min, max, .. } => {
            let now = now.as_integer().unwrap();
            (if now > i64::from(min) { i64::from(min) } else { i64::from(max.min(min + 1)) }).to_string()
        }
        FieldKind::Text => "\"Aa\"".into(),
        FieldKind::Color => "[0.9, 0.1, 0.4]".into(),
    }
}

/// Section and field of every setting, with its description and its value in `BASE`.
fn all_settings() -> Vec<(String, String, Field, toml::Value)> {
    let mut all = Vec::new();
    for section in settings(BASE).sections() {
        for (index, field) in section.settings.fields().iter().enumerate() {
            all.push((section.id.to_owned(), field.name.to_owned(), *field, section.settings.value(index)));
        }
    }
    all
}

fn unknown(all: &[(String, String, Field, toml::Value)]) -> Vec<String> {
    let is_known = |name: &str| all.iter().any(|(section, field, ..)| format!("{section}.{field}").starts_with(name));
    let named = VALUES.iter().map(|(name, ..)| *name).chain(ALIKE.iter().map(|(name, _)| *name));
    named.filter(|name| !is_known(name)).map(|name| format!("there is no setting {name}")).collect()
}

/// Techniques with passes of their own before the chain of the world's picture is built: they contribute to that picture.
fn makers(passes: &[String]) -> BTreeSet<&'static str> {
    let before = passes.iter().take_while(|pass| technique_of(pass) != "mip_chain");
    before.filter_map(|pass| INFOS.iter().find(|info| info.id == technique_of(pass))).map(|info| info.id).collect()
}

struct Shots {
    studio: Studio,
    /// By prerequisites.
    bases: HashMap<&'static [&'static str], Picture>,
}

impl Shots {
    fn draw(&mut self, settings: &Settings) -> (Picture, Vec<String>) {
        let (picture, timing) = self.studio.draw(settings, None);
        (picture, timing.passes.into_iter().map(|pass| pass.name).collect())
    }

    /// The picture before a setting is changed, drawn if it is not the last drawn one.
    fn before(&mut self, first: &'static [&'static str]) -> Picture {
        let (picture, _) = self.draw(&settings(BASE.iter().chain(first).copied()));
        if let Some(known) = self.bases.get(first) {
            same(known, &picture, TIES).unwrap_or_else(|problem| panic!("{first:?} does not come back: {problem}"));
        }
        self.bases.entry(first).or_insert(picture).clone()
    }
}

fn is_drawn_anew(passes: &[String]) -> bool {
    passes.iter().any(|pass| technique_of(pass) == "shade")
}

pub fn draw_anew() -> Vec<String> {
    let mut shots = Shots { studio: Studio::new(SIZE), bases: HashMap::new() };
    let all = all_settings();
    let (mut wrong, mut kept) = (unknown(&all), BTreeSet::from(["base".to_owned()]));
    // Contributors to the world are of its stage, or their settings would be missing in the key.
    let makers_all = ["shade.by=list", "scene.antialias=temporal"];
    let (_, passes) = shots.draw(&settings(BASE.iter().copied().chain(makers_all)));
    let named: BTreeSet<_> = INFOS.iter().filter(|info| info.stage == Stage::World).map(|info| info.id).collect();
    assert_eq!(makers(&passes), named, "{passes:?}");
    let (base, _) = shots.draw(&settings(BASE));
    wrong.extend(compare("world/base", &base, TIES).err());
    let (again, passes) = shots.draw(&settings(BASE));
    assert!(!is_drawn_anew(&passes) && again == base, "{passes:?}");

    for (section, name, field, now) in all {
        let full = format!("{section}.{name}");
        let special = VALUES.iter().find(|(known, ..)| *known == full);
        let first = special.map_or(&[][..], |(_, _, first)| *first);
        let value = special.map_or_else(|| other(&field, &now), |(_, value, _)| (*value).to_owned());
        let changed = format!("{full}={value}");
        let is_world = section == "scene" || named.contains(section.as_str());
        let before = shots.before(first);
        let settings = settings(BASE.iter().chain(first).copied().chain([changed.as_str()]));
        let (after, passes) = shots.draw(&settings);
        let shows_picture = full == "scene.source";
        if is_drawn_anew(&passes) != (is_world && !shows_picture) {
            wrong.push(format!("{changed}: the world is {}drawn anew", if is_world { "not " } else { "" }));
        }
        let differs = same(&before, &after, TIES).err();
        if !is_world || is_alike(&full) {
            wrong.extend(differs.map(|problem| format!("{changed} changes the picture: {problem}")));
            continue;
        }
        if differs.is_none() {
            wrong.push(format!("{changed} does not change the picture: give it a value in VALUES or a line in ALIKE"));
        }
        let file = full.replace('.', "_");
        wrong.extend(compare(&format!("world/{file}"), &after, TIES).err());
        kept.insert(file);
    }
    wrong.extend(left_over("world", &kept));
    wrong.extend(shots.studio.close());
    wrong
}
