//! Lights of a file (KHR_lights_punctual).

use super::{
    schema::Light,
    source::Source,
    words::{percent, quoted},
};
use crate::world::{Lamp, LampKind, World, unit_from_octahedral};
use glam::{DMat4, Vec3};

/// Viewers show a white surface in pi lux as white, as it is here in the high sun, which sends 6 pi.
const PER_LUX: f64 = 6.0;
/// Twice the sun's, without highlights.
const MOST: f32 = 40.0;
const ASKED: usize = 4096;

/// `scale`: factor on the scene's lengths.
pub fn lamps(source: &Source, lights: &[(DMat4, Light)], scale: f64) -> Vec<Lamp> {
    let lamps: Vec<Lamp> = lights
        .iter()
        .enumerate()
        .filter_map(|(number, (at, light))| {
            let lamp = lamp(at, light, scale);
            if lamp.is_none() {
                source.document.report("light", format!("lights of type {}", quoted(&light.kind)), number);
            }
            lamp
        })
        .collect();
    (0..lamps.len()).for_each(|number| source.document.report("light", "shadows of lights", number));
    lamps
}

fn lamp(world_from_light: &DMat4, light: &Light, scale: f64) -> Option<Lamp> {
    let color = glam::DVec3::from(light.color).clamp(glam::DVec3::ZERO, glam::DVec3::splat(1e6));
    let intensity = if light.intensity.is_finite() { light.intensity.clamp(0.0, 1e12) } else { 0.0 };
    let place = world_from_light.w_axis.truncate().as_vec3();
    let axis = world_from_light.z_axis.truncate().try_normalize().unwrap_or(glam::DVec3::Z).as_vec3();
    let kind = match light.kind.as_str() {
        "directional" => LampKind::Directional,
        "point" | "spot" => LampKind::Point,
        _ => return None,
    };
    let area = if kind == LampKind::Directional { 1.0 } else { scale * scale };
    let (cone_scale, cone_offset) = match light.kind.as_str() {
        "spot" => {
            let outer = light.spot.outer_cone_angle.clamp(0.0, std::f64::consts::FRAC_PI_2);
            let inner = light.spot.inner_cone_angle.clamp(0.0, outer);
            let scale = 1.0 / (inner.cos() - outer.cos()).max(1e-3);
            (scale, -outer.cos() * scale)
        }
        _ => (0.0, 1.0),
    };
    let reach =
        light.range.filter(|range| range.is_finite() && *range > 0.0).map_or(ENDLESS, |range| (range * scale) as f32);
    let lamp = Lamp {
        place,
        reach: reach.min(ENDLESS),
        light: (color * intensity * PER_LUX * area).as_vec3(),
        kind: kind as u32,
        axis,
        near: NEAREST * (scale * scale) as f32,
        cone_scale: cone_scale as f32,
        cone_offset: cone_offset as f32,
    };
    (lamp.place.is_finite() && lamp.light.is_finite()).then_some(lamp)
}

const ENDLESS: f32 = 1e9;
/// Metres squared.
const NEAREST: f32 = 1e-4;

/// By a common factor: some files give watts as candelas, or assume another exposure.
pub fn adapt(source: &Source, world: &mut World) {
    if world.lamps.is_empty() {
        return;
    }
    let mut light: Vec<f32> = vec![];
    let step = world.meshlet_instances.len().div_ceil(ASKED).max(1);
    for placed in world.meshlet_instances.iter().step_by(step) {
        let (instance, meshlet) =
            (&world.instances[placed.instance as usize], &world.geometry.meshlets[placed.meshlet as usize]);
        let count = (ASKED / world.meshlet_instances.len().max(1)).clamp(1, meshlet.vertices.max(1) as usize);
        for k in (0..meshlet.vertices as usize).step_by((meshlet.vertices as usize).div_ceil(count).max(1)) {
            let vertex =
                &world.geometry.vertices[world.geometry.meshlet_vertices[meshlet.first_vertex as usize + k] as usize];
            let [x, y, z, _] = instance.world_from_mesh;
            let upright = glam::Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
            let normal = (upright * unit_from_octahedral(vertex.normal)).normalize_or(Vec3::Y);
            let at = instance.point(vertex.position);
            light.push(world.lamps.iter().map(|lamp| lamp.arriving(at, normal).max_element()).sum());
        }
    }
    light.sort_by(f32::total_cmp);
    let bright = light.get(light.len() * 9 / 10).copied().unwrap_or(0.0);
    if bright > MOST {
        let part = MOST / bright;
        world.lamps.iter_mut().for_each(|lamp| lamp.light *= part);
        source.document.remark(format!("all lights dimmed to {}", percent(part.into())));
    }
}
