//! Views of the glass, in the colours of the legends.

use super::glass::Glass;
use super::light::left_outside;
use super::optics::fresnel;
use super::outline::coverage;
use super::source::layers;
use crate::gpu_consts;
use crate::techniques::{Legend, ViewInfo};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

const WHITE: Vec3 = Vec3::splat(255.0);
const FACE: Vec3 = Vec3::new(15.3, 51.0, 30.6);

gpu_consts! { "glass/view.comp":
    /// Pixels.
    const FIELD: f32 = 20.0;
}

fn fract(x: f32) -> f32 {
    x - x.floor()
}

/// Right red, then yellow, green, blue; 0..255.
pub fn hue(v: Vec2) -> Vec3 {
    let turn = v.y.atan2(v.x) / TAU;
    let channel = |third: f32| ((fract(turn + third / 3.0) * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    Vec3::new(channel(0.0), channel(2.0), channel(1.0)) * 255.0
}

/// Pixels to where the picture is fetched.
fn offset_at(glass: &Glass, frag: Vec2) -> Vec2 {
    let e = glass.edge(frag);
    let (sight, n) = glass.sight(&e);
    (e.pull - n * sight.offset).as_vec2()
}

fn arrow(glass: &Glass, frag: Vec2) -> f32 {
    let middle = ((frag / FIELD).floor() + 0.5) * FIELD;
    let inside = glass.edge(middle).d < 0.0;
    let way = if inside { offset_at(glass, middle) } else { Vec2::ZERO };
    let long = (0.25 * way.length()).min(0.5 * FIELD);
    if long < 0.5 {
        return 0.0;
    }
    let (ahead, p) = (way.normalize(), frag - middle);
    let shaft = (1.2 - (p - ahead * p.dot(ahead).clamp(0.0, long)).length()).clamp(0.0, 1.0);
    shaft.max((2.2 - p.length()).clamp(0.0, 1.0))
}

/// A unit direction from the swatches of three axes: towards the eye, right, down; 0..255.
fn direction(legend: &Legend, v: Vec3) -> Vec3 {
    let middle = WHITE * 0.5;
    let parts = [v.z, v.x, v.y].into_iter().enumerate();
    parts.fold(middle, |sum, (axis, part)| sum + (legend.swatch(axis) - middle) * part)
}

/// 0..255, NaN for a view with passes of its own. `frag`: the pixel's middle.
pub fn view(view: &ViewInfo, glass: &Glass, mouse: Vec2, size: Vec2, frag: Vec2) -> Vec3 {
    let legend = &view.legend;
    let e = glass.edge(frag);
    let (cover, d) = (coverage(e.d), e.d as f32);
    let (seen, n) = glass.sight(&e);
    let surface = seen.surface;
    let l = layers(frag, mouse, size);
    match view.name {
        "distance" => {
            let [inside, at_edge, outside] = [0, 1, 2].map(|at| legend.swatch(at));
            let c = if d < 0.0 { inside } else { outside } * (0.35 + 0.65 * (-d.abs() / 60.0).exp());
            let line = ((fract(d / 10.0 + 0.5) - 0.5).abs() * 10.0).clamp(0.0, 1.0);
            at_edge.lerp(c * (0.85 + 0.15 * line), (d.abs() - 0.5).clamp(0.0, 1.0))
        }
        "coverage" => legend.ramp(cover),
        "normal" => {
            let up = (n * surface.s).as_vec2().extend(1.0).normalize();
            cover * direction(legend, up)
        }
        "height" => legend.ramp(cover * surface.h as f32),
        "offset" => {
            let o = offset_at(glass, frag);
            cover * (hue(o) * (o.length() / 72.0).clamp(0.0, 1.0)).lerp(WHITE, arrow(glass, frag))
        }
        "footprint" => cover * legend.ramp(((seen.stretch.abs() - 1.0) / 4.0) as f32),
        "fresnel" => legend.ramp(cover * (fresnel(surface.s, glass.optics.eta) as f32 * glass.light.mirror).min(1.0)),
        "shadow" => legend.ramp((1.0 - left_outside(glass.dropped(frag).d, e.d, &glass.light)) * (1.0 - cover) * 2.0),
        "taps" => {
            let count = glass.optics.row(&seen, 1.0 - seen.offset * e.curl, glass.frost).looks.len();
            cover * if e.d <= -e.bevel { FACE } else { legend.ramp((count as f32 - 1.0) / 9.0) }
        }
        "source_rb1" => legend.ramp(l.rb1),
        "source_rb2" => legend.ramp(l.rb2),
        "source_rb3" => legend.ramp(l.rb3),
        "source_masks" => {
            [l.rb1, l.rb2, l.rb3].into_iter().enumerate().map(|(mask, part)| legend.swatch(mask) * part).sum()
        }
        "source_transition" => legend.ramp(l.transition),
        "source_field" => legend.ramp(fract((l.f.max(1e-12).powf(0.125) / 0.3162).clamp(0.0, 2.0) * 4.999)),
        "source_lens" => {
            let uv = l.lens.clamp(Vec2::ZERO, Vec2::ONE);
            let [corner, right, down] = [0, 1, 2].map(|at| legend.swatch(at));
            corner + (right - corner) * uv.x + (down - corner) * uv.y
        }
        _ => Vec3::NAN,
    }
}
