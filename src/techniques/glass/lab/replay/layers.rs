//! Steps of the light: what the glass does to what it lets through, and the final composition.

use super::{
    region::{bytes, colored, lit, numbers, words},
    subject::Subject,
};
use crate::lab::reference::Glass;
use crate::lab::reference::lens::Below;
use crate::lab::reference::light::{Light, Tone, dither, left_outside};
use crate::lab::reference::outline::{Edge, coverage};
use crate::lab::reference::picture::encoded_from_linear;
use crate::lab::reference::system::{Body, System};
use glam::Vec3;
use technique::{Cell, Grid, ReplayStep, Role};

struct Layer {
    name: &'static str,
    light: Vec3,
}

const GROUPS: [(&str, &str, &[&str]); 2] = [
    (
        "Colour of the glass",
        "What comes through takes the colour of the glass: thicker glass absorbs more, saturation and tint change the tone, and the glass is lighter over dark pictures and darker over bright ones.",
        &["refracted", "absorption", "tone", "adaptation", "body", "text shade", "press"],
    ),
    (
        "Light on the bevel",
        "On the bevel, light is added: Fresnel's mirror image of the surroundings, the gloss of a lamp, the caustic where light gathers behind the glass, and a thin bright line at the rim.",
        &["mirror", "gloss", "caustic", "rim"],
    ),
];

fn bare(glass: &Glass) -> Glass {
    let tone = Tone { saturation: 1.0, part: 0.0, body: Vec3::ONE, adaptive: 0.0, ..glass.light.tone };
    let light = Light { rim: 0.0, gloss: 0.0, caustic: 0.0, mirror: 0.0, press: None, tone, ..glass.light };
    let system = glass.system.map(|system| System { body: [Body::NONE; 2], opens: false, ..system });
    Glass { light, system, ..glass.clone() }
}

/// One layer more each time.
fn layers(subject: &Subject<'_>, glass: &Glass, below: &mut Below<'_>, e: &Edge) -> Vec<Layer> {
    let (full, mut now) = (&glass.light, bare(glass));
    let mut layers = Vec::new();
    let shades = below.shades.take();
    let add = |name, now: &Glass, below: &Below<'_>, layers: &mut Vec<Layer>| {
        layers.push(Layer { name, light: below.inside(now, subject.frag, e) });
    };
    add("refracted", &now, below, &mut layers);
    if glass.system.is_some() {
        now.system = glass.system;
        add("body", &now, below, &mut layers);
    } else {
        now.light.tone.body = full.tone.body;
        add("absorption", &now, below, &mut layers);
        (now.light.tone.saturation, now.light.tone.part) = (full.tone.saturation, full.tone.part);
        add("tone", &now, below, &mut layers);
        now.light.tone.adaptive = full.tone.adaptive;
        add("adaptation", &now, below, &mut layers);
    }
    below.shades = shades;
    if below.shades.is_some() {
        add("text shade", &now, below, &mut layers);
    }
    if full.press.is_some() {
        now.light.press = full.press;
        add("press", &now, below, &mut layers);
    }
    if !glass.is_plain(e) {
        if glass.system.is_none() {
            now.light.mirror = full.mirror;
            add("mirror", &now, below, &mut layers);
            now.light.gloss = full.gloss;
            add("gloss", &now, below, &mut layers);
            now.light.caustic = full.caustic;
            add("caustic", &now, below, &mut layers);
        }
        now.light.rim = full.rim;
        add("rim", &now, below, &mut layers);
    }
    layers
}

pub(super) fn steps(subject: &Subject<'_>, glass: &Glass, below: &mut Below<'_>) -> Vec<ReplayStep> {
    let e = glass.edge(subject.frag);
    let cover = coverage(e.d);
    let mut steps = Vec::new();
    let inside = if cover > 0.0 {
        let all = layers(subject, glass, below, &e);
        for (name, sentence, members) in GROUPS {
            let Some(end) = all.iter().rposition(|layer| members.contains(&layer.name)) else { continue };
            let grid = table(&all[..=end], |layer| members.contains(&layer.name));
            steps.push(ReplayStep::new(name, sentence, vec![grid]));
        }
        all.last().map_or(Vec3::ZERO, |layer| layer.light)
    } else {
        Vec3::ZERO
    };
    steps.push(compose(subject, glass, below, &e, inside));
    steps
}

fn table(layers: &[Layer], is_new: impl Fn(&Layer) -> bool) -> Grid {
    let mut cells = Vec::new();
    let mut before = None;
    for layer in layers {
        let role = if is_new(layer) { Role::Active } else { Role::Idle };
        let change = before.map_or(Vec3::ZERO, |before| layer.light - before);
        let change = if before.is_none() { String::new() } else { numbers(change) };
        cells.extend([
            words(layer.name, role),
            lit(layer.light),
            words(numbers(layer.light), role),
            words(change, role),
        ]);
        before = Some(layer.light);
    }
    Grid::new("Layer, colour after it, its light (red green blue), what the layer added", 4, cells).aspect(8.0)
}

fn compose(subject: &Subject<'_>, glass: &Glass, below: &Below<'_>, e: &Edge, inside: Vec3) -> ReplayStep {
    let cover = coverage(e.d);
    let plain = subject.picture.sample(subject.frag, 0.0);
    let left = if cover < 1.0 { left_outside(glass.dropped(subject.frag).d, e.d, &glass.light) } else { 1.0 };
    let outside = plain * left;
    let mixed = outside * (1.0 - cover) + inside * cover;
    let encoded = encoded_from_linear(mixed.clamp(Vec3::ZERO, Vec3::ONE));
    let dithered = dither(encoded, subject.frag);
    let last = below.shade(glass, subject.frag);
    let mut cells: Vec<Cell> = Vec::new();
    let mut row = |name: &str, colour: Cell, text: String| {
        cells.extend([words(name, Role::Idle), colour, words(text, Role::Idle)]);
    };
    row("picture here", lit(plain), numbers(plain));
    row("times shadow", lit(outside), numbers(outside));
    row("through glass", lit(inside), numbers(inside));
    row("by coverage", lit(mixed), numbers(mixed));
    row("encoded", colored(encoded), numbers(encoded));
    row("dithered", colored(dithered), numbers(dithered));
    let byte = last.unwrap_or(encoded);
    row("in bytes", colored(byte), bytes(byte).map(|channel| channel.to_string()).join(" "));
    let grid = Grid::new("Composition: colour, and red green blue", 3, cells).aspect(8.0);
    let sentence = format!(
        "The pixel is {:.0} % glass: light through it and light beside it, which keeps {:.0} % in the shadow, are mixed by that part, encoded as sRGB, and dithered by less than half a step against bands.",
        100.0 * cover,
        100.0 * left
    );
    let figures = vec![("coverage", format!("{cover:.3}")), ("left by shadow and contour", format!("{left:.3}"))];
    ReplayStep::new("Compose", sentence, vec![grid]).figures(figures)
}
