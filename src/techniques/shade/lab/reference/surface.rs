//! Reference of the reconstruction of a surface point from a visibility value, in double precision: `shaders/shade/surface.glsl`.

use crate::frame::SceneBlock;
use glam::{DMat3, DVec2, DVec3, Mat3, Vec2, Vec3, Vec4};
use scene::world::{AlphaMode, VisibilityId, World, unit_from_octahedral};

pub struct Surface {
    pub position: Vec3,
    pub material: u32,
    pub pattern: Vec3,
    pub view: Vec3,
    pub distance: f32,
    pub normal: Vec3,
    pub tangent: Vec3,
    pub handed: f32,
    pub axis: Vec3,
    /// Value, change to the right, change down.
    pub uv: [Vec2; 3],
    pub second: [Vec2; 3],
    pub color: Vec3,
    pub alpha: f32,
    pub sky: f32,
    pub footprint: f32,
    pub bend: f32,
}

pub fn surface_at(world: &World, scene: &SceneBlock, visibility: u32, at: [u32; 2]) -> Surface {
    let placed = world.meshlet_instances[VisibilityId(visibility).meshlet_key() as usize - 1];
    let (instance, meshlet) =
        (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
    let numbers = world.geometry.corners(&meshlet, VisibilityId(visibility).triangle());
    let v = numbers.map(|vertex| world.geometry.vertices[vertex]);
    let [x, y, z, origin] = instance.world_from_mesh;
    let turn = Mat3::from_cols(x, y, z);
    let corners = v.map(|v| (turn * v.position + origin).as_dvec3() - scene.eye.as_dvec3());
    let (side1, side2) = (corners[1] - corners[0], corners[2] - corners[0]);
    let solve = |at: DVec2| -> DVec3 {
        let ray = scene.ray_first.as_dvec3() + scene.ray_right.as_dvec3() * at.x + scene.ray_down.as_dvec3() * at.y;
        DMat3::from_cols(side1, side2, -ray).inverse() * -corners[0]
    };
    let (here, step) = (DVec2::new(f64::from(at[0]), f64::from(at[1])), 1e-3);
    let b = solve(here);
    let change =
        |to: DVec2| ((solve(here + to * step) - solve(here - to * step)) / (2.0 * step)).as_vec3() * scene.detail;
    let (right, down) = (change(DVec2::X), change(DVec2::Y));
    let blend = |c: [Vec3; 3], b: Vec3| c[0] + (c[1] - c[0]) * b.x + (c[2] - c[0]) * b.y;
    let along = |c: [Vec3; 3], b: Vec3| (c[1] - c[0]) * b.x + (c[2] - c[0]) * b.y;
    let relative = (corners[0] + side1 * b.x + side2 * b.y).as_vec3();
    let b = b.as_vec3();
    let across = corners.map(|c| c.as_vec3());
    let distance = relative.length();
    let view = -relative / distance;
    let face = side1.cross(side2).normalize().as_vec3();
    let side = if face.dot(view) < 0.0 { -1.0 } else { 1.0 };
    let upright = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let normals = v.map(|v| unit_from_octahedral(v.normal));
    let normal = (upright * blend(normals, b)).normalize() * side;
    let normal = (normal + (0.02 - normal.dot(view)).max(0.0) * view).normalize();
    let tangents = v.map(|v| turn * unit_from_octahedral(v.tangent & !1));
    let mut first = tangents;
    if first[0].dot(normal).abs() > 0.999 * first[0].length() {
        first[0] = if normal.y.abs() < 0.9 { Vec3::Y } else { Vec3::X };
    }
    let tangent = blend(first, b);
    let tangent = (tangent - normal * tangent.dot(normal)).normalize_or_zero();
    let (bend_right, bend_down) = (along(normals, right), along(normals, down));
    let uvs = v.map(|v| v.uv.extend(0.0));
    let seconds = numbers.map(|vertex| world.geometry.second_uvs.get(vertex).copied().unwrap_or_default().extend(0.0));
    let alphas = v.map(|v| Vec3::splat((v.tangent >> 1 & 7 | (v.tangent >> 16 & 31) << 3) as f32 / 255.0));
    let is_opaque = world.materials[instance.material as usize].alpha_mode() == AlphaMode::Opaque;
    let colors = v.map(|v| Vec4::from(v.color.to_le_bytes().map(f32::from)) / 255.0);
    let color = colors[0] + (colors[1] - colors[0]) * b.x + (colors[2] - colors[0]) * b.y;
    Surface {
        position: scene.eye + relative,
        material: instance.material,
        pattern: blend(v.map(|v| v.position), b) * instance.scale,
        view,
        distance,
        normal,
        tangent,
        handed: if v[0].tangent & 1 != 0 { -side } else { side },
        axis: y.normalize(),
        uv: [blend(uvs, b), along(uvs, right), along(uvs, down)].map(Vec3::truncate),
        second: [blend(seconds, b), along(seconds, right), along(seconds, down)].map(Vec3::truncate),
        color: color.truncate(),
        alpha: if is_opaque { 1.0 } else { blend(alphas, b).x },
        sky: color.w,
        footprint: along(across, right).length().max(along(across, down).length()),
        bend: (bend_right.length_squared() + bend_down.length_squared()).min(1.0),
    }
}
