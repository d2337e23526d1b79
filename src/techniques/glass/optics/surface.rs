//! Surface: a flat face with a rounded bevel, as height and slope over the distance to the edge.

use crate::passes::uniforms::GlassBlock;
use gpu::gpu_consts;

gpu_consts! { "glass/surface.glsl":
    pub const MAX_SLOPE: f32 = 9.0;
    /// Pixels: the middle of the covered part of an edge pixel.
    pub const RIM_DEPTH: f32 = 0.35;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// From the edge (0) to the face (1).
    pub t: f32,
    /// Part of the bevel's height.
    pub h: f32,
    pub s: f32,
}

/// `h = (1-(1-t)^q)^(1/q)` and its slope. `tilt`: length of the outline's blended direction; valleys between melting
/// lenses are less steep.
pub fn surface(d: f32, bevel: f32, tilt: f32, glass: &GlassBlock) -> Surface {
    let t = (-d / bevel).max(RIM_DEPTH / bevel).min(1.0);
    let q = glass.profile;
    let u = 1.0 - t;
    if u <= 0.0 {
        return Surface { t: 1.0, h: 1.0, s: 0.0 };
    }
    let rest = u.powf(q - 1.0);
    let k = 1.0 - rest * u;
    let h = k.powf(1.0 / q);
    let rise = rest * h / k;
    let steep = glass.height / bevel * tilt * rise;
    let s = steep.min(MAX_SLOPE);
    Surface { t, h, s }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassSettings as _;
    use crate::lab::reference::optics::Optics;
    use crate::settings::GlassSettings;
    use glam::Vec2;

    #[test]
    fn a_bevel_thinner_than_the_edge_is_flat() {
        let settings = GlassSettings::default();
        let block = settings.glass(&[settings.placed(Vec2::ZERO)], 1.0).block;
        let reference =
            Optics { eta: 1.5, spread: 0.0, height: 10.0, profile: 3.0, gap: 0.0, taps: 1, displaces: None };
        for bevel in [0.1, 0.3, 0.349] {
            let flat = Surface { t: 1.0, h: 1.0, s: 0.0 };
            assert_eq!(surface(-0.05, bevel, 1.0, &block), flat);
            assert_eq!(reference.surface(-0.05, f64::from(bevel), 1.0).t, 1.0);
        }
    }
}
