//! CPU reference of the views of the shading, in the colours of the legends: `shaders/shade/views.glsl`.

use super::kinds::PixelShading;
use crate::{
    base::srgb::encode,
    techniques::{Legend, ViewInfo, shade::frame::SceneBlock},
};
use glam::{Vec2, Vec3};

const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

/// Sum of swatches, by their place, about the colour that belongs to none of them.
fn blend<const N: usize>(legend: &Legend, none: Vec3, parts: [(usize, f32); N]) -> Vec3 {
    parts.iter().fold(none, |sum, (at, part)| sum + (legend.swatch(*at) - none) * *part)
}

/// Grey from linear light of each channel.
fn encoded(legend: &Legend, c: Vec3) -> Vec3 {
    c.clamp(Vec3::ZERO, Vec3::ONE).map(|c| legend.ramp(encode(c)).x)
}

/// The view of light before the tone curve, of any pixel; 0..255.
pub fn exposure(view: &ViewInfo, scene: &SceneBlock, radiance: Vec3) -> Vec3 {
    // From 1/512 to 64.
    let stops = (radiance.dot(LUMINANCE).max(1e-6) / scene.white).log2();
    view.legend.ramp((stops + 9.0) / 15.0)
}

/// A pixel of any other view, 0..255; black where there is no geometry.
pub fn view(view: &ViewInfo, scene: &SceneBlock, s: &PixelShading) -> Vec3 {
    let legend = &view.legend;
    match view.name {
        "kind" => {
            let form = 0.75 + 0.25 * s.normal.dot(s.surface.view).clamp(0.0, 1.0);
            legend.swatch(s.kind as usize) * form
        }
        "normal" => {
            let [x, y, z] = s.normal.to_array();
            blend(legend, Vec3::splat(127.5), [(0, x), (1, y), (2, z)])
        }
        "albedo" => s.albedo.clamp(Vec3::ZERO, Vec3::ONE).map(encode) * 255.0,
        "uv" => {
            let (uv, cell) = (s.surface.uv[0], (s.surface.uv[0] * 8.0).floor());
            let check = (cell.x + cell.y).rem_euclid(2.0) * 0.35;
            let (none, part) = (legend.swatch(0), uv - uv.floor());
            blend(legend, none, [(1, part.x), (2, part.y)]) + Vec3::Z * check * 255.0
        }
        "barycentric" => {
            let [a, b, c] = s.surface.triangle.corner.to_array();
            blend(legend, Vec3::ZERO, [(0, a), (1, b), (2, c)])
        }
        "light_direct" => encoded(legend, s.direct / scene.white),
        "light_ambient" => encoded(legend, (s.radiance - s.direct) * 2.0 / scene.white),
        "shadow" => legend.ramp(s.light.open),
        "roughness" => legend.ramp(s.roughness),
        _ => Vec3::NAN,
    }
}

/// Whether texture coordinates are so near to a line of the check that rounding may put them on its other side.
pub fn is_on_line(uv: Vec2) -> bool {
    let cells = uv * 8.0;
    (cells - cells.round()).abs().min_element() < 1e-3
}
