//! From a visibility value to a point of a surface, in double precision: the plain way. `shaders/shade/surface.glsl`.

use crate::{
    scene::world::{TRIANGLE_BITS, World, unit_from_octahedral},
    techniques::shade::frame::SceneBlock,
};
use glam::{DMat3, DVec2, DVec3, Mat3, Vec2, Vec3, Vec4};

/// The shader's struct of the same name.
pub struct Surface {
    pub position: Vec3,
    /// Weights of the triangle's corners.
    pub corner: Vec3,
    pub pattern: Vec3,
    pub axis: Vec3,
    pub view: Vec3,
    pub distance: f32,
    pub normal: Vec3,
    pub tangent: Vec3,
    pub handed: f32,
    pub uv: Vec2,
    pub uv_right: Vec2,
    pub uv_down: Vec2,
    pub color: Vec3,
    pub sky: f32,
    pub footprint: f32,
    pub bend: f32,
    pub material: u32,
}

/// Of pixel (x, y), whose visibility value is not 0.
pub fn surface_at(world: &World, scene: &SceneBlock, visibility: u32, at: [u32; 2]) -> Surface {
    let placed = world.placed[(visibility >> TRIANGLE_BITS) as usize - 1];
    let (instance, meshlet) = (world.instances[placed.instance as usize], world.meshlets[placed.meshlet as usize]);
    let packed = world.triangles[(meshlet.first_triangle + (visibility & ((1 << TRIANGLE_BITS) - 1))) as usize];
    let v = [0, 8, 16].map(|shift| {
        let vertex = world.meshlet_vertices[(meshlet.first_vertex + (packed >> shift & 0xFF)) as usize];
        world.vertices[vertex as usize]
    });
    let [x, y, z, origin] = instance.world_from_mesh;
    let turn = Mat3::from_cols(x, y, z);
    let corners = v.map(|v| (turn * v.position + origin).as_dvec3() - scene.eye.as_dvec3());
    let (side1, side2) = (corners[1] - corners[0], corners[2] - corners[0]);
    // corner + b1 side1 + b2 side2 = t ray
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
    let colors = v.map(|v| Vec4::from(v.color.to_le_bytes().map(f32::from)) / 255.0);
    let color = colors[0] + (colors[1] - colors[0]) * b.x + (colors[2] - colors[0]) * b.y;
    Surface {
        position: scene.eye + relative,
        corner: Vec3::new(1.0 - b.x - b.y, b.x, b.y),
        pattern: blend(v.map(|v| v.position), b) * instance.scale,
        axis: y.normalize(),
        view,
        distance,
        normal,
        tangent,
        handed: if v[0].tangent & 1 != 0 { -side } else { side },
        uv: blend(uvs, b).truncate(),
        uv_right: along(uvs, right).truncate(),
        uv_down: along(uvs, down).truncate(),
        color: color.truncate(),
        sky: color.w,
        footprint: along(across, right).length().max(along(across, down).length()),
        bend: (bend_right.length_squared() + bend_down.length_squared()).min(1.0),
        material: instance.material,
    }
}

/// A texture's texels around a place, the plain way: `shaders/shade/texture.glsl`.
pub fn sampled(world: &World, index: u32, uv: Vec2, right: Vec2, down: Vec2, taps: u32) -> Vec4 {
    let t = world.textures[index as usize];
    let full = Vec2::new(t.width as f32, t.height as f32);
    let (across, along) = ((right * full).length(), (down * full).length());
    let (longer, most, least) = if across > along { (right, across, along) } else { (down, along, across) };
    let looks = (most / least.max(1e-6)).ceil().clamp(1.0, taps as f32);
    let level = (most / looks).max(1.0).log2().clamp(0.0, (t.levels - 1) as f32);
    let look = |level: u32, uv: Vec2| {
        let size = [t.width, t.height].map(|n| (n >> level).max(1) as i32);
        let first: u32 = (0..level).map(|l| (t.width >> l).max(1) * (t.height >> l).max(1)).sum::<u32>() + t.first;
        let texel = |x: i32, y: i32| {
            let wrap = |i: i32, n: i32, how: u32| match how {
                0 => i.rem_euclid(n),
                1 => {
                    let i = i.rem_euclid(2 * n);
                    if i < n { i } else { 2 * n - 1 - i }
                }
                _ => i.clamp(0, n - 1),
            };
            let (x, y) = (wrap(x, size[0], t.wrap & 3), wrap(y, size[1], t.wrap >> 2 & 3));
            let bytes = world.texels[first as usize + (y * size[0] + x) as usize].to_le_bytes();
            let value = Vec4::from(bytes.map(f32::from)) / 255.0;
            let decode = |c: f32| if t.srgb != 0 { crate::base::srgb::decode(c) } else { c };
            Vec4::new(decode(value.x), decode(value.y), decode(value.z), value.w)
        };
        let at = uv * Vec2::new(size[0] as f32, size[1] as f32) - 0.5;
        let (low, f) = (at.floor(), at - at.floor());
        let (x, y) = (low.x as i32, low.y as i32);
        texel(x, y).lerp(texel(x + 1, y), f.x).lerp(texel(x, y + 1).lerp(texel(x + 1, y + 1), f.x), f.y)
    };
    let low = level.floor() as u32;
    let mut sum = Vec4::ZERO;
    for i in 0..looks as u32 {
        let at = uv + longer * ((i as f32 + 0.5) / looks - 0.5);
        sum += look(low, at).lerp(look((low + 1).min(t.levels - 1), at), level - low as f32);
    }
    sum / looks
}
