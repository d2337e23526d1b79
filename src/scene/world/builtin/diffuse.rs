//! Court as a model of matt clay, plaster and felt: the same shapes, without mirrors.

use crate::world::{Material, MaterialKind, NO_TEXTURE, Names, World};
use base::job::Progress;
use glam::{Vec3, Vec4};
use std::sync::Arc;

const ROUGH: f32 = 0.95;

pub fn diffuse(progress: &Progress) -> Result<World, String> {
    let mut world = super::court(progress)?;
    world.materials.iter_mut().for_each(|material| *material = matt(material));
    let Names { instances, materials } = &mut world.names;
    for (name, instance) in instances.iter_mut().zip(&world.instances) {
        let of = materials.get(instance.material as usize).and_then(|of| name.strip_prefix(&**of));
        *name = of.map_or_else(Arc::default, |shape| format!("matt{shape}").into());
    }
    materials.iter_mut().for_each(|name| *name = format!("matt {name}").into());
    Ok(world)
}

fn matt(of: &Material) -> Material {
    let is = |kind: MaterialKind| of.kind == kind as u32;
    let plain = Material { roughness: ROUGH, metallic: 0.0, textures: [NO_TEXTURE; 4], ..*of };
    let uncoated = Material { parameters: of.parameters.truncate().extend(0.0), ..plain };
    let clay = |color: Vec3| Material { kind: MaterialKind::Plain as u32, base: color.extend(1.0), ..plain };
    if is(MaterialKind::Marble) || is(MaterialKind::Wood) {
        return uncoated;
    }
    if is(MaterialKind::Textured) {
        let (base, second) = (Vec4::new(0.58, 0.47, 0.35, 1.0), Vec3::new(0.40, 0.31, 0.22));
        let parameters = Vec4::new(1.3, 0.35, 1.0, 0.0);
        return Material { kind: MaterialKind::Marble as u32, base, second, parameters, emissive: Vec3::ZERO, ..plain };
    }
    if is(MaterialKind::Velvet) || is(MaterialKind::Ember) {
        return plain;
    }
    if is(MaterialKind::Subsurface) {
        return clay(of.base.truncate().lerp(of.second, 0.3));
    }
    let color = of.base.truncate();
    if is(MaterialKind::Iridescent) {
        return clay(Vec3::new(0.55, 0.27, 0.16));
    }
    if of.metallic > 0.0 {
        return clay(color.lerp(Vec3::new(0.62, 0.50, 0.40), 0.5));
    }
    if of.roughness < 0.2 {
        return clay(color.lerp(Vec3::new(0.30, 0.42, 0.42), 0.6));
    }
    plain
}
