//! Plane mirror before a bright wall whose seams are behind bars.

use super::scenes::{mesh, metal, of, square};
use glam::{Mat4, Vec3};
use scene::world::{Builder, Material, Viewpoint, World};

/// Metres: some pixels of a picture of 200 rows, in no ratio to them.
const PITCH: f32 = 0.237;
/// Metres: less than two of those pixels.
const BAR: f32 = 0.08;
const PANELS: i32 = 9;

/// Panels on the left share a plane, with gaps; those on the right are folded and share corners: rays on both sides of
/// a bar meet panels that share a plane or corners, never both.
pub fn fenced_mirror() -> World {
    let mut builder = Builder::new();
    let square = square(&mut builder);
    let glass = builder.material(metal(Vec3::ONE, 0.0));
    let glow = builder.material(Material { emissive: Vec3::new(2.0, 1.5, 1.0), ..Material::default() });
    let dark = builder.material(Material { base: Vec3::ZERO.extend(1.0), roughness: 1.0, ..Material::default() });
    of(&mut builder, square, Mat4::from_translation(Vec3::Z * -1.6) * Mat4::from_scale(Vec3::splat(3.0)), glass);
    let panel = |from: Vec3, to: Vec3| {
        let up = Vec3::Y * 2.0;
        [from - up, to - up, to + up, from - up, to + up, from + up]
    };
    let fold = |seam: i32| Vec3::new(seam as f32 * PITCH, 0.0, if seam > 0 && seam % 2 == 1 { 0.06 } else { 0.0 });
    let gap = |seam: i32| if seam <= 0 { Vec3::X * 0.004 } else { Vec3::ZERO };
    let panels = (-PANELS..PANELS).flat_map(|seam| panel(fold(seam) + gap(seam), fold(seam + 1) - gap(seam + 1)));
    let panels: Vec<Vec3> = panels.collect();
    let bar = |seam: i32| {
        let [middle, aside] = [Vec3::new(seam as f32 * PITCH, 0.0, 0.08), Vec3::X * (0.5 * BAR)];
        panel(middle - aside, middle + aside)
    };
    let bars: Vec<Vec3> = (-PANELS..=PANELS).flat_map(bar).collect();
    let behind = Mat4::from_translation(Vec3::Z * 3.5) * Mat4::from_rotation_y(std::f32::consts::PI);
    let (panels, bars) = (mesh(&mut builder, &panels), mesh(&mut builder, &bars));
    of(&mut builder, panels, behind, glow);
    of(&mut builder, bars, behind, dark);
    builder.finish(Viewpoint {
        target: Vec3::ZERO,
        orbit: 0.0,
        height: 3.0,
        distance: 2.7,
        angle: 60.0,
        ..Viewpoint::default()
    })
}
