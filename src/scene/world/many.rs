//! World of many instances of a few meshes, in every kind of material: for benchmarks.

use super::baked::Assembly;
use super::shape::{Shape, block, knot, lathe, superellipsoid};
use super::{Material, MaterialKind, Viewpoint, World, sky_visibility, tiles};
use crate::picture::noise::Dice;
use base::job::Progress;
use glam::{Mat4, Quat, Vec2, Vec3, Vec3Swizzles, Vec4};

fn meshes() -> [Shape; 4] {
    let vase = lathe(
        32,
        5,
        &[
            &[[0.0, -0.5], [0.2, -0.5]],
            &[[0.2, -0.5], [0.16, -0.42], [0.34, -0.15], [0.36, 0.1], [0.14, 0.36], [0.22, 0.5]],
            &[[0.22, 0.5], [0.1, 0.34], [0.0, 0.2]],
        ],
    );
    [
        knot([2.0, 3.0], 0.36, Vec2::splat(0.11), 72, 9),
        superellipsoid(Vec3::new(0.42, 0.34, 0.42), [0.5, 0.5], 32, 20),
        vase,
        block(Vec3::new(0.6, 0.8, 0.6), 0.1, [6, 8, 6]),
    ]
}

fn materials(stage: &mut Assembly) -> Result<Vec<u32>, String> {
    let textures = tiles::mosaic(&mut stage.builder)?;
    let colors = [Vec3::new(0.62, 0.24, 0.12), Vec3::new(0.10, 0.34, 0.42), Vec3::new(0.55, 0.50, 0.40)];
    let mut made = vec![];
    for &kind in MaterialKind::built_in() {
        for color in colors {
            let plain = Material { kind: kind as u32, base: color.extend(1.0), roughness: 0.4, ..Material::default() };
            let (metallic, roughness, second, parameters) = match kind {
                MaterialKind::Plain | MaterialKind::Textured | MaterialKind::Layered => {
                    (0.0, 0.35, Vec3::ZERO, Vec4::ZERO)
                }
                MaterialKind::Marble => (0.0, 0.3, color * 0.25, Vec4::new(0.2, 0.8, 1.0, 0.6)),
                MaterialKind::CarPaint => (0.5, 0.42, color.yzx() * 0.6, Vec4::new(0.004, 0.6, 0.06, 1.0)),
                MaterialKind::Subsurface => (0.0, 0.3, color.lerp(Vec3::ONE, 0.3), Vec4::new(0.08, 0.8, 0.5, 0.4)),
                MaterialKind::Iridescent => (1.0, 0.2, Vec3::ZERO, Vec4::new(420.0, 0.3, 1.45, 0.4)),
                MaterialKind::Velvet => (0.0, 0.9, color.lerp(Vec3::ONE, 0.4), Vec4::new(0.005, 1.0, 0.4, 0.5)),
                MaterialKind::Brushed => (1.0, 0.35, Vec3::ZERO, Vec4::new(0.003, 0.8, 0.5, 0.0)),
                MaterialKind::Wood => (0.0, 0.5, color * 0.35, Vec4::new(0.05, 0.8, 0.5, 0.5)),
                MaterialKind::Ember => (0.0, 0.5, Vec3::new(1.0, 0.4, 0.1), Vec4::new(0.16, 0.15, 9.0, 0.3)),
            };
            let mut material = Material { metallic, roughness, second, parameters, ..plain };
            if kind == MaterialKind::Textured {
                material =
                    Material { textures, roughness: 1.0, base: Vec4::ONE, emissive: Vec3::splat(4.0), ..material };
            }
            made.push(stage.material(kind.name(), material));
        }
    }
    Ok(made)
}

/// On a spiral by the golden angle.
pub fn many(instances: u32, progress: &Progress) -> Result<World, String> {
    let mut stage = Assembly::new();
    let materials = materials(&mut stage)?;
    let meshes = meshes();
    let mut placed = meshes.each_ref().map(|_| vec![]);
    let mut dice = Dice::new(11);
    let golden = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    for k in 0..instances {
        let out = 0.62 * (k as f32 + 0.5).sqrt();
        let (sin, cos) = (k as f32 * golden).sin_cos();
        let wave = 1.1 * (out * 0.55).sin() + 0.5 * (3.0 * k as f32 * golden).sin();
        let turn = Quat::from_euler(
            glam::EulerRot::YXZ,
            dice.between(0.0, 6.3),
            dice.between(-0.7, 0.7),
            dice.between(-0.7, 0.7),
        );
        let at = Vec3::new(out * cos, wave, -out * sin);
        let matrix = Mat4::from_scale_rotation_translation(Vec3::splat(dice.between(0.75, 1.15)), turn, at);
        let material = materials[(dice.roll() * materials.len() as f32) as usize % materials.len()];
        placed[k as usize % meshes.len()].push((matrix, material));
    }
    for (mut shape, placed) in meshes.into_iter().zip(placed) {
        let points: Vec<_> = shape.corners.iter().map(|corner| (corner.position, corner.normal)).collect();
        for (corner, sky) in shape.corners.iter_mut().zip(sky_visibility::seen(&points, &shape.occluder, &|_| true)) {
            corner.sky = sky;
        }
        stage.instances(Shape { occluder: vec![], ..shape }, placed, false);
    }
    let reach = 0.62 * (instances.max(1) as f32).sqrt();
    let distance = (reach * 1.5).max(4.0);
    let viewpoint =
        Viewpoint { target: Vec3::ZERO, orbit: 25.0, height: 24.0, distance, angle: 35.0, ..Viewpoint::default() };
    stage.finish(viewpoint, progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for_with_about_ten_meshlets_each() {
        for count in [1, 7, 2000] {
            let world = many(count, &Progress::default()).unwrap();
            assert_eq!(world.instances.len(), count as usize);
            let each = world.meshlet_instances.len() as f32 / count as f32;
            assert!((7.0..20.0).contains(&each), "{each}");
        }
        let world = many(500, &Progress::default()).unwrap();
        for &kind in MaterialKind::built_in() {
            assert!(world.instances.iter().any(|i| world.materials[i.material as usize].kind == kind as u32));
        }
        assert_eq!(world, many(500, &Progress::default()).unwrap());
    }
}
